import Foundation
package import Records

/// What became of each item of a batch of records.
typealias RecordModifyResults = (
    saveResults: [CKRecord.ID: Result<CKRecord, any Error>],
    deleteResults: [CKRecord.ID: Result<Void, any Error>]
)

extension CKDatabase {
    /// Fetches one record; `CKError.unknownItem` when there is none.
    @preconcurrency
    public func fetch(
        withRecordID recordID: CKRecord.ID,
        completionHandler: @escaping @Sendable (CKRecord?, (any Error)?) -> Void
    ) {
        start(fetching([recordID]) { Self.deliver($0.single(recordID), to: completionHandler) })
    }

    /// Fetches one record; throws `CKError.unknownItem` when there is none.
    @discardableResult
    public func record(for recordID: CKRecord.ID) async throws -> CKRecord {
        try await perform { completion in fetching([recordID]) { completion($0.single(recordID)) } }
    }

    /// Saves one record if the server's version is the one that was fetched, else
    /// `CKError.serverRecordChanged`.
    @preconcurrency
    public func save(
        _ record: CKRecord,
        completionHandler: @escaping @Sendable (CKRecord?, (any Error)?) -> Void
    ) {
        let id = record.recordID
        start(
            modifying([record], []) { Self.deliver($0.map(\.saveResults).single(id), to: completionHandler) })
    }

    /// Saves one record if the server's version is the one that was fetched; throws
    /// `CKError.serverRecordChanged` otherwise.
    @discardableResult
    public func save(_ record: CKRecord) async throws -> CKRecord {
        let id = record.recordID
        return try await perform { completion in
            modifying([record], []) { completion($0.map(\.saveResults).single(id)) }
        }
    }

    /// Deletes one record; one that does not exist counts as deleted.
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

    /// Deletes one record; one that does not exist counts as deleted.
    @discardableResult
    public func deleteRecord(withID recordID: CKRecord.ID) async throws -> CKRecord.ID {
        try await perform { completion in
            modifying([], [recordID]) {
                completion($0.map(\.deleteResults).single(recordID).map { recordID })
            }
        }
    }

    /// Fetches records by ID; what is wrong with single ones stands in their results.
    @preconcurrency
    public func fetch(
        withRecordIDs recordIDs: [CKRecord.ID],
        desiredKeys: [CKRecord.FieldKey]? = nil,
        completionHandler:
            @escaping @Sendable (Result<[CKRecord.ID: Result<CKRecord, any Error>], any Error>) -> Void
    ) {
        start(fetching(recordIDs, desiredKeys: desiredKeys, completion: completionHandler))
    }

    /// Fetches records by ID; what is wrong with single ones stands in their results.
    public func records(
        for ids: [CKRecord.ID],
        desiredKeys: [CKRecord.FieldKey]? = nil
    ) async throws -> [CKRecord.ID: Result<CKRecord, any Error>] {
        try await perform { fetching(ids, desiredKeys: desiredKeys, completion: $0) }
    }

    /// Saves and deletes records; what is wrong with single ones stands in their results.
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

    /// Saves and deletes records; what is wrong with single ones stands in their results.
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
    /// Saves and deletes records under the versions that were seen of them, each by itself: one that somebody
    /// changed since fails with `.serverRecordChanged`, a deletion, too. The framework's own deletions are
    /// done whatever the version.
    ///
    /// - Parameter name: What the device calls the batch, and records of it that are not among these.
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
    /// Hands a result to a completion handler of the older kind.
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
    /// The result for one item among those of several.
    func single<Key, Value>(_ key: Key) -> Result<Value, any Error>
    where Success == [Key: Result<Value, any Error>] {
        flatMap { results in
            results[key] ?? .failure(CKError.make(.internalError, "The server did not answer for this item."))
        }
    }
}
