import Foundation

/// Fetches one page of the records that match a query.
///
/// To go on, make another operation with the cursor of the result; a nil cursor is the end.
// Sendable because properties are set before the operation starts.
open class CKQueryOperation: CKDatabaseOperation, @unchecked Sendable {
    /// Where to go on with a query.
    public typealias Cursor = CKQueryCursor

    /// The limit that leaves the size of a page to the server.
    public static let maximumResults: Int = 0

    /// The query to ask.
    open var query: CKQuery?
    /// Where to go on; counts more than `query`.
    open var cursor: CKQueryOperation.Cursor?
    /// The zone to look in; nil: all zones of the private database. A cursor brings its own.
    open var zoneID: CKRecordZone.ID?
    /// At most so many records.
    open var resultsLimit: Int = CKQueryOperation.maximumResults
    /// The fields wanted; nil: all, empty: none. Assets in other fields are not downloaded.
    public var desiredKeys: [CKRecord.FieldKey]?
    /// Hears of each record found, in order, unless `recordMatchedBlock` does.
    open var recordFetchedBlock: ((CKRecord) -> Void)?
    /// Hears of the end, unless `queryResultBlock` does.
    open var queryCompletionBlock: ((CKQueryOperation.Cursor?, (any Error)?) -> Void)?
    /// Hears of each record found, in order.
    public var recordMatchedBlock:
        ((_ recordID: CKRecord.ID, _ recordResult: Result<CKRecord, any Error>) -> Void)?
    /// Hears of the end, with the cursor of the next page.
    public var queryResultBlock: ((_ operationResult: Result<CKQueryOperation.Cursor?, any Error>) -> Void)?

    /// An operation with nothing to do yet.
    public override init() {
        super.init()
    }

    /// Asks the first page of a query.
    public convenience init(query: CKQuery) {
        self.init()
        self.query = query
    }

    /// Asks the next page of a query.
    public convenience init(cursor: CKQueryOperation.Cursor) {
        self.init()
        self.cursor = cursor
    }

    override func perform() async {
        let result: Result<CKQueryCursor?, any Error>
        var errors: [CKRecord.ID: any Error] = [:]
        do {
            try Task.checkCancellation()
            let (matches, next) = try await page()
            for (id, match) in matches { errors[id] = match.error }
            await call { self.report(matches) }
            result = .success(next)
        } catch {
            result = .failure(CKError(failure: error))
        }
        await call { [errors] in self.complete(result, errors) }
    }

    private func page() async throws -> (matches: [RecordMatch], cursor: CKQueryCursor?) {
        guard let query = cursor?.query ?? query else {
            throw CKError.invalidArguments("A query operation needs a query or a cursor.")
        }
        return try await client.query(
            query,
            zoneID: cursor.map(\.zoneID) ?? zoneID,
            after: cursor,
            desiredKeys: desiredKeys,
            limit: resultsLimit
        )
    }

    private func report(_ matches: [RecordMatch]) {
        for (id, result) in matches {
            if let recordMatchedBlock {
                recordMatchedBlock(id, result)
            } else if let record = result.value {
                recordFetchedBlock?(record)
            }
        }
    }

    private func complete(_ result: Result<CKQueryCursor?, any Error>, _ errors: [CKRecord.ID: any Error]) {
        if let queryResultBlock {
            queryResultBlock(result)
            return
        }
        let partial: CKError? = errors.isEmpty ? nil : .partialFailure(errors)
        queryCompletionBlock?(result.value ?? nil, result.error ?? partial)
    }
}
