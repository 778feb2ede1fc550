import Foundation

/// The result of each zone of a batch.
typealias ZoneModifyResults = (
    saveResults: [CKRecordZone.ID: Result<CKRecordZone, any Error>],
    deleteResults: [CKRecordZone.ID: Result<Void, any Error>]
)

extension CKDatabase {
    /// Fetches all zones of the database.
    @preconcurrency
    public func fetchAllRecordZones(
        completionHandler: @escaping @Sendable ([CKRecordZone]?, (any Error)?) -> Void
    ) {
        start(fetchingAllZones { Self.deliver($0, to: completionHandler) })
    }

    /// Fetches all zones of the database.
    public func allRecordZones() async throws -> [CKRecordZone] {
        try await perform { fetchingAllZones(completion: $0) }
    }

    /// Fetches one zone. It fails with `CKError.zoneNotFound` if the zone does not exist.
    @preconcurrency
    public func fetch(
        withRecordZoneID zoneID: CKRecordZone.ID,
        completionHandler: @escaping @Sendable (CKRecordZone?, (any Error)?) -> Void
    ) {
        start(fetching([zoneID]) { Self.deliver($0.single(zoneID), to: completionHandler) })
    }

    /// Fetches one zone.
    ///
    /// - Throws: `CKError.zoneNotFound` if the zone does not exist.
    @discardableResult
    public func recordZone(for zoneID: CKRecordZone.ID) async throws -> CKRecordZone {
        try await perform { completion in fetching([zoneID]) { completion($0.single(zoneID)) } }
    }

    /// Saves one zone; an existing zone is left unchanged. Zones can be saved in the private database only:
    /// elsewhere the call fails with `CKError.badDatabase`.
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
    /// - Throws: `CKError.badDatabase` outside the private database.
    @discardableResult
    public func save(_ zone: CKRecordZone) async throws -> CKRecordZone {
        let id = zone.zoneID
        return try await perform { completion in
            modifying([zone], []) { completion($0.map(\.saveResults).single(id)) }
        }
    }

    /// Deletes one zone and all records in it.
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
    @discardableResult
    public func deleteRecordZone(withID zoneID: CKRecordZone.ID) async throws -> CKRecordZone.ID {
        try await perform { completion in
            modifying([], [zoneID]) { completion($0.map(\.deleteResults).single(zoneID).map { zoneID }) }
        }
    }

    /// Fetches zones by ID. Each ID has its own result: the zone, or the error for this zone alone.
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
    public func recordZones(
        for ids: [CKRecordZone.ID]
    ) async throws -> [CKRecordZone.ID: Result<CKRecordZone, any Error>] {
        try await perform { fetching(ids, completion: $0) }
    }

    /// Saves and deletes zones. Each zone has its own result: the zone, or the error for this zone alone.
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
