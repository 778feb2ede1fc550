import CloudSync
import Cloudlet
import LocalReplica
import Records

// The records of a note's text in a replica.
extension NoteText {
    /// Reads the text of a note from its record and those of its edits.
    init(of note: ReplicaRecord, edits: [ReplicaRecord], in reader: ReplicaReader, on device: String) throws {
        try self.init(of: note, edits: edits, by: People(of: note.id, edits, in: reader), on: device)
    }

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
        var text = try NoteText(of: record, edits: edits, in: writer.reader, on: device)
        let name = text.ownRecordName
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

extension NoteText.People {
    /// The people who write a note in a replica.
    fileprivate init(of note: RecordID, _ edits: [ReplicaRecord], in reader: ReplicaReader) throws {
        // Before the first sync, nobody else can have written.
        let me = try reader.account() ?? CKCurrentUserDefaultName
        self.init(me: me, owner: note.zone.owner ?? me)
        for edit in edits {
            guard let people = try reader.authors(of: edit.id) else { continue }
            func name(_ person: String) -> String { person == CKCurrentUserDefaultName ? me : person }
            authors[edit.id.name] = (name(people.creator), name(people.lastModifier))
        }
    }
}
