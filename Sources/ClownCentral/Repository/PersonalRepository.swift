import Foundation
import LocalReplica

/// Notes, shoeboxes and receipts of one person, on one device. Every change is on the disk when its call
/// returns, together with the note that the server has to be told.
struct PersonalRepository: Sendable {
    /// Notes are told apart from receipts so that a push about one does not fetch the other.
    enum Zone {
        static let notes = "Notes"
        static let receipts = "Receipts"
        static let all = [notes, receipts]
    }

    let replica: LocalReplica

    // MARK: Notes

    /// All notes, or those on a party, in the order of their texts.
    func notes(party: Party.ID? = nil) async throws -> Listing<Note> {
        var notes = try await all(Note.recordType, in: Zone.notes) { try Note($0) }
        notes.models = notes.models.filter { party == nil || $0.partyID == party }
            .sorted { ($0.text, $0.id) < ($1.text, $1.id) }
        return notes
    }

    func save(_ note: Note) async throws {
        try await change(note.id, Note.recordType, in: Zone.notes) { note.write(to: &$0) }
    }

    // MARK: Receipts

    /// All receipts, or those in a shoebox, the latest first.
    func receipts(shoebox: Shoebox.ID? = nil) async throws -> Listing<Receipt> {
        var receipts = try await all(Receipt.recordType, in: Zone.receipts) { try Receipt($0) }
        receipts.models = receipts.models.filter { shoebox == nil || $0.shoeboxID == shoebox }
            .sorted { ($1.date, $0.id) < ($0.date, $1.id) }
        return receipts
    }

    /// Saves a receipt, with a photo from that file if there is one.
    func save(_ receipt: Receipt, photo: URL? = nil) async throws {
        let asset = try photo.map(replica.keepFile)
        try await change(receipt.id, Receipt.recordType, in: Zone.receipts) { record in
            receipt.write(to: &record)
            if let asset { record[field: Receipt.Key.photo] = asset }
        }
    }

    /// The photo of a receipt; nothing when it has none.
    func photo(of receipt: Receipt.ID) async throws -> URL? {
        let id = RecordID(name: receipt, zone: Zone.receipts)
        let photo: Asset? = try await replica.read { try $0.record(id)?[field: Receipt.Key.photo] }
        return photo.flatMap(replica.file)
    }

    func shoeboxes() async throws -> Listing<Shoebox> {
        try await all(Shoebox.recordType, in: Zone.receipts) { try Shoebox($0) }
    }

    func save(_ shoebox: Shoebox) async throws {
        try await change(shoebox.id, Shoebox.recordType, in: Zone.receipts) { shoebox.write(to: &$0) }
    }

    // MARK: Deleting

    /// Deletes records of a zone, and answers what they were, so that they can be put back.
    func delete(_ names: [String], in zone: String) async throws -> [ReplicaRecord] {
        try await replica.write { writer in
            try names.compactMap { name in
                let id = RecordID(name: name, zone: zone)
                let record = try writer.reader.record(id)
                try writer.delete(id)
                return record
            }
        }
    }

    /// Puts back what was deleted.
    func restore(_ records: [ReplicaRecord]) async throws {
        try await replica.write { writer in
            for record in records { try writer.save(record) }
        }
    }

    // MARK: Records

    private func all<Model: Sendable>(
        _ type: String, in zone: String, _ read: @escaping @Sendable (ReplicaRecord) throws -> Model
    ) async throws -> Listing<Model> {
        try await replica.read { try Listing($0.records(ofType: type, in: zone), read) }
    }

    /// Changes a record, which is made if it is new; fields that this app knows nothing of stay.
    private func change(
        _ name: String, _ type: String, in zone: String,
        _ write: @escaping @Sendable (inout ReplicaRecord) -> Void
    ) async throws {
        try await replica.write { writer in
            let id = RecordID(name: name, zone: zone)
            var record = try writer.reader.record(id) ?? ReplicaRecord(type: type, id: id)
            write(&record)
            try writer.save(record)
        }
    }
}
