import Cloudlet
import CommandShell
import Foundation
import Records
import RecordsWire

extension RecordCommands {
    var blame: CommandSpec {
        CommandSpec(
            ["blame"],
            group: Self.group,
            summary: "show who created a record and who changed it last, when, and from which device",
            arguments: [ArgumentSpec("RECORD", .record)],
            flags: [
                FlagSpec(
                    "zone", "ZONE", .zone,
                    "a record in this zone of your private database, instead of a public one")
            ],
            examples: ["blame first", "blame note-7k2m9qwx4bdt --zone Notes"]
        ) { arguments in
            let (record, zone) = (try arguments.name("RECORD"), arguments.text("zone"))
            return .work { try await blame(record, zone: zone) }
        }
    }

    private func blame(_ record: String, zone: String?) async throws -> Answer {
        var zone = zone
        if zone == nil { zone = await session.zone }
        let context = await session.context
        let found = try await session.server.stampedRecord(
            record, zone: zone, in: context.place, context.account?.session, device: context.device)
        guard let found, let created = found.created, let modified = found.modified,
            let tag = found.changeTag?.text
        else { throw try await missingRecordError(record, in: zone) }
        let me = context.account == nil ? nil : try await session.container.userRecordID().recordName
        let entries = [("made", created), ("changed", modified)].map { what, stamp in
            Entry([
                AnswerField("what", .text(what)),
                AnswerField("when", .moment(stamp.at.date)),
                AnswerField(
                    "by", .text([CKCurrentUserDefaultName, me].contains(stamp.by) ? "you" : stamp.by)),
                AnswerField("device", .text(stamp.device ?? Stamp.cloudDevice)),
            ])
        }
        return Answer(
            form: .list, entries: entries,
            columns: [
                Column("WHAT", "what"), Column("WHEN", "when"), Column("BY", "by"),
                Column("DEVICE", "device"),
            ],
            facts: [AnswerField("version", .text(tag))], notes: ["version \(tag)"])
    }

    /// The error that the framework returns for a record that the web services did not return.
    private func missingRecordError(_ record: String, in zone: String?) async throws -> ShellError {
        let container = await session.container
        let database = zone == nil ? container.publicCloudDatabase : container.privateCloudDatabase
        let zoneID = zone.map { CKRecordZone.ID(zoneName: $0) } ?? .default
        do {
            try await database.record(for: CKRecord.ID(recordName: record, zoneID: zoneID))
            return ShellError(
                code: "serviceUnavailable", message: "the server did not report who wrote \(record)",
                remedy: "repeat the command in a moment")
        } catch let error as CKError where error.code == .unknownItem {
            return ShellError(
                code: "unknownItem", message: "there is no record \(record)",
                remedy: Self.findingNames
                    + (zone == nil ? "; in your private database: blame \(record) --zone ZONE" : ""))
        }
    }
}
