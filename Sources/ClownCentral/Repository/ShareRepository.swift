import Cloudlet
import Foundation

/// The notes that people share with each other, read and written at the server: notes of the signed-in person
/// in the private database, notes of others in the shared database.
///
/// Each shared note is the root of a share of its own, so that each has its own participants. A party cannot
/// be the root: it is public, and the records of a share are in one custom zone of the private database.
struct ShareRepository: Sendable {
    let container: CKContainer

    private static let ownZone = CKRecordZone.ID(zoneName: PersonalRepository.Zone.notes)
    private static let shareType = "org.cloudlet.ClownCentral.note"

    // MARK: Listing

    /// The notes that the signed-in person shares, sorted by text.
    func byMe() async throws -> RecordList<SharedNote> {
        do {
            let records = try await fetchAll(in: Self.ownZone, of: container.privateCloudDatabase)
            return try await sharedNotes(in: records, shares: records.compactMap { $0 as? CKShare })
        } catch let error as CKError where error.code == .zoneNotFound {
            return RecordList()
        }
    }

    /// The notes that others share with the signed-in person, sorted by text.
    func withMe() async throws -> RecordList<SharedNote> {
        let database = container.sharedCloudDatabase
        var all: [CKRecord] = []
        for zone in try await database.allRecordZones() {
            do {
                all += try await fetchAll(in: zone.zoneID, of: database)
            } catch let error as CKError where error.code == .zoneNotFound {
                // The last share from this zone has ended meanwhile.
                continue
            }
        }
        let shares = try await withOwnersNames(all.compactMap { $0 as? CKShare })
        return try await sharedNotes(in: all, shares: shares)
    }

    /// The same shares with the names of their owners, which only the metadata of a share has.
    private func withOwnersNames(_ shares: [CKShare]) async throws -> [CKShare] {
        var named: [CKShare] = []
        for chunk in shares.chunks(of: Batch.largest) {
            let metadata = try await container.shareMetadatas(for: chunk.compactMap(\.url))
            named += chunk.map { share in
                let found = share.url.flatMap { try? metadata[$0]?.get() }
                return found?.share ?? share
            }
        }
        return named
    }

    /// All records of a zone.
    private func fetchAll(in zone: CKRecordZone.ID, of database: CKDatabase) async throws -> [CKRecord] {
        var records: [CKRecord.ID: CKRecord] = [:]
        var token: CKServerChangeToken?
        var hasMore = true
        while hasMore {
            let page = try await database.recordZoneChanges(inZoneWith: zone, since: token)
            for (id, result) in page.modificationResultsByID { records[id] = try result.get().record }
            for deletion in page.deletions { records[deletion.recordID] = nil }
            token = page.changeToken
            hasMore = page.moreComing
        }
        return Array(records.values)
    }

    private func sharedNotes(
        in records: [CKRecord], shares: [CKShare]
    ) async throws -> RecordList<SharedNote> {
        let known = Dictionary(shares.map { ($0.recordID, $0) }, uniquingKeysWith: { first, _ in first })
        if known.isEmpty { return RecordList() }
        let me = try await container.userRecordID().recordName
        let roots = records.compactMap { record -> (record: CKRecord, share: CKShare)? in
            guard record.recordType == Note.recordType, let id = record.share?.recordID,
                let share = known[id]
            else { return nil }
            return (record, share)
        }
        var list = try RecordList(roots) { root in
            try Self.note(root.record, among: records, root.share, me: me)
        }
        list.unreadable += list.models.flatMap(\.unreadable)
        list.models.sort { ($0.note.text, $0.note.id) < ($1.note.text, $1.note.id) }
        return list
    }

    /// A note with its edits, which are among the records of its zone.
    private static func note(
        _ record: CKRecord, among records: [CKRecord], _ share: CKShare, me: String
    ) throws -> SharedNote {
        let edits = records.filter {
            $0.recordType == NoteText.recordType && $0.recordID.zoneID == record.recordID.zoneID
                && NoteText.note(of: $0) == record.recordID.recordName
        }
        let text = try NoteText(of: record, edits: edits, on: me)
        return SharedNote(
            note: try Note(record, text), record: record, edits: edits, unreadable: text.unreadable,
            share: share, me: me)
    }

    // MARK: The owner

    /// Invites people to a note by their addresses, and shares the note before if it is not shared. People
    /// who take part already get the permission.
    func invite(
        _ addresses: [String], to note: Note, _ permission: CKShare.ParticipantPermission
    ) async throws -> SharedNote {
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

    /// Sets what everybody who has the URL may do, and shares the note before if it is not shared. `.none`
    /// closes a share to all who are not invited; it throws if the note is not shared.
    func open(_ note: Note, to permission: CKShare.ParticipantPermission) async throws -> SharedNote {
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
    private func own(_ note: Note) async throws -> (record: CKRecord, share: CKShare?) {
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
    private func newShare(of record: CKRecord, _ note: Note) -> CKShare {
        let name = "share-" + record.recordID.recordName
        let share = CKShare(
            rootRecord: record, shareID: CKRecord.ID(recordName: name, zoneID: record.recordID.zoneID))
        share[CKShare.SystemFieldKey.title] = note.text
        share[CKShare.SystemFieldKey.shareType] = Self.shareType
        return share
    }

    /// Saves a share; a new one in one batch with its root, as the server demands.
    private func save(_ share: CKShare, of record: CKRecord, _ note: Note) async throws -> SharedNote {
        let records: [CKRecord] = share.recordChangeTag == nil ? [record, share] : [share]
        try await save(records, to: container.privateCloudDatabase)
        let me = try await container.userRecordID().recordName
        return SharedNote(note: note, record: record, share: share, me: me)
    }

    /// Saves records in one batch, all or none. Throws the error of the record that the server refuses.
    private func save(_ records: [CKRecord], to database: CKDatabase) async throws {
        let saved = try await database.modifyRecords(saving: records, deleting: [])
        let errors: [any Error] = saved.saveResults.values.compactMap { result in
            if case .failure(let error) = result { error } else { nil }
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
        let records = try await fetchAll(in: record.recordID.zoneID, of: database)
        let me = try await container.userRecordID().recordName
        return try Self.note(record, among: records, accepted.share, me: me)
    }

    /// Changes the text of a note that another person shares. All devices of a participant have one record of
    /// edits, because they save it with the version that they have fetched. Throws a conflict if somebody has
    /// changed the note since then.
    func edit(_ shared: SharedNote, text: String) async throws -> SharedNote {
        var together = try NoteText(of: shared.record, edits: shared.edits, on: shared.me)
        let name = NoteText.recordName(of: shared.note.id, on: shared.me)
        var edit =
            shared.edits.first { $0.recordID.recordName == name }
            ?? CKRecord(
                recordType: NoteText.recordType,
                recordID: CKRecord.ID(recordName: name, zoneID: shared.record.recordID.zoneID))
        var record = shared.record
        guard try together.change(to: text, in: &record, and: &edit) else { return shared }
        edit.setParent(record)
        try await save([record, edit], to: container.sharedCloudDatabase)
        return SharedNote(
            note: try Note(record, together), record: record, edits: shared.edits, share: shared.share,
            me: shared.me)
    }

    /// Ends the signed-in person's part in a share.
    func leave(_ shared: SharedNote) async throws {
        try await container.sharedCloudDatabase.deleteRecord(withID: shared.share.recordID)
    }
}
