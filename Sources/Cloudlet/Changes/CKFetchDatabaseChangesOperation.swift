import Foundation

/// Fetches which zones changed or went since a token, in the private or shared database (API sheet 9.3; talk
/// 4, "Fetching changes").
///
/// The default zone is never reported. Why a zone went matters: after a purge the person wants the data gone
/// here too, after an encrypted-data reset what this device still has may be uploaded again.
// Sendable because properties are set before the operation starts.
open class CKFetchDatabaseChangesOperation: CKDatabaseOperation, @unchecked Sendable {
    /// The token of the last fetch; nil: from the beginning.
    open var previousServerChangeToken: CKServerChangeToken?
    /// At most so many zones a page; 0 leaves it to the server.
    open var resultsLimit: Int = 0
    /// Whether all pages are fetched, true at first; otherwise one page, and the result says whether more is
    /// coming.
    open var fetchAllChanges = true
    /// Hears of each zone in which something changed.
    open var recordZoneWithIDChangedBlock: ((CKRecordZone.ID) -> Void)?
    /// Hears of each zone that was deleted, and of those whose own block is not set.
    open var recordZoneWithIDWasDeletedBlock: ((CKRecordZone.ID) -> Void)?
    /// Hears of each zone that the person purged.
    open var recordZoneWithIDWasPurgedBlock: ((CKRecordZone.ID) -> Void)?
    /// Hears of each zone that went because the person reset encrypted data.
    open var recordZoneWithIDWasDeletedDueToUserEncryptedDataResetBlock: ((CKRecordZone.ID) -> Void)?
    /// Hears the token between two pages, never after the last.
    open var changeTokenUpdatedBlock: ((CKServerChangeToken) -> Void)?
    /// Hears of the end, unless `fetchDatabaseChangesResultBlock` does.
    open var fetchDatabaseChangesCompletionBlock: ((CKServerChangeToken?, Bool, (any Error)?) -> Void)?
    /// Hears of the end; `.changeTokenExpired` when the token is too old: fetch with none.
    public var fetchDatabaseChangesResultBlock:
        (
            (
                _ operationResult: Result<
                    (serverChangeToken: CKServerChangeToken, moreComing: Bool), any Error
                >
            ) -> Void
        )?

    /// Hears of each deletion with its reason, before the blocks above.
    var deletionBlock: ((CKDatabase.DatabaseChange.Deletion) -> Void)?

    /// An operation that fetches from the beginning.
    public override init() {
        super.init()
    }

    /// Fetches what changed since that token.
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
