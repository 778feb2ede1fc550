import Foundation

/// The result of each zone of a batch.
typealias ZoneModifyResults = (
    saveResults: [CKRecordZone.ID: Result<CKRecordZone, any Error>],
    deleteResults: [CKRecordZone.ID: Result<Void, any Error>]
)

extension CKDatabase {
    /// Fetches all zones of the database. In the shared database, the zones of an owner whose database cannot
    /// be read now are left out; `CKFetchRecordZonesOperation` reports their errors.
    ///
    /// Runs at `userInitiated`, because a person waits; see ``CKOperationConfiguration/qualityOfService``.
    @preconcurrency
    public func fetchAllRecordZones(
        completionHandler: @escaping @Sendable ([CKRecordZone]?, (any Error)?) -> Void
    ) {
        start(fetchingAllZones { Self.deliver($0, to: completionHandler) })
    }

    /// Fetches all zones of the database. In the shared database, the zones of an owner whose database cannot
    /// be read now are left out; `CKFetchRecordZonesOperation` reports their errors.
    ///
    /// Runs at `userInitiated`, because a person waits; see ``CKOperationConfiguration/qualityOfService``.
    public func allRecordZones() async throws -> [CKRecordZone] {
        try await perform { fetchingAllZones(completion: $0) }
    }

    /// Fetches one zone. It fails with `CKError.zoneNotFound` if the zone does not exist.
    ///
    /// Runs at `userInitiated`, because a person waits; see ``CKOperationConfiguration/qualityOfService``.
    @preconcurrency
    public func fetch(
        withRecordZoneID zoneID: CKRecordZone.ID,
        completionHandler: @escaping @Sendable (CKRecordZone?, (any Error)?) -> Void
    ) {
        start(fetching([zoneID]) { Self.deliver($0.single(zoneID), to: completionHandler) })
    }

    /// Fetches one zone.
    ///
    /// Runs at `userInitiated`, because a person waits; see ``CKOperationConfiguration/qualityOfService``.
    ///
    /// - Throws: `CKError.zoneNotFound` if the zone does not exist.
    @discardableResult
    public func recordZone(for zoneID: CKRecordZone.ID) async throws -> CKRecordZone {
        try await perform { completion in fetching([zoneID]) { completion($0.single(zoneID)) } }
    }

    /// Saves one zone; an existing zone is left unchanged. Zones can be saved in the private database only:
    /// elsewhere the call fails with `CKError.badDatabase`.
    ///
    /// Runs at `userInitiated`, because a person waits; see ``CKOperationConfiguration/qualityOfService``.
    @preconcurrency
    public func save(
        _ zone: CKRecordZone,
        completionHandler: @escaping @Sendable (CKRecordZone?, (any Error)?) -> Void
    ) {
        let id = zone.zoneID
        start(modifying([zone], []) { Self.deliver($0.map(\.saveResults).single(id), to: completionHandler) })
    }

    /// Saves one zone; an existing zone is left unchanged.
    ///
    /// Runs at `userInitiated`, because a person waits; see ``CKOperationConfiguration/qualityOfService``.
    ///
    /// - Throws: `CKError.badDatabase` outside the private database.
    @discardableResult
    public func save(_ zone: CKRecordZone) async throws -> CKRecordZone {
        let id = zone.zoneID
        return try await perform { completion in
            modifying([zone], []) { completion($0.map(\.saveResults).single(id)) }
        }
    }

    /// Deletes one zone and all records in it.
    ///
    /// Runs at `userInitiated`, because a person waits; see ``CKOperationConfiguration/qualityOfService``.
    @preconcurrency
    public func delete(
        withRecordZoneID zoneID: CKRecordZone.ID,
        completionHandler: @escaping @Sendable (CKRecordZone.ID?, (any Error)?) -> Void
    ) {
        start(
            modifying([], [zoneID]) { result in
                Self.deliver(result.map(\.deleteResults).single(zoneID).map { zoneID }, to: completionHandler)
            })
    }

    /// Deletes one zone and all records in it.
    ///
    /// Runs at `userInitiated`, because a person waits; see ``CKOperationConfiguration/qualityOfService``.
    @discardableResult
    public func deleteRecordZone(withID zoneID: CKRecordZone.ID) async throws -> CKRecordZone.ID {
        try await perform { completion in
            modifying([], [zoneID]) { completion($0.map(\.deleteResults).single(zoneID).map { zoneID }) }
        }
    }

    /// Fetches zones by ID. Each ID has its own result: the zone, or the error for this zone alone.
    ///
    /// Runs at `userInitiated`, because a person waits; see ``CKOperationConfiguration/qualityOfService``.
    @preconcurrency
    public func fetch(
        withRecordZoneIDs zoneIDs: [CKRecordZone.ID],
        completionHandler:
            @escaping @Sendable (Result<[CKRecordZone.ID: Result<CKRecordZone, any Error>], any Error>) ->
            Void
    ) {
        start(fetching(zoneIDs, completion: completionHandler))
    }

    /// Fetches zones by ID. Each ID has its own result: the zone, or the error for this zone alone.
    ///
    /// Runs at `userInitiated`, because a person waits; see ``CKOperationConfiguration/qualityOfService``.
    public func recordZones(
        for ids: [CKRecordZone.ID]
    ) async throws -> [CKRecordZone.ID: Result<CKRecordZone, any Error>] {
        try await perform { fetching(ids, completion: $0) }
    }

    /// Saves and deletes zones. Each zone has its own result: the zone, or the error for this zone alone.
    ///
    /// Runs at `userInitiated`, because a person waits; see ``CKOperationConfiguration/qualityOfService``.
    @preconcurrency
    public func modifyRecordZones(
        saving recordZonesToSave: [CKRecordZone],
        deleting recordZoneIDsToDelete: [CKRecordZone.ID],
        completionHandler:
            @escaping @Sendable (
                Result<
                    (
                        saveResults: [CKRecordZone.ID: Result<CKRecordZone, any Error>],
                        deleteResults: [CKRecordZone.ID: Result<Void, any Error>]
                    ), any Error
                >
            ) -> Void
    ) {
        start(modifying(recordZonesToSave, recordZoneIDsToDelete, completion: completionHandler))
    }

    /// Saves and deletes zones. Each zone has its own result: the zone, or the error for this zone alone.
    ///
    /// Runs at `userInitiated`, because a person waits; see ``CKOperationConfiguration/qualityOfService``.
    public func modifyRecordZones(
        saving recordZonesToSave: [CKRecordZone],
        deleting recordZoneIDsToDelete: [CKRecordZone.ID]
    ) async throws -> (
        saveResults: [CKRecordZone.ID: Result<CKRecordZone, any Error>],
        deleteResults: [CKRecordZone.ID: Result<Void, any Error>]
    ) {
        try await perform { modifying(recordZonesToSave, recordZoneIDsToDelete, completion: $0) }
    }
}

extension CKDatabase {
    private func fetchingAllZones(
        completion: @escaping @Sendable (Result<[CKRecordZone], any Error>) -> Void
    ) -> CKFetchRecordZonesOperation {
        let operation = CKFetchRecordZonesOperation.fetchAllRecordZonesOperation()
        let found = Locked<[CKRecordZone]>([])
        operation.perRecordZoneResultBlock = { _, result in
            if case .success(let zone) = result { found.withLock { $0.append(zone) } }
        }
        operation.fetchRecordZonesResultBlock = { result in completion(result.map { found.current }) }
        return operation
    }

    private func fetching(
        _ ids: [CKRecordZone.ID],
        completion:
            @escaping @Sendable (Result<[CKRecordZone.ID: Result<CKRecordZone, any Error>], any Error>) ->
            Void
    ) -> CKFetchRecordZonesOperation {
        let operation = CKFetchRecordZonesOperation(recordZoneIDs: ids)
        let found = Locked<[CKRecordZone.ID: Result<CKRecordZone, any Error>]>([:])
        operation.perRecordZoneResultBlock = { id, result in found.withLock { $0[id] = result } }
        operation.fetchRecordZonesResultBlock = { result in completion(result.map { found.current }) }
        return operation
    }

    private func modifying(
        _ zones: [CKRecordZone],
        _ deletions: [CKRecordZone.ID],
        completion: @escaping @Sendable (Result<ZoneModifyResults, any Error>) -> Void
    ) -> CKModifyRecordZonesOperation {
        let operation = CKModifyRecordZonesOperation(
            recordZonesToSave: zones, recordZoneIDsToDelete: deletions)
        let results = Locked<ZoneModifyResults>((saveResults: [:], deleteResults: [:]))
        operation.perRecordZoneSaveBlock = { id, result in results.withLock { $0.saveResults[id] = result } }
        operation.perRecordZoneDeleteBlock = { id, result in
            results.withLock { $0.deleteResults[id] = result }
        }
        operation.modifyRecordZonesResultBlock = { result in completion(result.map { results.current }) }
        return operation
    }
}
