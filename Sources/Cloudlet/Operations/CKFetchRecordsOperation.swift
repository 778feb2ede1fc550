import Foundation

/// Fetches records by ID, with all or some of their fields.
///
/// Its quality of service is `.default` unless the app sets another. One of Apple's talks names `.utility`
/// instead; ``CKOperationConfiguration/qualityOfService`` says why it is not the default here.
///
/// Apple's page: <https://developer.apple.com/documentation/cloudkit/ckfetchrecordsoperation>.
// Sendable because properties are set before the operation starts.
open class CKFetchRecordsOperation: CKDatabaseOperation, @unchecked Sendable {
    /// The records to fetch.
    open var recordIDs: [CKRecord.ID]?
    /// The names of the fields to fetch: nil fetches all fields, an empty array fetches none. Assets in other
    /// fields are not downloaded.
    public var desiredKeys: [CKRecord.FieldKey]?
    /// Called with the progress of a record's download, from 0 to 1. Every fetched record is reported with 1
    /// at the end.
    open var perRecordProgressBlock: ((CKRecord.ID, Double) -> Void)?
    /// Called once for each record, with the record or the error, unless `perRecordResultBlock` is set.
    open var perRecordCompletionBlock: ((CKRecord?, CKRecord.ID?, (any Error)?) -> Void)?
    /// Called once, when the operation ends, unless `fetchRecordsResultBlock` is set. The error is
    /// `.partialFailure` if records failed.
    open var fetchRecordsCompletionBlock: (([CKRecord.ID: CKRecord]?, (any Error)?) -> Void)?
    /// Called once for each ID, with the record or the error.
    public var perRecordResultBlock:
        ((_ recordID: CKRecord.ID, _ recordResult: Result<CKRecord, any Error>) -> Void)?
    /// Called once, when the operation ends. It is a success even if some records were not found.
    public var fetchRecordsResultBlock: ((_ operationResult: Result<Void, any Error>) -> Void)?

    private(set) var fetchesCurrentUser = false
    private let matches = Locked<[RecordMatch]>([])

    /// Creates an operation without input: set its properties before you add it to a database or container.
    public required override init() {
        super.init()
    }

    /// Creates an operation that fetches these records.
    public convenience init(recordIDs: [CKRecord.ID]) {
        self.init()
        self.recordIDs = recordIDs
    }

    /// Creates an operation that fetches the user record of the signed-in person.
    open class func fetchCurrentUserRecordOperation() -> Self {
        let operation = self.init()
        operation.fetchesCurrentUser = true
        return operation
    }

    override func perform() async {
        var failure: CKError?
        do {
            try Task.checkCancellation()
            let client = client
            let ids = fetchesCurrentUser ? [try await client.userRecordID()] : recordIDs ?? []
            try await client.fetch(ids, desiredKeys: desiredKeys) { id, fraction in
                // 1 is reported together with the record.
                self.callLater { self.perRecordProgressBlock?(id, min(fraction, 0.99)) }
            } report: { matches in
                await self.call { self.report(matches) }
            }
        } catch {
            failure = CKError(failure: error)
        }
        await call { [failure] in self.complete(failure) }
    }

    private func report(_ items: [RecordMatch]) {
        matches.withLock { $0 += items }
        for (id, result) in items {
            if case .success = result { perRecordProgressBlock?(id, 1) }
            if let perRecordResultBlock {
                perRecordResultBlock(id, result)
            } else {
                perRecordCompletionBlock?(result.value, id, result.error)
            }
        }
    }

    private func complete(_ failure: CKError?) {
        if let fetchRecordsResultBlock {
            fetchRecordsResultBlock(failure.map { .failure($0) } ?? .success(()))
            return
        }
        guard let fetchRecordsCompletionBlock else { return }
        var records: [CKRecord.ID: CKRecord] = [:]
        var errors: [CKRecord.ID: any Error] = [:]
        for (id, result) in matches.current {
            records[id] = result.value
            errors[id] = result.error
        }
        fetchRecordsCompletionBlock(records, failure ?? (errors.isEmpty ? nil : .partialFailure(errors)))
    }
}
