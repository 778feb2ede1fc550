import Foundation

/// Fetches one page of what changed in one zone; `CKFetchRecordZoneChangesOperation` with fewer choices (API
/// sheet 15; talk 2, "Delta download"). Tokens of either are good for the other.
// Sendable because properties are set before the operation starts, and what it finds lies behind a lock.
@available(*, deprecated, message: "Use CKFetchRecordZoneChangesOperation.")
open class CKFetchRecordChangesOperation: CKDatabaseOperation, @unchecked Sendable {
    /// The zone to fetch.
    open var recordZoneID: CKRecordZone.ID?
    /// The token of the last fetch; nil: from the beginning.
    open var previousServerChangeToken: CKServerChangeToken?
    /// At most so many changes; 0 leaves it to the server.
    open var resultsLimit: Int = 0
    /// The fields wanted; nil: all, empty: none.
    open var desiredKeys: [CKRecord.FieldKey]?
    /// Hears of each record that changed.
    open var recordChangedBlock: ((CKRecord) -> Void)?
    /// Hears of each record that was deleted.
    open var recordWithIDWasDeletedBlock: ((CKRecord.ID) -> Void)?
    /// Hears of the end.
    open var fetchRecordChangesCompletionBlock: ((CKServerChangeToken?, Data?, (any Error)?) -> Void)?

    private let last = Locked<ZoneChanges?>(nil)

    /// An operation with nothing to do yet.
    public override init() {
        super.init()
    }

    /// Fetches what changed in that zone since that token.
    public convenience init(recordZoneID: CKRecordZone.ID, previousServerChangeToken: CKServerChangeToken?) {
        self.init()
        self.recordZoneID = recordZoneID
        self.previousServerChangeToken = previousServerChangeToken
    }

    /// Whether the zone has more changes; known when `fetchRecordChangesCompletionBlock` is called.
    open var moreComing: Bool {
        if case .finished(_, let moreComing)? = last.current?.end { moreComing } else { false }
    }

    override func perform() async {
        var failure: CKError?
        do {
            try Task.checkCancellation()
            guard let recordZoneID else {
                throw CKError.invalidArguments("An operation that fetches record changes needs a zone.")
            }
            let wishes = CKFetchRecordZoneChangesConfiguration(
                previousServerChangeToken: previousServerChangeToken, resultsLimit: resultsLimit,
                desiredKeys: desiredKeys)
            try await client.changes.recordChanges([.init(recordZoneID, wishes)], fetchesAll: false) { page in
                await self.call { self.report(page) }
            }
        } catch {
            failure = CKError(failure: error)
        }
        await call { [failure] in self.complete(failure) }
    }

    private func report(_ page: ZoneChanges) {
        last.withLock { $0 = page }
        for change in page.changes {
            switch change {
            case .changed(_, let result): if let record = result.value { recordChangedBlock?(record) }
            case .deleted(let id, _): recordWithIDWasDeletedBlock?(id)
            }
        }
    }

    private func complete(_ failure: CKError?) {
        switch last.current?.end {
        case .finished(let token, _)? where failure == nil:
            let errors = last.current?.errors ?? [:]
            fetchRecordChangesCompletionBlock?(
                token, last.current?.clientToken, errors.isEmpty ? nil : CKError.partialFailure(errors))
        case .failed(let error)? where failure == nil: fetchRecordChangesCompletionBlock?(nil, nil, error)
        default: fetchRecordChangesCompletionBlock?(nil, nil, failure)
        }
    }
}
