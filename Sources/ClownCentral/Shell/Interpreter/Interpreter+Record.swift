// Owns doing the commands about records as they are.
import Cloudlet
import Foundation

extension Interpreter {
    func answer(_ command: RecordCommand) async throws -> Answer {
        let zone = command.zone ?? session.zone
        let database = zone == nil ? container.publicCloudDatabase : container.privateCloudDatabase
        let records = RecordRepository(database: database, zone: zone)
        switch command.deed {
        case .save(let type, let name, let changes):
            return Self.record(try await records.save(type, name, changes), note: "saved \(name)")
        case .show(let name):
            return Self.record(try await records.record(named: name), note: nil)
        case .delete(let name):
            // To delete what is not there is no error for the service; a mistyped name is one for people.
            do {
                _ = try await records.record(named: name)
            } catch CKError.unknownItem {
                let zone = command.zone.map { " in \($0)" } ?? ""
                throw Complaint(code: "unknownItem", message: "there is no record `\(name)`\(zone)")
            }
            try await records.delete(name)
            return Answer.talk("deleted \(name)", facts: [Field("record", .text(name))])
        case .find(let type, let condition, let limit):
            return Self.list(try await records.find(type, where: condition, limit: limit))
        }
    }

    private static func record(_ record: CKRecord, note: String?) -> Answer {
        Answer(form: .record, entries: [entry(record)], notes: [note].compactMap { $0 })
    }

    private static func list(_ records: [CKRecord]) -> Answer {
        var keys: [String] = []
        for key in records.flatMap({ $0.allKeys() }).sorted() where !keys.contains(key) { keys.append(key) }
        let columns =
            [Column("RECORD", "record")] + keys.map { Column($0.uppercased(), $0, isFlexible: true) }
        return Answer(
            form: .list, entries: records.map(entry), columns: columns,
            whenEmpty: "no record matches; those of any type are made by: record save TYPE NAME FIELD=VALUE")
    }

    private static func entry(_ record: CKRecord) -> Entry {
        let own = record.allKeys().sorted().map { Field($0, value(record[$0])) }
        return Entry(
            [Field("record", .text(record.recordID.recordName)), Field("type", .text(record.recordType))]
                + own)
    }

    /// `rope`, `Notes/rope` in a zone, and `owner rope` of one that it goes with.
    private static func name(of reference: CKRecord.Reference) -> String {
        let id = reference.recordID
        let zone = id.zoneID.zoneName == CKRecordZone.ID.defaultZoneName ? "" : "\(id.zoneID.zoneName)/"
        return (reference.action == .deleteSelf ? "owner " : "") + zone + id.recordName
    }

    private static func value(_ value: (any CKRecordValueProtocol)?) -> Value {
        switch value {
        case let text as String: .text(text)
        case let number as Int64: .count(Int(number))
        case let number as Int: .count(number)
        case let number as Double: .text("\(number)")
        case let reference as CKRecord.Reference:
            .text(name(of: reference))
        case let other?: .text("\(other)")
        case nil: .missing
        }
    }
}
