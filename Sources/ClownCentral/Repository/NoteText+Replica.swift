import LocalReplica
import Records

// The records of a note's text in a replica.
extension NoteText {
    /// The edits of a note, by all devices.
    static func edits(of note: RecordID, in reader: ReplicaReader) throws -> [ReplicaRecord] {
        try reader.records(ofType: recordType, in: note.zone, namePrefix: recordName(of: note.name, on: ""))
            .filter { self.note(of: $0) == note.name }
    }

    /// Saves a new note, or changes one. The words of the text that differ from those on this device become
    /// contributions of this device.
    static func save(
        _ note: Note, as id: RecordID, on device: String, by writer: ReplicaWriter
    ) throws {
        guard var record = try writer.reader.record(id) else {
            var record = ReplicaRecord(type: Note.recordType, id: id)
            note.write(to: &record)
            return try writer.save(record)
        }
        let edits = try edits(of: id, in: writer.reader)
        var text = try NoteText(of: record, edits: edits, on: device)
        let name = recordName(of: note.id, on: device)
        var edit =
            edits.first { $0.id.name == name }
            ?? ReplicaRecord(type: recordType, id: RecordID(name: name, zone: id.zone))
        note.write(to: &record)
        let isChanged = try text.change(to: note.text, in: &record, and: &edit)
        try writer.save(record)
        guard isChanged else { return }
        // A share of the note covers the records below it.
        edit.parent = note.id
        try writer.save(edit)
    }
}
