import Foundation

/// Fetches one page of the changes of one zone. Its tokens and those of `CKFetchRecordZoneChangesOperation`,
/// which replaces it, are interchangeable.
///
/// Its quality of service is `.default` unless the app sets another. One of Apple's talks names `.utility`
/// instead; ``CKOperationConfiguration/qualityOfService`` says why it is not the default here.
///
/// Apple's page: <https://developer.apple.com/documentation/cloudkit/ckfetchrecordchangesoperation>.
// Sendable because properties are set before the operation starts, and the results are behind a lock.
@available(*, deprecated, message: "Use CKFetchRecordZoneChangesOperation.")
open class CKFetchRecordChangesOperation: CKDatabaseOperation, @unchecked Sendable {
    /// The zone to fetch.
    open var recordZoneID: CKRecordZone.ID?
    /// The token of the previous fetch; nil fetches from the beginning.
    open var previousServerChangeToken: CKServerChangeToken?
    /// The maximum number of changes; 0 lets the server decide.
    open var resultsLimit: Int = 0
    /// The names of the fields to fetch: nil fetches all fields, an empty array fetches none.
    open var desiredKeys: [CKRecord.FieldKey]?
    /// Called for each record that is new or changed.
    open var recordChangedBlock: ((CKRecord) -> Void)?
    /// Called for each record that was deleted.
    open var recordWithIDWasDeletedBlock: ((CKRecord.ID) -> Void)?
    /// Called once, when the operation ends, with the new token and the client token.
    open var fetchRecordChangesCompletionBlock: ((CKServerChangeToken?, Data?, (any Error)?) -> Void)?

    private let last = Locked<ZoneChanges?>(nil)

    /// Creates an operation without input: set its properties before you add it to a database or container.
    public override init() {
        super.init()
    }

    /// Creates an operation that fetches the changes of the zone since the token.
    public convenience init(recordZoneID: CKRecordZone.ID, previousServerChangeToken: CKServerChangeToken?) {
        self.init()
        self.recordZoneID = recordZoneID
        self.previousServerChangeToken = previousServerChangeToken
    }

    /// Whether the zone has more changes. It has its value when `fetchRecordChangesCompletionBlock` is
    /// called.
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
            let configuration = CKFetchRecordZoneChangesConfiguration(
                previousServerChangeToken: previousServerChangeToken, resultsLimit: resultsLimit,
                desiredKeys: desiredKeys)
            try await client.changes.recordChanges(
                [.init(recordZoneID, configuration)], fetchesAll: false
            ) { page in
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
            // Only clients that prefer plain records get them.
            case .plain: break
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
