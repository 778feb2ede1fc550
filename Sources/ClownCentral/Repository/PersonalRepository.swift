import Foundation
import LocalReplica

/// The notes, shoeboxes and receipts of one person, in the local replica of one device. When a change
/// returns, one transaction has stored both the change and its outbox entry on disk.
struct PersonalRepository: Sendable {
    /// The zones of the private database. Notes and receipts have separate zones, so that a push about one
    /// kind does not cause a fetch of the other.
    enum Zone {
        static let notes = "Notes"
        static let receipts = "Receipts"
        static let all = [notes, receipts]
    }

    let replica: LocalReplica
    /// The name under which this installation of the app edits texts. No other may have it.
    let device: String

    // MARK: Notes

    /// All notes, or those about one party, sorted by text. A note that has an unreadable edit is shown
    /// without it.
    func notes(party: Party.ID? = nil) async throws -> RecordList<Note> {
        let device = device
        var notes = try await replica.read { reader in
            let edits = Dictionary(
                grouping: try reader.records(ofType: NoteText.recordType, in: Zone.notes), by: NoteText.note)
            var unreadable: [RepositoryError] = []
            var list = try RecordList(reader.records(ofType: Note.recordType, in: Zone.notes)) { record in
                guard let edits = edits[record.id.name] else { return try Note(record) }
                let text = try NoteText(of: record, edits: edits, in: reader, on: device)
                unreadable += text.unreadable
                return try Note(record, text)
            }
            list.unreadable += unreadable
            return list
        }
        notes.models = notes.models.filter { party == nil || $0.partyID == party }
            .sorted { ($0.text, $0.id) < ($1.text, $1.id) }
        return notes
    }

    /// Saves a new note, or changes one. The words of the text that differ from those on this device become
    /// contributions; the edits that other devices make at the same time are kept.
    func save(_ note: Note) async throws {
        let (id, device) = (RecordID(name: note.id, zone: Zone.notes), device)
        try await replica.write { try NoteText.save(note, as: id, on: device, by: $0) }
    }

    // MARK: Receipts

    /// All receipts, or those in one shoebox, the latest first.
    func receipts(shoebox: Shoebox.ID? = nil) async throws -> RecordList<Receipt> {
        var receipts = try await all(Receipt.recordType, in: Zone.receipts) { try Receipt($0) }
        receipts.models = receipts.models.filter { shoebox == nil || $0.shoeboxID == shoebox }
            .sorted { ($1.date, $0.id) < ($0.date, $1.id) }
        return receipts
    }

    /// Saves a receipt. If `photo` is a file, copies it into the replica and attaches it.
    func save(_ receipt: Receipt, photo: URL? = nil) async throws {
        let asset = try photo.map(replica.keepFile)
        try await change(receipt.id, Receipt.recordType, in: Zone.receipts) { record in
            receipt.write(to: &record)
            if let asset { record[field: Receipt.Key.photo] = asset }
        }
    }

    /// The file with a receipt's photo; nil if the receipt has no photo or the file is not on this device.
    func photo(of receipt: Receipt.ID) async throws -> URL? {
        let id = RecordID(name: receipt, zone: Zone.receipts)
        let photo: Asset? = try await replica.read { try $0.record(id)?[field: Receipt.Key.photo] }
        return photo.flatMap(replica.file)
    }

    func shoeboxes() async throws -> RecordList<Shoebox> {
        try await all(Shoebox.recordType, in: Zone.receipts) { try Shoebox($0) }
    }

    func save(_ shoebox: Shoebox) async throws {
        try await change(shoebox.id, Shoebox.recordType, in: Zone.receipts) { shoebox.write(to: &$0) }
    }

    // MARK: Deleting

    /// Deletes records of a zone. Returns the deleted records, and the edits of deleted notes, for `restore`.
    ///
    /// The server deletes the edits together with their note. If somebody has changed the note meanwhile, the
    /// server keeps the note and its edits. So this device itself deletes only edits that it has not sent.
    func delete(_ names: [String], in zone: String) async throws -> [ReplicaRecord] {
        try await replica.write { writer in
            let reader = writer.reader
            let edits = try names.flatMap {
                try NoteText.edits(of: RecordID(name: $0, zone: zone), in: reader)
            }
            let unsent = try reader.pendingChanges().filter { $0.kind == .create }.map(\.id)
            for edit in edits where unsent.contains(edit.id) { try writer.delete(edit.id) }
            let records = try names.compactMap { name in
                let id = RecordID(name: name, zone: zone)
                let record = try reader.record(id)
                try writer.delete(id)
                return record
            }
            return records + edits
        }
    }

    /// Saves deleted records again.
    func restore(_ records: [ReplicaRecord]) async throws {
        try await replica.write { writer in
            for record in records { try writer.save(record) }
        }
    }

    // MARK: Records

    private func all<Model: Sendable>(
        _ type: String, in zone: String, _ read: @escaping @Sendable (ReplicaRecord) throws -> Model
    ) async throws -> RecordList<Model> {
        try await replica.read { try RecordList($0.records(ofType: type, in: zone), read) }
    }

    /// Changes a record, or creates it if it does not exist. Fields that this app does not know do not
    /// change.
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
