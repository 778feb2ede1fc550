// Owns doing the commands about contact cards.
import Cloudlet
import Foundation

extension Interpreter {
    func answer(_ command: CardCommand) async throws -> Answer {
        let database = container.privateCloudDatabase
        let cards = ContactCardRepository(database: database)
        switch command {
        case .create(let name, let changes):
            let record = try await cards.create(name, changes)
            keep(record)
            return Self.card("saved", record, note: "created the card of \(name)")
        case .show(let name):
            let record = try await fetchAndKeep(ContactCard.recordName(name), from: database)
            return Self.card("server", record, note: nil)
        case .edit(let name, let changes, let policy, let merging):
            let held = try await heldCopy(ContactCard.recordName(name), from: database)
            let outcome = try await cards.edit(held, changes, policy: policy, merging: merging)
            return answer(outcome, name: name)
        }
    }

    private func answer(_ outcome: SaveOutcome, name: String) -> Answer {
        switch outcome {
        case .saved(let record):
            keep(record)
            return Self.card("saved", record, note: "changed the card of \(name)")
        case .conflict(let conflict):
            return Answer.conflict(conflict, remedy: "the same with --merge", fields: Self.cardFields)
        case .merged(let record, let conflict):
            keep(record)
            return Answer.merged(record, conflict, fields: Self.cardFields)
        }
    }

    private static func card(_ version: String, _ record: CKRecord, note: String?) -> Answer {
        let entry = Answer.version(version, record, cardFields)
        return Answer(form: .record, entries: [entry], notes: [note].compactMap { $0 })
    }

    private static func cardFields(_ record: CKRecord) -> [Field] {
        ContactCard.fields.map { Field($0, Value(record[$0] as? String)) }
    }
}
