import Cloudlet
import Foundation

/// The notes that people share with each other, read and written at the server: notes of the signed-in person
/// in the private database, notes of others in the shared database.
///
/// Each shared note is the root of a share of its own, so that each has its own participants. A party cannot
/// be the root: it is public, and the records of a share are in one custom zone of the private database.
struct ShareRepository: Sendable {
    let container: CKContainer
    /// The choices that the app offers when a person shares a note.
    var options = Self.everyOption

    private static let ownZone = CKRecordZone.ID(zoneName: PersonalRepository.Zone.notes)
    private static let shareType = "org.cloudlet.ClownCentral.note"

    // MARK: Listing

    /// The notes that the signed-in person shares, sorted by text.
    func byMe() async throws -> RecordList<SharedNote> {
        do {
            return try await sharedNotes(in: Self.ownZone, of: container.privateCloudDatabase)
        } catch let error as CKError where error.code == .zoneNotFound {
            return RecordList()
        }
    }

    /// The notes that others share with the signed-in person, sorted by text.
    func withMe() async throws -> RecordList<SharedNote> {
        let database = container.sharedCloudDatabase
        var list = RecordList<SharedNote>()
        for zone in try await database.allRecordZones() {
            do {
                let notes = try await sharedNotes(in: zone.zoneID, of: database)
                list.models += notes.models
                list.unreadable += notes.unreadable
            } catch let error as CKError where error.code == .zoneNotFound {
                // The last share from this zone has ended meanwhile.
                continue
            }
        }
        list.models.sort { ($0.note.text, $0.note.id) < ($1.note.text, $1.note.id) }
        return list
    }

    /// The shared notes of a zone, sorted by text. Queries find the shares and the edits, so the other
    /// records of the zone are not fetched.
    private func sharedNotes(
        in zone: CKRecordZone.ID, of database: CKDatabase
    ) async throws -> RecordList<SharedNote> {
        let every = NSPredicate(value: true)
        let found = try await all(CKRecord.SystemType.share, every, in: zone, of: database)
        let shares = try await byRoot(found.compactMap { $0 as? CKShare })
        if shares.isEmpty { return RecordList() }
        var notes: [CKRecord] = []
        for chunk in Array(shares.keys).chunks(of: Batch.maximumRecords) {
            notes += try await database.records(for: chunk).values.compactMap { try $0.unlessMissing() }
        }
        notes = notes.filter { $0.recordType == Note.recordType }
        let edits = try await edits(of: notes, in: zone, of: database)
        let me = try await container.userRecordID().recordName
        let roots = notes.compactMap { note in shares[note.recordID].map { (note: note, share: $0) } }
        var list = try RecordList(roots) { root in
            try Self.note(root.note, among: edits, root.share, me: me)
        }
        list.unreadable += list.models.flatMap(\.unreadable)
        list.models.sort { ($0.note.text, $0.note.id) < ($1.note.text, $1.note.id) }
        return list
    }

    /// The shares by the IDs of their root records. Fetches their metadata, because only the metadata of a
    /// share contains the root's ID and the owner's name. Shares without metadata are left out.
    private func byRoot(_ shares: [CKShare]) async throws -> [CKRecord.ID: CKShare] {
        var found: [CKRecord.ID: CKShare] = [:]
        for chunk in shares.compactMap(\.url).chunks(of: Batch.maximumRecords) {
            for case .success(let one) in try await container.shareMetadatas(for: chunk).values {
                found[one.rootRecordID] = one.share
            }
        }
        return found
    }

    /// The edits of notes. They are in the same zone as the notes.
    private func edits(
        of notes: [CKRecord], in zone: CKRecordZone.ID, of database: CKDatabase
    ) async throws -> [CKRecord] {
        var edits: [CKRecord] = []
        for chunk in notes.chunks(of: Self.notesPerQuery) {
            let references = chunk.map { CKRecord.Reference(record: $0, action: .none) }
            let predicate = NSPredicate(
                format: "%K IN %@", argumentArray: [NoteText.Key.note, references])
            edits += try await all(NoteText.recordType, predicate, in: zone, of: database)
        }
        return edits
    }

    private static let notesPerQuery = 50

    /// All records of a type in a zone that match a predicate.
    private func all(
        _ type: CKRecord.RecordType, _ predicate: NSPredicate, in zone: CKRecordZone.ID,
        of database: CKDatabase
    ) async throws -> [CKRecord] {
        let query = CKQuery(recordType: type, predicate: predicate)
        var page = try await RecordPage.first(
            query, in: database, zone: zone, keys: nil, limit: Batch.maximumRecords)
        var records = page.records
        while let cursor = page.cursor {
            page = try await RecordPage.next(cursor, in: database, keys: nil, limit: Batch.maximumRecords)
            records += page.records
        }
        return records
    }

    /// A shared note, with those of `records` that are edits of it.
    private static func note(
        _ record: CKRecord, among records: [CKRecord], _ share: CKShare, me: String
    ) throws -> SharedNote {
        let edits = records.filter {
            $0.recordID.zoneID == record.recordID.zoneID
                && NoteText.note(of: $0) == record.recordID.recordName
        }
        let people = NoteText.People(of: share, edits, me: me)
        let text = try NoteText(of: record, edits: edits, by: people, on: me)
        return SharedNote(
            note: try Note(record, text), record: record, edits: edits, unreadable: text.unreadable,
            share: share, me: me)
    }

    // MARK: The owner

    /// Invites people to a note by their addresses, and first shares a note that is not shared. People who
    /// are already invited get the new permission.
    func invite(
        _ addresses: [String], to note: Note, _ permission: CKShare.ParticipantPermission
    ) async throws -> SharedNote {
        try checkInvitation(permission)
        let (record, known) = try await own(note)
        if let known, known.publicPermission != .none { throw RepositoryError.openToAll(note: note.text) }
        let share = known ?? newShare(of: record, note)
        for address in addresses {
            let guest =
                try await address.hasPrefix("+")
                ? container.shareParticipant(forPhoneNumber: address)
                : container.shareParticipant(forEmailAddress: address)
            guest.permission = permission
            share.addParticipant(guest)
        }
        return try await save(share, of: record, note)
    }

    /// Sets the permission of everybody who has the URL, and first shares a note that is not shared. `.none`
    /// closes a share to all who are not invited; it throws if the note is not shared.
    func open(_ note: Note, to permission: CKShare.ParticipantPermission) async throws -> SharedNote {
        try checkOpening(to: permission)
        let (record, known) = try await own(note)
        if known == nil, permission == .none { throw RepositoryError.notShared(note: note.text) }
        let share = known ?? newShare(of: record, note)
        share.publicPermission = permission
        return try await save(share, of: record, note)
    }

    /// Removes a participant of a note.
    func remove(_ guest: CKShare.Participant, from shared: SharedNote) async throws -> SharedNote {
        shared.share.removeParticipant(guest)
        return try await save(shared.share, of: shared.record, shared.note)
    }

    /// Ends the share of a note. Only its owner can read it from then on.
    func stop(_ note: Note) async throws {
        let shared = try await self.shared(note)
        try await container.privateCloudDatabase.deleteRecord(withID: shared.share.recordID)
    }

    /// A note of the signed-in person with its share. Throws if the note is not shared.
    func shared(_ note: Note) async throws -> SharedNote {
        let (record, share) = try await own(note)
        guard let share else { throw RepositoryError.notShared(note: note.text) }
        let me = try await container.userRecordID().recordName
        return SharedNote(note: note, record: record, share: share, me: me)
    }

    /// The server's version of a note of the signed-in person, and its share; nil if the note is not shared.
    /// Throws if this device has not sent the note yet.
    func own(_ note: Note) async throws -> (record: CKRecord, share: CKShare?) {
        let database = container.privateCloudDatabase
        let record: CKRecord
        do {
            record = try await database.record(
                for: CKRecord.ID(recordName: note.id, zoneID: Self.ownZone))
        } catch let error as CKError where error.code == .unknownItem || error.code == .zoneNotFound {
            throw RepositoryError.notSent(note: note.text)
        }
        guard let id = record.share?.recordID else { return (record, nil) }
        return (record, try await database.record(for: id) as? CKShare)
    }

    /// A share of a note that is not saved yet.
    func newShare(of record: CKRecord, _ note: Note) -> CKShare {
        let name = "share-" + record.recordID.recordName
        let share = CKShare(
            rootRecord: record, shareID: CKRecord.ID(recordName: name, zoneID: record.recordID.zoneID))
        share[CKShare.SystemFieldKey.title] = note.text
        share[CKShare.SystemFieldKey.shareType] = Self.shareType
        return share
    }

    /// Saves a share. A new share is saved in one batch with its root record, as the server requires.
    func save(_ share: CKShare, of record: CKRecord, _ note: Note) async throws -> SharedNote {
        let records: [CKRecord] = share.recordChangeTag == nil ? [record, share] : [share]
        try await save(records, to: container.privateCloudDatabase)
        let me = try await container.userRecordID().recordName
        return SharedNote(note: note, record: record, share: share, me: me)
    }

    /// Saves records in one batch, all or none. Throws the error of the first record that the server refuses.
    private func save(_ records: [CKRecord], to database: CKDatabase) async throws {
        let saved = try await database.modifyRecords(saving: records, deleting: [])
        let errors: [any Error] = records.compactMap { record in
            if case .failure(let error)? = saved.saveResults[record.recordID] { error } else { nil }
        }
        // The other record of the batch fails with the error `batchRequestFailed`.
        let culprit = errors.first { ($0 as? CKError)?.code != .batchRequestFailed }
        if let error = culprit ?? errors.first { throw error }
    }

    // MARK: Participants

    /// Accepts the share at a URL. Returns its note.
    func accept(_ url: URL) async throws -> SharedNote {
        let metadata = try await container.shareMetadata(for: url)
        try await container.accept(metadata)
        // Only metadata that is fetched after accepting has all participants and the owner's name.
        let accepted = try await container.shareMetadata(for: url)
        let database = container.sharedCloudDatabase
        let record = try await database.record(for: accepted.rootRecordID)
        let edits = try await edits(of: [record], in: record.recordID.zoneID, of: database)
        let me = try await container.userRecordID().recordName
        return try Self.note(record, among: edits, accepted.share, me: me)
    }

    /// Changes the text of a note that another person shares. All devices of a participant write to one
    /// record of edits. That is safe because a save needs the version that the device has fetched. Throws a
    /// conflict if somebody has changed the note or that record since then.
    func edit(_ shared: SharedNote, text: String) async throws -> SharedNote {
        let people = NoteText.People(of: shared.share, shared.edits, me: shared.me)
        var together = try NoteText(of: shared.record, edits: shared.edits, by: people, on: shared.me)
        let name = together.ownRecordName
        var edit =
            shared.edits.first { $0.recordID.recordName == name }
            ?? CKRecord(
                recordType: NoteText.recordType,
                recordID: CKRecord.ID(recordName: name, zoneID: shared.record.recordID.zoneID))
        var record = shared.record
        guard try together.change(to: text, in: &record, and: &edit) else { return shared }
        edit.setParent(record)
        try await save([record, edit], to: container.sharedCloudDatabase)
        let others = shared.edits.filter { $0.recordID != edit.recordID }
        return SharedNote(
            note: try Note(record, together), record: record, edits: others + [edit], share: shared.share,
            me: shared.me)
    }

    /// Ends the signed-in person's part in a share.
    func leave(_ shared: SharedNote) async throws {
        try await container.sharedCloudDatabase.deleteRecord(withID: shared.share.recordID)
    }
}
