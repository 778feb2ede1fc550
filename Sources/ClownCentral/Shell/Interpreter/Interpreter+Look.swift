// Owns doing the commands that look closely at photos and records.
import Cloudlet
import Foundation

extension Interpreter {
    func answer(_ command: LookCommand) async throws -> Answer {
        switch command {
        case .photo(let word): return try await draw(word)
        case .blame(let record, let zone): return try await blame(record, zone: zone ?? session.zone)
        case .watch(let watch):
            throw Complaint.usage("`watch` cannot stand inside of another command", remedy: watch.line)
        case .explain(let code): return try explain(code)
        }
    }

    private func draw(_ word: Word) async throws -> Answer {
        let photo = try await photo(word)
        let file = try await photos.file(of: photo.id, isThumbnail: true)
        guard let drawing = try await tools.viewer?.drawing(of: file) else {
            let size = Value.pixels(photo.size).text
            return Answer.talk(
                "\(photo.name), \(size); chafa would draw it: apt-get install chafa",
                facts: [Field("name", .text(photo.name)), Field("drawn", .flag(false))])
        }
        var answer = Answer(form: .drawing(drawing))
        answer.facts = [Field("name", .text(photo.name)), Field("drawn", .flag(true))]
        return answer
    }

    /// What the framework says of a record that the web services did not show.
    private func reason(thereIsNo record: String, in zone: String?) async throws -> Complaint {
        let database = zone == nil ? container.publicCloudDatabase : container.privateCloudDatabase
        let zoneID = zone.map { CKRecordZone.ID(zoneName: $0) } ?? .default
        do {
            try await database.record(for: CKRecord.ID(recordName: record, zoneID: zoneID))
            return Complaint(
                code: "serviceUnavailable", message: "the server did not say who wrote \(record)",
                remedy: "again in a moment")
        } catch let error as CKError where error.code == .unknownItem {
            return Complaint(
                code: "unknownItem", message: "there is no record \(record)",
                remedy: zone == nil ? "blame \(record) --zone ZONE" : nil)
        }
    }

    private func blame(_ record: String, zone: String?) async throws -> Answer {
        let found = try await site.stamps(
            of: record, zone: zone, in: session.place, session.account?.session, device: session.device)
        guard let stamps = found else { throw try await reason(thereIsNo: record, in: zone) }
        let me = session.account == nil ? nil : try await container.userRecordID().recordName
        let entries = [("made", stamps.created), ("changed", stamps.modified)].map { what, stamp in
            Entry([
                Field("what", .text(what)),
                Field("when", .moment(Date(timeIntervalSince1970: stamp.timestamp / 1000))),
                Field("by", .text(stamp.isMine || stamp.userRecordName == me ? "you" : stamp.userRecordName)),
                Field("device", Value(stamp.deviceID)),
            ])
        }
        return Answer(
            form: .list, entries: entries,
            columns: [
                Column("WHAT", "what"), Column("WHEN", "when"), Column("BY", "by"),
                Column("DEVICE", "device"),
            ],
            facts: [Field("version", .text(stamps.recordChangeTag))],
            notes: ["version \(stamps.recordChangeTag)"])
    }

    private func explain(_ word: Word?) throws -> Answer {
        if let word {
            guard let entry = ErrorReference(word.text) else { throw ErrorReference.unknown(word) }
            return Answer(form: .text(entry.text), facts: entry.facts)
        }
        guard !session.troubles.isEmpty else { return Answer.talk("nothing has gone wrong yet") }
        let texts = session.troubles.map { trouble in
            let tree = trouble.tree ?? "\(trouble.code): \(trouble.message)"
            let remedy = trouble.remedy.map { "\n  here: \($0)" } ?? ""
            return ([tree + remedy] + ErrorReference.entries(in: trouble).map(\.text)).joined(
                separator: "\n\n")
        }
        let facts = session.troubles.first.flatMap { ErrorReference($0.code)?.facts }
        return Answer(form: .text(texts.joined(separator: "\n\n")), facts: facts ?? [])
    }
}
