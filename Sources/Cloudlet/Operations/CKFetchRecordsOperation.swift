import Foundation

/// Fetches records by ID, with all their fields or only some.
// Sendable because properties are set before the operation starts.
open class CKFetchRecordsOperation: CKDatabaseOperation, @unchecked Sendable {
    /// The records to fetch.
    open var recordIDs: [CKRecord.ID]?
    /// The fields wanted; nil: all, empty: none. Assets in other fields are not downloaded.
    public var desiredKeys: [CKRecord.FieldKey]?
    /// Hears how far a record is, from 0 to 1, at least once with 1 when it was fetched.
    open var perRecordProgressBlock: ((CKRecord.ID, Double) -> Void)?
    /// Hears what was found under each ID, unless `perRecordResultBlock` does.
    open var perRecordCompletionBlock: ((CKRecord?, CKRecord.ID?, (any Error)?) -> Void)?
    /// Hears of the end, with `.partialFailure` when items failed, unless `fetchRecordsResultBlock` does.
    open var fetchRecordsCompletionBlock: (([CKRecord.ID: CKRecord]?, (any Error)?) -> Void)?
    /// Hears what was found under each ID.
    public var perRecordResultBlock:
        ((_ recordID: CKRecord.ID, _ recordResult: Result<CKRecord, any Error>) -> Void)?
    /// Hears of the end; a success even when single records were not found.
    public var fetchRecordsResultBlock: ((_ operationResult: Result<Void, any Error>) -> Void)?

    private(set) var fetchesCurrentUser = false
    private let matches = Locked<[RecordMatch]>([])

    /// An operation with nothing to do yet.
    public required override init() {
        super.init()
    }

    /// Fetches these records.
    public convenience init(recordIDs: [CKRecord.ID]) {
        self.init()
        self.recordIDs = recordIDs
    }

    /// Fetches the record of whoever is signed in.
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
