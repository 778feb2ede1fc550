import CollaborativeText
import Foundation
import Records

/// The text of a note that several devices edit at the same time.
///
/// Each device that edits a note has its own record `NoteEdit` below the note. It contains the whole text on
/// that device, with the identity of every character. No other device writes that record, so no two devices
/// conflict. The text of the note is the merge of all these records. Because each of them is complete, a
/// deleted or unreadable one hides only edits that no other device has received.
///
/// The note's own field `text` is a copy for programs that know no contributions. Conflicts about it are
/// resolved by last writer wins. `firstText` is the text before the first edit, with which all devices begin.
struct NoteText {
    static let recordType = "NoteEdit"

    enum Key {
        static let note = "note"
        static let device = "device"
        static let snapshot = "snapshot"
    }

    /// The bytes of a text and of a snapshot, so that a note and an edit are within the limit of a record.
    static let mostTextBytes = 250_000
    static let mostSnapshotBytes = 750_000

    private let device: String
    private let first: String
    private var text: CollaborativeText
    /// One error for each edit that could not be read, for example because a later version wrote it.
    private(set) var unreadable: [RepositoryError] = []
    /// Whether the edit of this device could not be read.
    private var isOwnEditUnreadable = false

    /// Reads the text of a note from the records that a device has.
    ///
    /// - Parameter device: a name for the installation of the app, which writes its edits under that name.
    init<Record: ModelRecord>(of note: some ModelRecord, edits: [Record], on device: String) throws {
        self.device = device
        first = try note[field: Note.Key.firstText] ?? note.value(Note.Key.text)
        let site = try TextSite(device)
        text = try CollaborativeText(startingWith: first, site: site)
        let own = Self.recordName(of: note.recordName, on: device)
        // This device's own edit is read first, so that edits of others cannot contradict it.
        let others = edits.filter { $0.recordName != own }.sorted { $0.recordName < $1.recordName }
        for edit in edits.filter({ $0.recordName == own }) + others {
            do {
                try text.merge(edit.value(Key.snapshot))
            } catch {
                if edit.recordName == own { isOwnEditUnreadable = true }
                unreadable.append(
                    .unreadable(
                        recordType: Self.recordType, recordName: edit.recordName, field: Key.snapshot))
            }
        }
    }

    var string: String { text.text }

    /// The name of the record with the edits of a device.
    static func recordName(of note: Note.ID, on device: String) -> String { "\(note).\(device)" }

    /// The name of the note to which an edit belongs; nil if the record does not say it.
    static func note(of edit: some ModelRecord) -> Note.ID? { edit.referencedName(in: Key.note) }

    /// Changes the text by the words in which it differs from a new one, and writes the result into the note
    /// and into the edit of this device. Returns whether anything has changed.
    ///
    /// Throws if the text is too long, or if this device cannot read what it wrote itself.
    mutating func change(
        to new: String, in note: inout some ModelRecord, and edit: inout some ModelRecord
    ) throws -> Bool {
        guard new != string else { return false }
        if isOwnEditUnreadable, let error = unreadable.first { throw error }
        try text.change(to: new)
        let snapshot = text.takeSnapshot()
        guard new.utf8.count <= Self.mostTextBytes, snapshot.count <= Self.mostSnapshotBytes else {
            throw RepositoryError.tooLong(note: new)
        }
        note[field: Note.Key.text] = string
        note[field: Note.Key.firstText] = first
        // The edit is deleted with its note.
        edit[field: Key.note] = Reference(recordName: note.recordName, action: .deleteSelf)
        edit[field: Key.device] = device
        edit[field: Key.snapshot] = snapshot
        return true
    }
}
