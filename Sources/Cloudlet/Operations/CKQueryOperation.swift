import Foundation

/// Fetches one page of the records that match a query.
///
/// For the next page, create another operation with the cursor from the result. A nil cursor means that there
/// are no more pages.
///
/// Its quality of service is `.default` unless the app sets another. One of Apple's talks names `.utility`
/// instead; ``CKOperationConfiguration/qualityOfService`` says why it is not the default here.
///
/// Apple's page: <https://developer.apple.com/documentation/cloudkit/ckqueryoperation>.
// Sendable because properties are set before the operation starts.
open class CKQueryOperation: CKDatabaseOperation, @unchecked Sendable {
    /// The position after a page of results.
    public typealias Cursor = CKQueryCursor

    /// The value for `resultsLimit` that lets the server decide the size of a page.
    public static let maximumResults: Int = 0

    /// The query to run.
    open var query: CKQuery?
    /// The cursor of the page to fetch. It takes precedence over `query`.
    open var cursor: CKQueryOperation.Cursor?
    /// The zone to query. Nil queries all zones of the private database, or the default zone of the public
    /// database; the shared database requires a zone. The zone of a cursor takes precedence.
    open var zoneID: CKRecordZone.ID?
    /// The maximum number of records per page; by default the server decides.
    open var resultsLimit: Int = CKQueryOperation.maximumResults
    /// The names of the fields to fetch: nil fetches all fields, an empty array fetches none. Assets in other
    /// fields are not downloaded.
    public var desiredKeys: [CKRecord.FieldKey]?
    /// Called for each record in order, unless `recordMatchedBlock` is set.
    open var recordFetchedBlock: ((CKRecord) -> Void)?
    /// Called once, when the operation ends, unless `queryResultBlock` is set.
    open var queryCompletionBlock: ((CKQueryOperation.Cursor?, (any Error)?) -> Void)?
    /// Called for each record in order; with a failure, for example, if its assets cannot be downloaded.
    public var recordMatchedBlock:
        ((_ recordID: CKRecord.ID, _ recordResult: Result<CKRecord, any Error>) -> Void)?
    /// Called once, when the operation ends, with the cursor of the next page.
    public var queryResultBlock: ((_ operationResult: Result<CKQueryOperation.Cursor?, any Error>) -> Void)?

    /// Creates an operation without input: set its properties before you add it to a database or container.
    public override init() {
        super.init()
    }

    /// Creates an operation that fetches the first page of a query.
    public convenience init(query: CKQuery) {
        self.init()
        self.query = query
    }

    /// Creates an operation that fetches the next page of a query.
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
