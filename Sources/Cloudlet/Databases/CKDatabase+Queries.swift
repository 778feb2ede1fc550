import Foundation

/// A page of a query's results, and the cursor of the next page.
typealias QueryMatches = (
    matchResults: [(CKRecord.ID, Result<CKRecord, any Error>)],
    queryCursor: CKQueryOperation.Cursor?
)

extension CKDatabase {
    /// Fetches the first page of a query. This method is from before pages had cursors.
    ///
    /// Runs at `userInitiated`, because a person waits; see ``CKOperationConfiguration/qualityOfService``.
    @available(*, deprecated, message: "Use fetch(withQuery:inZoneWith:…), which returns a cursor.")
    @preconcurrency
    public func perform(
        _ query: CKQuery,
        inZoneWith zoneID: CKRecordZone.ID?,
        completionHandler: @escaping @Sendable ([CKRecord]?, (any Error)?) -> Void
    ) {
        start(
            querying(CKQueryOperation(query: query), zoneID) { result in
                Self.deliver(result.map { $0.matchResults.compactMap(\.1.value) }, to: completionHandler)
            })
    }

    /// Fetches the first page of a query. This method is from before pages had cursors.
    ///
    /// Runs at `userInitiated`, because a person waits; see ``CKOperationConfiguration/qualityOfService``.
    @available(*, deprecated, message: "Use the form that returns a cursor.")
    public func records(
        matching query: CKQuery,
        inZoneWith zoneID: CKRecordZone.ID?
    ) async throws -> [CKRecord] {
        let page: QueryMatches = try await perform { completion in
            querying(CKQueryOperation(query: query), zoneID, completion: completion)
        }
        return page.matchResults.compactMap(\.1.value)
    }

    /// Fetches the first page of a query, in the order of the sort descriptors. The page has at most
    /// `resultsLimit` records; by default the server decides. A nil cursor means that there are no more
    /// pages.
    ///
    /// Runs at `userInitiated`, because a person waits; see ``CKOperationConfiguration/qualityOfService``.
    @preconcurrency
    public func fetch(
        withQuery query: CKQuery,
        inZoneWith zoneID: CKRecordZone.ID? = nil,
        desiredKeys: [CKRecord.FieldKey]? = nil,
        resultsLimit: Int = CKQueryOperation.maximumResults,
        completionHandler:
            @escaping @Sendable (
                Result<
                    (
                        matchResults: [(CKRecord.ID, Result<CKRecord, any Error>)],
                        queryCursor: CKQueryOperation.Cursor?
                    ), any Error
                >
            ) -> Void
    ) {
        let operation = CKQueryOperation(query: query)
        start(querying(operation, zoneID, desiredKeys, resultsLimit, completion: completionHandler))
    }

    /// Fetches the next page of a query's results, starting at the cursor.
    ///
    /// Runs at `userInitiated`, because a person waits; see ``CKOperationConfiguration/qualityOfService``.
    @preconcurrency
    public func fetch(
        withCursor queryCursor: CKQueryOperation.Cursor,
        desiredKeys: [CKRecord.FieldKey]? = nil,
        resultsLimit: Int = CKQueryOperation.maximumResults,
        completionHandler:
            @escaping @Sendable (
                Result<
                    (
                        matchResults: [(CKRecord.ID, Result<CKRecord, any Error>)],
                        queryCursor: CKQueryOperation.Cursor?
                    ), any Error
                >
            ) -> Void
    ) {
        let operation = CKQueryOperation(cursor: queryCursor)
        start(querying(operation, nil, desiredKeys, resultsLimit, completion: completionHandler))
    }

    /// Fetches the first page of a query, in the order of the sort descriptors. The page has at most
    /// `resultsLimit` records; by default the server decides. A nil cursor means that there are no more
    /// pages.
    ///
    /// Runs at `userInitiated`, because a person waits; see ``CKOperationConfiguration/qualityOfService``.
    ///
    /// - Throws: `CKError.invalidArguments` if the server does not support the predicate; the text says what
    ///   to write instead.
    public func records(
        matching query: CKQuery,
        inZoneWith zoneID: CKRecordZone.ID? = nil,
        desiredKeys: [CKRecord.FieldKey]? = nil,
        resultsLimit: Int = CKQueryOperation.maximumResults
    ) async throws -> (
        matchResults: [(CKRecord.ID, Result<CKRecord, any Error>)],
        queryCursor: CKQueryOperation.Cursor?
    ) {
        try await perform { completion in
            querying(
                CKQueryOperation(query: query), zoneID, desiredKeys, resultsLimit, completion: completion)
        }
    }

    /// Fetches the next page of a query's results, starting at the cursor.
    ///
    /// Runs at `userInitiated`, because a person waits; see ``CKOperationConfiguration/qualityOfService``.
    public func records(
        continuingMatchFrom queryCursor: CKQueryOperation.Cursor,
        desiredKeys: [CKRecord.FieldKey]? = nil,
        resultsLimit: Int = CKQueryOperation.maximumResults
    ) async throws -> (
        matchResults: [(CKRecord.ID, Result<CKRecord, any Error>)],
        queryCursor: CKQueryOperation.Cursor?
    ) {
        try await perform { completion in
            querying(
                CKQueryOperation(cursor: queryCursor), nil, desiredKeys, resultsLimit, completion: completion)
        }
    }

    private func querying(
        _ operation: CKQueryOperation,
        _ zoneID: CKRecordZone.ID?,
        _ desiredKeys: [CKRecord.FieldKey]? = nil,
        _ resultsLimit: Int = CKQueryOperation.maximumResults,
        completion: @escaping @Sendable (Result<QueryMatches, any Error>) -> Void
    ) -> CKQueryOperation {
        let found = Locked<[(CKRecord.ID, Result<CKRecord, any Error>)]>([])
        operation.zoneID = zoneID
        operation.desiredKeys = desiredKeys
        operation.resultsLimit = resultsLimit
        operation.recordMatchedBlock = { id, result in found.withLock { $0.append((id, result)) } }
        operation.queryResultBlock = { result in
            completion(result.map { (matchResults: found.current, queryCursor: $0) })
        }
        return operation
    }
}
