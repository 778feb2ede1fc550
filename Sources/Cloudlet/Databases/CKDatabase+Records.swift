import Foundation
package import Records

/// The result of each record of a batch.
typealias RecordModifyResults = (
    saveResults: [CKRecord.ID: Result<CKRecord, any Error>],
    deleteResults: [CKRecord.ID: Result<Void, any Error>]
)

extension CKDatabase {
    /// Fetches one record. It fails with `CKError.unknownItem` if the record does not exist.
    ///
    /// Runs at `userInitiated`, because a person waits; see ``CKOperationConfiguration/qualityOfService``.
    @preconcurrency
    public func fetch(
        withRecordID recordID: CKRecord.ID,
        completionHandler: @escaping @Sendable (CKRecord?, (any Error)?) -> Void
    ) {
        start(fetching([recordID]) { Self.deliver($0.single(recordID), to: completionHandler) })
    }

    /// Fetches one record.
    ///
    /// Runs at `userInitiated`, because a person waits; see ``CKOperationConfiguration/qualityOfService``.
    ///
    /// - Throws: `CKError.unknownItem` if the record does not exist.
    @discardableResult
    public func record(for recordID: CKRecord.ID) async throws -> CKRecord {
        try await perform { completion in fetching([recordID]) { completion($0.single(recordID)) } }
    }

    /// Saves one record if nobody changed it on the server since it was fetched. Otherwise it fails with
    /// `CKError.serverRecordChanged`.
    ///
    /// Runs at `userInitiated`, because a person waits; see ``CKOperationConfiguration/qualityOfService``.
    @preconcurrency
    public func save(
        _ record: CKRecord,
        completionHandler: @escaping @Sendable (CKRecord?, (any Error)?) -> Void
    ) {
        let id = record.recordID
        start(
            modifying([record], []) { Self.deliver($0.map(\.saveResults).single(id), to: completionHandler) })
    }

    /// Saves one record if nobody changed it on the server since it was fetched.
    ///
    /// Runs at `userInitiated`, because a person waits; see ``CKOperationConfiguration/qualityOfService``.
    ///
    /// - Throws: `CKError.serverRecordChanged` if the server has another version; the error's `serverRecord`
    ///   is that version.
    @discardableResult
    public func save(_ record: CKRecord) async throws -> CKRecord {
        let id = record.recordID
        return try await perform { completion in
            modifying([record], []) { completion($0.map(\.saveResults).single(id)) }
        }
    }

    /// Deletes one record. Deleting a record that does not exist succeeds.
    ///
    /// Runs at `userInitiated`, because a person waits; see ``CKOperationConfiguration/qualityOfService``.
    @preconcurrency
    public func delete(
        withRecordID recordID: CKRecord.ID,
        completionHandler: @escaping @Sendable (CKRecord.ID?, (any Error)?) -> Void
    ) {
        start(
            modifying([], [recordID]) { result in
                let own = result.map(\.deleteResults).single(recordID).map { recordID }
                Self.deliver(own, to: completionHandler)
            })
    }

    /// Deletes one record. Deleting a record that does not exist succeeds.
    ///
    /// Runs at `userInitiated`, because a person waits; see ``CKOperationConfiguration/qualityOfService``.
    @discardableResult
    public func deleteRecord(withID recordID: CKRecord.ID) async throws -> CKRecord.ID {
        try await perform { completion in
            modifying([], [recordID]) {
                completion($0.map(\.deleteResults).single(recordID).map { recordID })
            }
        }
    }

    /// Fetches records by ID. Each ID has its own result: the record, or the error for this record alone.
    ///
    /// Runs at `userInitiated`, because a person waits; see ``CKOperationConfiguration/qualityOfService``.
    @preconcurrency
    public func fetch(
        withRecordIDs recordIDs: [CKRecord.ID],
        desiredKeys: [CKRecord.FieldKey]? = nil,
        completionHandler:
            @escaping @Sendable (Result<[CKRecord.ID: Result<CKRecord, any Error>], any Error>) -> Void
    ) {
        start(fetching(recordIDs, desiredKeys: desiredKeys, completion: completionHandler))
    }

    /// Fetches records by ID. Each ID has its own result: the record, or the error for this record alone.
    ///
    /// Runs at `userInitiated`, because a person waits; see ``CKOperationConfiguration/qualityOfService``.
    public func records(
        for ids: [CKRecord.ID],
        desiredKeys: [CKRecord.FieldKey]? = nil
    ) async throws -> [CKRecord.ID: Result<CKRecord, any Error>] {
        try await perform { fetching(ids, desiredKeys: desiredKeys, completion: $0) }
    }

    /// Saves and deletes records. Each record has its own result: the saved record, or the error for this
    /// record alone.
    ///
    /// Runs at `userInitiated`, because a person waits; see ``CKOperationConfiguration/qualityOfService``.
    @preconcurrency
    public func modifyRecords(
        saving recordsToSave: [CKRecord],
        deleting recordIDsToDelete: [CKRecord.ID],
        savePolicy: CKModifyRecordsOperation.RecordSavePolicy = .ifServerRecordUnchanged,
        atomically: Bool = true,
        completionHandler:
            @escaping @Sendable (
                Result<
                    (
                        saveResults: [CKRecord.ID: Result<CKRecord, any Error>],
                        deleteResults: [CKRecord.ID: Result<Void, any Error>]
                    ), any Error
                >
            ) -> Void
    ) {
        start(
            modifying(
                recordsToSave, recordIDsToDelete, savePolicy, atomically: atomically,
                completion: completionHandler
            ))
    }

    /// Saves and deletes records. Each record has its own result: the saved record, or the error for this
    /// record alone.
    ///
    /// Runs at `userInitiated`, because a person waits; see ``CKOperationConfiguration/qualityOfService``.
    public func modifyRecords(
        saving recordsToSave: [CKRecord],
        deleting recordIDsToDelete: [CKRecord.ID],
        savePolicy: CKModifyRecordsOperation.RecordSavePolicy = .ifServerRecordUnchanged,
        atomically: Bool = true
    ) async throws -> (
        saveResults: [CKRecord.ID: Result<CKRecord, any Error>],
        deleteResults: [CKRecord.ID: Result<Void, any Error>]
    ) {
        try await perform { completion in
            modifying(
                recordsToSave, recordIDsToDelete, savePolicy, atomically: atomically, completion: completion)
        }
    }
}

extension CKDatabase {
    /// Fetches records by ID, and downloads only the assets for which `wantsFile` returns true. The others
    /// have no file.
    package func records(
        for ids: [CKRecord.ID], wantsFile: @escaping @Sendable (Asset) -> Bool
    ) async throws -> [CKRecord.ID: Result<CKRecord, any Error>] {
        try await perform { completion in
            let operation = fetching(ids, completion: completion)
            operation.wantsFile = wantsFile
            return operation
        }
    }

    /// Saves and deletes records, each only if the server still has the version that this device knows. An
    /// item that somebody changed fails alone with `.serverRecordChanged`. This holds for deletions too,
    /// whereas CloudKit's own deletions ignore the version.
    ///
    /// - Parameters:
    ///   - tags: The records to delete, each with the change tag that this device knows.
    ///   - name: The device's token for the batch, and further records of the batch that are not saved or
    ///     deleted.
    package func modifyUnchangedRecords(
        saving recordsToSave: [CKRecord], deleting tags: [CKRecord.ID: String], name: ClientChange? = nil
    ) async throws -> (
        saveResults: [CKRecord.ID: Result<CKRecord, any Error>],
        deleteResults: [CKRecord.ID: Result<Void, any Error>]
    ) {
        try await perform { completion in
            let operation = modifying(
                recordsToSave, Array(tags.keys), atomically: false, completion: completion)
            operation.deletionTags = tags
            operation.batchName = name
            return operation
        }
    }
}

extension CKDatabase {
    /// Passes a result to a completion handler that takes an optional value and an optional error.
    static func deliver<Value>(
        _ result: Result<Value, any Error>,
        to completionHandler: (Value?, (any Error)?) -> Void
    ) {
        completionHandler(result.value, result.error)
    }

    private func fetching(
        _ ids: [CKRecord.ID],
        desiredKeys: [CKRecord.FieldKey]? = nil,
        completion:
            @escaping @Sendable (Result<[CKRecord.ID: Result<CKRecord, any Error>], any Error>) -> Void
    ) -> CKFetchRecordsOperation {
        let operation = CKFetchRecordsOperation(recordIDs: ids)
        let found = Locked<[CKRecord.ID: Result<CKRecord, any Error>]>([:])
        operation.desiredKeys = desiredKeys
        operation.perRecordResultBlock = { id, result in found.withLock { $0[id] = result } }
        operation.fetchRecordsResultBlock = { result in completion(result.map { found.current }) }
        return operation
    }

    private func modifying(
        _ records: [CKRecord],
        _ deletions: [CKRecord.ID],
        _ policy: CKModifyRecordsOperation.RecordSavePolicy = .ifServerRecordUnchanged,
        atomically: Bool = true,
        completion: @escaping @Sendable (Result<RecordModifyResults, any Error>) -> Void
    ) -> CKModifyRecordsOperation {
        let operation = CKModifyRecordsOperation(recordsToSave: records, recordIDsToDelete: deletions)
        let results = Locked<RecordModifyResults>((saveResults: [:], deleteResults: [:]))
        operation.savePolicy = policy
        operation.isAtomic = atomically
        operation.perRecordSaveBlock = { id, result in results.withLock { $0.saveResults[id] = result } }
        operation.perRecordDeleteBlock = { id, result in results.withLock { $0.deleteResults[id] = result } }
        operation.modifyRecordsResultBlock = { result in completion(result.map { results.current }) }
        return operation
    }
}

extension Result where Failure == any Error {
    /// The result for one item from a dictionary of results; `.internalError` if the item is absent.
    func single<Key, Value>(_ key: Key) -> Result<Value, any Error>
    where Success == [Key: Result<Value, any Error>] {
        flatMap { $0[key] ?? .failure(CKError.noResult) }
    }
}
