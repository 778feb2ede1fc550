import Foundation
package import Records

/// A page of a database's changes.
private typealias DatabasePage = (
    modifications: [CKDatabase.DatabaseChange.Modification],
    deletions: [CKDatabase.DatabaseChange.Deletion],
    changeToken: CKServerChangeToken, moreComing: Bool
)

/// A page of a zone's changes.
private typealias ZonePage = (
    modificationResultsByID: [CKRecord.ID: Result<CKDatabase.RecordZoneChange.Modification, any Error>],
    deletions: [CKDatabase.RecordZoneChange.Deletion],
    changeToken: CKServerChangeToken, moreComing: Bool
)

extension CKDatabase {
    /// Fetches one page of the zones that were changed or deleted since a token; a nil token fetches from the
    /// beginning. While `moreComing` is true, fetch again with the new token.
    ///
    /// Runs at `userInitiated`, because a person waits; see ``CKOperationConfiguration/qualityOfService``.
    @preconcurrency
    public func fetchDatabaseChanges(
        since changeToken: CKServerChangeToken?,
        resultsLimit: Int? = nil,
        completionHandler:
            @escaping @Sendable (
                Result<
                    (
                        modifications: [CKDatabase.DatabaseChange.Modification],
                        deletions: [CKDatabase.DatabaseChange.Deletion],
                        changeToken: CKServerChangeToken, moreComing: Bool
                    ), any Error
                >
            ) -> Void
    ) {
        start(fetchingDatabase(changeToken, resultsLimit, completion: completionHandler))
    }

    /// Fetches one page of the zones that were changed or deleted since a token; a nil token fetches from the
    /// beginning. While `moreComing` is true, fetch again with the new token.
    ///
    /// Runs at `userInitiated`, because a person waits; see ``CKOperationConfiguration/qualityOfService``.
    ///
    /// - Throws: `CKError.changeTokenExpired` if the token is too old: fetch again with nil.
    public func databaseChanges(
        since changeToken: CKServerChangeToken?,
        resultsLimit: Int? = nil
    ) async throws -> (
        modifications: [CKDatabase.DatabaseChange.Modification],
        deletions: [CKDatabase.DatabaseChange.Deletion],
        changeToken: CKServerChangeToken, moreComing: Bool
    ) {
        try await perform { fetchingDatabase(changeToken, resultsLimit, completion: $0) }
    }

    /// Fetches one page of the records that were changed or deleted in a zone since a token; a nil token
    /// fetches from the beginning. While `moreComing` is true, fetch again with the new token.
    ///
    /// Runs at `userInitiated`, because a person waits; see ``CKOperationConfiguration/qualityOfService``.
    @preconcurrency
    public func fetchRecordZoneChanges(
        inZoneWith zoneID: CKRecordZone.ID,
        since changeToken: CKServerChangeToken?,
        desiredKeys: [CKRecord.FieldKey]? = nil,
        resultsLimit: Int? = nil,
        completionHandler:
            @escaping @Sendable (
                Result<
                    (
                        modificationResultsByID: [CKRecord.ID: Result<
                            CKDatabase.RecordZoneChange.Modification, any Error
                        >],
                        deletions: [CKDatabase.RecordZoneChange.Deletion],
                        changeToken: CKServerChangeToken, moreComing: Bool
                    ), any Error
                >
            ) -> Void
    ) {
        let configuration = CKFetchRecordZoneChangesConfiguration(
            previousServerChangeToken: changeToken, resultsLimit: resultsLimit, desiredKeys: desiredKeys)
        start(fetchingZone(zoneID, configuration, completion: completionHandler))
    }

    /// Fetches one page of the records that were changed or deleted in a zone since a token; a nil token
    /// fetches from the beginning. While `moreComing` is true, fetch again with the new token.
    ///
    /// Runs at `userInitiated`, because a person waits; see ``CKOperationConfiguration/qualityOfService``.
    ///
    /// - Throws: `CKError.changeTokenExpired` if the token is too old: discard the cached records of the zone
    ///   and fetch again with nil.
    public func recordZoneChanges(
        inZoneWith zoneID: CKRecordZone.ID,
        since changeToken: CKServerChangeToken?,
        desiredKeys: [CKRecord.FieldKey]? = nil,
        resultsLimit: Int? = nil
    ) async throws -> (
        modificationResultsByID: [CKRecord.ID: Result<CKDatabase.RecordZoneChange.Modification, any Error>],
        deletions: [CKDatabase.RecordZoneChange.Deletion],
        changeToken: CKServerChangeToken, moreComing: Bool
    ) {
        try await recordZoneChangesAndLastBatch(
            inZoneWith: zoneID, since: changeToken, desiredKeys: desiredKeys, resultsLimit: resultsLimit
        ).page
    }
}

extension CKDatabase {
    /// Fetches the same page as `recordZoneChanges`, and the server's report on the last batch that this
    /// device saved in the zone.
    package func recordZoneChangesAndLastBatch(
        inZoneWith zoneID: CKRecordZone.ID,
        since changeToken: CKServerChangeToken?,
        desiredKeys: [CKRecord.FieldKey]? = nil,
        resultsLimit: Int? = nil
    ) async throws -> (
        page: (
            modificationResultsByID: [CKRecord.ID: Result<
                CKDatabase.RecordZoneChange.Modification, any Error
            >],
            deletions: [CKDatabase.RecordZoneChange.Deletion],
            changeToken: CKServerChangeToken, moreComing: Bool
        ),
        lastBatch: ClientChange?
    ) {
        let configuration = CKFetchRecordZoneChangesConfiguration(
            previousServerChangeToken: changeToken, resultsLimit: resultsLimit, desiredKeys: desiredKeys)
        let last = Locked<ClientChange?>(nil)
        let page = try await perform { completion in
            let operation = fetchingZone(zoneID, configuration, completion: completion)
            operation.lastBatchBlock = { found in last.withLock { $0 = found } }
            return operation
        }
        return (page, last.current)
    }

    /// Fetches one page of the records that were changed or deleted in a zone since a token, for a replica.
    /// Files are not downloaded.
    package func replicaPage(
        inZoneWith zoneID: CKRecordZone.ID, since changeToken: CKServerChangeToken?, resultsLimit: Int? = nil
    ) async throws -> ReplicaPage {
        let configuration = CKFetchRecordZoneChangesConfiguration(
            previousServerChangeToken: changeToken, resultsLimit: resultsLimit)
        let found = Locked<(plain: [String: PlainRecord], last: ClientChange?)>(([:], nil))
        let page = try await perform { completion in
            let operation = fetchingZone(zoneID, configuration, completion: completion)
            operation.plainRecordBlock = { record in found.withLock { $0.plain[record.name] = record } }
            operation.lastBatchBlock = { last in found.withLock { $0.last = last } }
            operation.wantsFile = { _ in false }
            return operation
        }
        let (plain, last) = found.current
        return ReplicaPage(
            plain: plain,
            others: page.modificationResultsByID.mapValues { $0.map(\.record) },
            deletions: page.deletions.map(\.recordID.recordName), changeToken: page.changeToken,
            moreComing: page.moreComing, lastBatch: last)
    }
}

extension CKDatabase {
    private func fetchingDatabase(
        _ token: CKServerChangeToken?,
        _ limit: Int?,
        completion: @escaping @Sendable (Result<DatabasePage, any Error>) -> Void
    ) -> CKFetchDatabaseChangesOperation {
        let operation = CKFetchDatabaseChangesOperation(previousServerChangeToken: token)
        let found = Locked<(changed: [DatabaseChange.Modification], gone: [DatabaseChange.Deletion])>(
            ([], []))
        operation.resultsLimit = limit ?? 0
        operation.fetchAllChanges = false
        operation.recordZoneWithIDChangedBlock = { id in
            found.withLock { $0.changed.append(.init(zoneID: id)) }
        }
        operation.deletionBlock = { deletion in found.withLock { $0.gone.append(deletion) } }
        operation.fetchDatabaseChangesResultBlock = { result in
            completion(
                result.map { end in
                    let (changed, gone) = found.current
                    return (changed, gone, end.serverChangeToken, end.moreComing)
                })
        }
        return operation
    }

    private func fetchingZone(
        _ zoneID: CKRecordZone.ID,
        _ configuration: CKFetchRecordZoneChangesConfiguration,
        completion: @escaping @Sendable (Result<ZonePage, any Error>) -> Void
    ) -> CKFetchRecordZoneChangesOperation {
        let operation = CKFetchRecordZoneChangesOperation(
            recordZoneIDs: [zoneID], configurationsByRecordZoneID: [zoneID: configuration])
        let page = Locked<Result<ZonePage, any Error>?>(nil)
        let found = Locked<
            (
                changed: [CKRecord.ID: Result<RecordZoneChange.Modification, any Error>],
                gone: [RecordZoneChange.Deletion]
            )
        >(([:], []))
        operation.fetchAllChanges = false
        operation.recordWasChangedBlock = { id, result in
            found.withLock { $0.changed[id] = result.map { RecordZoneChange.Modification(record: $0) } }
        }
        operation.recordWithIDWasDeletedBlock = { id, type in
            found.withLock { $0.gone.append(.init(recordID: id, recordType: type)) }
        }
        operation.recordZoneFetchResultBlock = { _, result in
            let (changed, gone) = found.current
            page.withLock {
                $0 = result.map { end in (changed, gone, end.serverChangeToken, end.moreComing) }
            }
        }
        operation.fetchRecordZoneChangesResultBlock = { result in
            completion(result.flatMap { page.current ?? .failure(CKError.noResult) })
        }
        return operation
    }
}
