import Foundation

/// Fetches which zones were changed or deleted since a token, in the private or shared database.
///
/// The default zone is never reported. Look at the reason of a deletion: after a purge, the person wants the
/// data removed from this device too; after a reset of encrypted data, the device may upload its copy again.
///
/// Its quality of service is `.default` unless the app sets another. One of Apple's talks names `.utility`
/// instead; ``CKOperationConfiguration/qualityOfService`` says why it is not the default here.
///
/// Apple's page: <https://developer.apple.com/documentation/cloudkit/ckfetchdatabasechangesoperation>.
// Sendable because properties are set before the operation starts.
open class CKFetchDatabaseChangesOperation: CKDatabaseOperation, @unchecked Sendable {
    /// The token of the previous fetch; nil fetches from the beginning.
    open var previousServerChangeToken: CKServerChangeToken?
    /// The maximum number of zones per page; 0 lets the server decide.
    open var resultsLimit: Int = 0
    /// Whether to fetch all pages, which is the default. If false, the operation fetches one page, and the
    /// result's `moreComing` says whether more are left.
    open var fetchAllChanges = true
    /// Called for each zone that is new or changed.
    open var recordZoneWithIDChangedBlock: ((CKRecordZone.ID) -> Void)?
    /// Called for each deleted zone, and for purged or reset zones if their own block is not set.
    open var recordZoneWithIDWasDeletedBlock: ((CKRecordZone.ID) -> Void)?
    /// Called for each zone that the person purged.
    open var recordZoneWithIDWasPurgedBlock: ((CKRecordZone.ID) -> Void)?
    /// Called for each zone that was deleted because the person reset encrypted data.
    open var recordZoneWithIDWasDeletedDueToUserEncryptedDataResetBlock: ((CKRecordZone.ID) -> Void)?
    /// Called with the new token after each page except the last.
    open var changeTokenUpdatedBlock: ((CKServerChangeToken) -> Void)?
    /// Called once, when the operation ends, unless `fetchDatabaseChangesResultBlock` is set.
    open var fetchDatabaseChangesCompletionBlock: ((CKServerChangeToken?, Bool, (any Error)?) -> Void)?
    /// Called once, when the operation ends. It fails with `.changeTokenExpired` if the token is too old:
    /// fetch again with nil.
    public var fetchDatabaseChangesResultBlock:
        (
            (
                _ operationResult: Result<
                    (serverChangeToken: CKServerChangeToken, moreComing: Bool), any Error
                >
            ) -> Void
        )?

    /// Called for each deletion with its reason, before the public blocks.
    var deletionBlock: ((CKDatabase.DatabaseChange.Deletion) -> Void)?

    /// Creates an operation that fetches from the beginning.
    public override init() {
        super.init()
    }

    /// Creates an operation that fetches the changes since the token.
    public convenience init(previousServerChangeToken: CKServerChangeToken?) {
        self.init()
        self.previousServerChangeToken = previousServerChangeToken
    }

    override func perform() async {
        let result: Result<(CKServerChangeToken, Bool), any Error>
        do {
            try Task.checkCancellation()
            let last = try await client.changes.databaseChanges(
                since: previousServerChangeToken, limit: resultsLimit, fetchesAll: fetchAllChanges
            ) { page, isLast in
                await self.call { self.report(page, isLast: isLast) }
            }
            result = .success(last)
        } catch {
            result = .failure(CKError(failure: error))
        }
        await call { self.complete(result) }
    }

    private func report(_ page: DatabaseChanges, isLast: Bool) {
        for change in page.changes {
            switch change {
            case .changed(let id): recordZoneWithIDChangedBlock?(id)
            case .deleted(let deletion):
                deletionBlock?(deletion)
                block(for: deletion.reason)?(deletion.zoneID)
            }
        }
        if !isLast { changeTokenUpdatedBlock?(page.token) }
    }

    private func block(
        for reason: CKDatabase.DatabaseChange.Deletion.Reason
    ) -> ((CKRecordZone.ID) -> Void)? {
        switch reason {
        case .deleted: recordZoneWithIDWasDeletedBlock
        case .purged: recordZoneWithIDWasPurgedBlock ?? recordZoneWithIDWasDeletedBlock
        case .encryptedDataReset:
            recordZoneWithIDWasDeletedDueToUserEncryptedDataResetBlock ?? recordZoneWithIDWasDeletedBlock
        }
    }

    private func complete(_ result: Result<(CKServerChangeToken, Bool), any Error>) {
        if let fetchDatabaseChangesResultBlock {
            fetchDatabaseChangesResultBlock(result.map { (serverChangeToken: $0.0, moreComing: $0.1) })
            return
        }
        fetchDatabaseChangesCompletionBlock?(result.value?.0, result.value?.1 ?? false, result.error)
    }
}
