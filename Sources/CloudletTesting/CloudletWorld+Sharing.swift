public import Cloudlet

extension CloudletWorld {
    /// Shares a record with people, who accept at once. Creates the record's zone if it is missing, and saves
    /// the record together with its share.
    ///
    /// ```swift
    /// let (alice, bob) = try await (world.container(app, as: "alice"), world.container(app, as: "bob"))
    /// let share = try await world.share(note, of: alice, with: [bob])
    /// ```
    ///
    /// - Parameters:
    ///   - root: The record; the share covers it and all records below it.
    ///   - owner: The container of the person who owns the record.
    ///   - people: The containers of the people to invite.
    ///   - permission: What the people may do.
    /// - Returns: The share with the people who have accepted it.
    /// - Throws: `CKError` if the record cannot be saved or shared.
    @discardableResult
    public func share(
        _ root: CKRecord, of owner: CKContainer, with people: [CKContainer],
        permission: CKShare.ParticipantPermission = .readWrite
    ) async throws -> CKShare {
        let database = owner.privateCloudDatabase
        _ = try await database.save(CKRecordZone(zoneID: root.recordID.zoneID))
        let share = CKShare(rootRecord: root)
        for person in people {
            let id = try await person.userRecordID()
            share.addParticipant(CKShareParticipant(userRecordID: id, permission: permission))
        }
        let (saves, _) = try await database.modifyRecords(saving: [root, share], deleting: [])
        for (_, result) in saves { _ = try result.get() }
        guard let url = share.url else {
            throw CKError(CKError.Code.internalError)
        }
        for person in people { try await person.accept(try await person.shareMetadata(for: url)) }
        let accepted = try await database.record(for: share.recordID) as? CKShare
        return accepted ?? share
    }
}
