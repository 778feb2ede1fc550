import CollaborativeText
import Foundation
import Records

/// The text of a note that several devices edit at the same time.
///
/// Each device that edits a note has its own record `NoteEdit` below the note. It contains the whole text on
/// that device, with the identity of every character. No other device writes that record, so no two devices
/// conflict.
///
/// `TextAssembly` makes the text of the note from all these records. In its terms, a record is a copy, and a
/// device is a site. It takes what a device has typed from the device's own record. If that record was
/// deleted or cannot be read, it takes this text from the records of devices that have received it. So a lost
/// record hides only edits that no other device has received.
///
/// A participant may write anything into any record. But devices with the same records always have the same
/// text, and the record of one device cannot replace what is in that of another; it can only delete text. If
/// another person has changed a device's record, that record no longer counts as the device's own, and the
/// device begins another one, under the name `DEVICE.2`, then `DEVICE.3` and so on.
///
/// The note's own field `text` is a copy for programs that do not read the records of edits. Conflicts about
/// it are resolved by last writer wins. `firstText` is the text before the first edit, from which all devices
/// start.
struct NoteText {
    static let recordType = "NoteEdit"

    enum Key {
        static let note = "note"
        static let device = "device"
        static let snapshot = "snapshot"
    }

    /// The people who write a note, by their user record names.
    struct People {
        /// The signed-in person.
        let me: String
        /// The person to whom the note belongs.
        let owner: String
        /// For each record of edits, by its name: the person who created it and the person who changed it
        /// last. Records that this device has not sent yet are missing; the signed-in person wrote them.
        var authors: [String: (creator: String, modifier: String)] = [:]
    }

    /// The largest numbers of bytes of a text and of a snapshot. They keep a note, which stores two texts,
    /// and a record of edits within the size limit of a record.
    static let maximumTextBytes = 250_000
    static let maximumSnapshotBytes = 750_000

    private let note: Note.ID
    private let first: String
    private let people: People
    private var copies: [TextCopy]
    private var text: CollaborativeText
    /// One error for each edit that could not be read, for example because a later version wrote it.
    private(set) var unreadable: [RepositoryError] = []

    /// Reads the text of a note from the records that a device has.
    ///
    /// - Parameter device: a name for the installation of the app, which writes its edits under that name.
    init<Record: ModelRecord>(
        of note: some ModelRecord, edits: [Record], by people: People, on device: String
    ) throws {
        self.note = note.recordName
        self.people = people
        first = try note[field: Note.Key.firstText] ?? note.value(Note.Key.text)
        copies = []
        var damaged: Set<String> = []
        for edit in edits.sorted(by: { $0.recordName < $1.recordName }) {
            do {
                copies.append(
                    Self.copy(edit.recordName, try edit.value(Key.snapshot), of: note.recordName, by: people))
            } catch let error as RepositoryError {
                damaged.insert(edit.recordName)
                unreadable.append(error)
            }
        }
        let assembly = try TextAssembly(startingWith: first, copies: copies, owner: people.owner)
        for name in assembly.errors.keys.sorted() {
            damaged.insert(name)
            unreadable.append(
                .unreadable(recordType: Self.recordType, recordName: name, field: Key.snapshot))
        }
        text = try Self.text(
            of: assembly, on: device,
            without: damaged.union(edits.map(\.recordName).filter { !people.isMine($0) }), of: note.recordName
        )
    }

    /// The copy of the text in a record of edits. It counts as the copy of a device (a site of the
    /// collaborative text) only if the person who changed the record last is the one who created it.
    private static func copy(
        _ name: String, _ snapshot: Data, of note: Note.ID, by people: People
    ) -> TextCopy {
        let prefix = recordName(of: note, on: "")
        let site = name.hasPrefix(prefix) ? try? TextSite(String(name.dropFirst(prefix.count))) : nil
        let author = people.authors[name]
        let isIntact = author.map { $0.creator == $0.modifier } ?? true
        return TextCopy(
            name: name, site: isIntact ? site : nil, author: author?.modifier ?? people.me, snapshot: snapshot
        )
    }

    /// The text for edits on a device, under the first of the device's names whose record it can write and
    /// under which `TextAssembly` has numbers left for new text.
    ///
    /// - Parameter taken: The names of the records that it cannot write: damaged ones, and those that another
    ///   person created or changed.
    private static func text(
        of assembly: TextAssembly, on device: String, without taken: Set<String>, of note: Note.ID
    ) throws -> CollaborativeText {
        for number in 1...taken.count + maximumNames {
            let site = try TextSite(number == 1 ? device : "\(device).\(number)")
            if taken.contains(recordName(of: note, on: site.name)) { continue }
            if let text = assembly.text(as: site) { return text }
        }
        throw RepositoryError.tooManyEdits(note: assembly.string)
    }

    /// The number of names that a device tries, besides those whose records it cannot write.
    private static let maximumNames = 1000

    var string: String { text.text }

    /// The name of the record with the edits of this device.
    var ownRecordName: String { Self.recordName(of: note, on: text.site.name) }

    /// The name of the record with the edits of a device.
    static func recordName(of note: Note.ID, on device: String) -> String { "\(note).\(device)" }

    /// The name of the note to which an edit belongs; nil if the record does not say it.
    static func note(of edit: some ModelRecord) -> Note.ID? { edit.referencedName(in: Key.note) }

    /// Changes the text by the words in which it differs from a new one, and writes the result into the note
    /// and into the edit of this device. Returns whether anything has changed.
    ///
    /// Throws `RepositoryError.tooLong` if the text or the snapshot is too long, and `tooManyEdits` if this
    /// person may add no more to the note.
    mutating func change(
        to new: String, in note: inout some ModelRecord, and edit: inout some ModelRecord
    ) throws -> Bool {
        guard new != string else { return false }
        var changed = text
        try changed.change(to: new)
        let snapshot = changed.takeSnapshot()
        guard new.utf8.count <= Self.maximumTextBytes, snapshot.count <= Self.maximumSnapshotBytes else {
            throw RepositoryError.tooLong(note: new)
        }
        guard try isAssembled(changed, with: snapshot) else {
            throw RepositoryError.tooManyEdits(note: string)
        }
        text = changed
        note[field: Note.Key.text] = string
        note[field: Note.Key.firstText] = first
        // The edit is deleted with its note.
        edit[field: Key.note] = Reference(recordName: note.recordName, action: .deleteSelf)
        edit[field: Key.device] = text.site.name
        edit[field: Key.snapshot] = snapshot
        return true
    }

    /// Whether all devices assemble the changed text from the records once they have the snapshot. They
    /// ignore text beyond what one person may add.
    private func isAssembled(_ changed: CollaborativeText, with snapshot: Data) throws -> Bool {
        let name = Self.recordName(of: note, on: changed.site.name)
        let own = TextCopy(name: name, site: changed.site, author: people.me, snapshot: snapshot)
        let all = copies.filter { $0.name != name } + [own]
        return try TextAssembly(startingWith: first, copies: all, owner: people.owner).string == changed.text
    }
}

extension NoteText.People {
    /// Whether the signed-in person both created a record of edits and changed it last.
    func isMine(_ edit: String) -> Bool {
        authors[edit].map { $0.creator == me && $0.modifier == me } ?? true
    }
}
