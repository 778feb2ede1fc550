import Foundation
internal import Records
internal import RecordsWire

/// Fetches what changed in zones since a token, several zones in one round trip (API sheet 9.3; talk 4,
/// "Fetching changes").
///
/// Each record that changed is reported once, in its latest state. A token that was reported is good together
/// with the changes reported before it, also when the operation fails or is cancelled later: keep both in one
/// transaction, and go on from there.
///
/// ```swift
/// let operation = CKFetchRecordZoneChangesOperation(
///     recordZoneIDs: [zoneID],
///     configurationsByRecordZoneID: [zoneID: .init(previousServerChangeToken: token)])
/// operation.recordWasChangedBlock = { id, result in … }
/// operation.recordWithIDWasDeletedBlock = { id, type in … }
/// operation.recordZoneChangeTokensUpdatedBlock = { zoneID, token, _ in … }
/// operation.recordZoneFetchResultBlock = { zoneID, result in … }
/// database.add(operation)
/// ```
///
/// What is wrong with one zone is that zone's result: `.changeTokenExpired` for a token that is too old (drop
/// what was cached of the zone, fetch with none), `.zoneNotFound`, `.invalidArguments` for a damaged token.
/// What is wrong with a request as a whole is the operation's result; zones that were not finished are then
/// not reported.
// Sendable because properties are set before the operation starts.
open class CKFetchRecordZoneChangesOperation: CKDatabaseOperation, @unchecked Sendable {
    /// What is wanted of the changes of one zone.
    public typealias ZoneConfiguration = CKFetchRecordZoneChangesConfiguration
    /// The name that configurations had before iOS 12.
    @available(*, deprecated, renamed: "ZoneConfiguration")
    public typealias ZoneOptions = CKFetchRecordZoneChangesOptions

    /// The zones to fetch; nil: those that have a configuration.
    open var recordZoneIDs: [CKRecordZone.ID]?
    /// What is wanted of each zone; one without a configuration is fetched from the beginning.
    open var configurationsByRecordZoneID:
        [CKRecordZone.ID: CKFetchRecordZoneChangesOperation.ZoneConfiguration]?
    /// Whether all pages are fetched, true at first; otherwise one page a zone, and the result says whether
    /// more is coming.
    open var fetchAllChanges = true
    /// Hears of each record that changed, unless `recordWasChangedBlock` does.
    open var recordChangedBlock: ((CKRecord) -> Void)?
    /// Hears of each record that was deleted, with its type.
    public var recordWithIDWasDeletedBlock:
        ((_ recordID: CKRecord.ID, _ recordType: CKRecord.RecordType) -> Void)?
    /// Hears the token between two pages of a zone, never after the last, and the `clientChangeTokenData` of
    /// the last batch of this device that the zone took; nil when there was none, and where the connection
    /// gives the device no name.
    open var recordZoneChangeTokensUpdatedBlock: ((CKRecordZone.ID, CKServerChangeToken?, Data?) -> Void)?
    /// Hears of the end of each zone, unless `recordZoneFetchResultBlock` does.
    open var recordZoneFetchCompletionBlock:
        ((CKRecordZone.ID, CKServerChangeToken?, Data?, Bool, (any Error)?) -> Void)?
    /// Hears of the end, with `.partialFailure` when records or zones failed, unless
    /// `fetchRecordZoneChangesResultBlock` does.
    open var fetchRecordZoneChangesCompletionBlock: (((any Error)?) -> Void)?
    /// Hears of each record that changed; a failure when its files cannot be downloaded.
    public var recordWasChangedBlock:
        ((_ recordID: CKRecord.ID, _ recordResult: Result<CKRecord, any Error>) -> Void)?
    /// Hears of the end of each zone, once.
    public var recordZoneFetchResultBlock:
        (
            (
                _ recordZoneID: CKRecordZone.ID,
                _ fetchChangesResult: Result<
                    (serverChangeToken: CKServerChangeToken, clientChangeTokenData: Data?, moreComing: Bool),
                    any Error
                >
            ) -> Void
        )?
    /// Hears of the end; a success even when single zones failed.
    public var fetchRecordZoneChangesResultBlock: ((_ operationResult: Result<Void, any Error>) -> Void)?

    /// Hears, before a page ends, what the server says of this device's last batch.
    var lastBatchBlock: ((ClientChange?) -> Void)?

    /// What went wrong with single records and single zones.
    private typealias Errors = (records: [CKRecordID: any Error], zones: [CKRecordZoneID: any Error])

    private let errors = Locked<Errors>(([:], [:]))

    /// An operation with nothing to do yet.
    public override init() {
        super.init()
    }

    /// Fetches the changes of these zones.
    public convenience init(
        recordZoneIDs: [CKRecordZone.ID]? = nil,
        configurationsByRecordZoneID: [CKRecordZone.ID: CKFetchRecordZoneChangesOperation
            .ZoneConfiguration]? =
            nil
    ) {
        self.init()
        self.recordZoneIDs = recordZoneIDs
        self.configurationsByRecordZoneID = configurationsByRecordZoneID
    }

    /// Fetches the changes of these zones.
    @available(*, deprecated, message: "Use init(recordZoneIDs:configurationsByRecordZoneID:).")
    public convenience init(
        recordZoneIDs: [CKRecordZone.ID],
        optionsByRecordZoneID: [CKRecordZone.ID: CKFetchRecordZoneChangesOptions]?
    ) {
        self.init()
        self.recordZoneIDs = recordZoneIDs
        self.optionsByRecordZoneID = optionsByRecordZoneID
    }

    /// `configurationsByRecordZoneID` in the class of the first years.
    @available(*, deprecated, renamed: "configurationsByRecordZoneID")
    open var optionsByRecordZoneID: [CKRecordZone.ID: CKFetchRecordZoneChangesOptions]? {
        get { configurationsByRecordZoneID?.mapValues(CKFetchRecordZoneChangesOptions.init) }
        set { configurationsByRecordZoneID = newValue?.mapValues(\.configuration) }
    }

    override func perform() async {
        var failure: CKError?
        do {
            try Task.checkCancellation()
            try await client.changes.recordChanges(feeds, fetchesAll: fetchAllChanges) { page in
                await self.call { self.report(page) }
            }
        } catch {
            failure = CKError(failure: error)
        }
        await call { [failure] in self.complete(failure) }
    }

    private var feeds: [ZoneFeedPlan.Feed] {
        let configurations = configurationsByRecordZoneID ?? [:]
        let known = configurations.keys.sorted { ($0.zoneName, $0.ownerName) < ($1.zoneName, $1.ownerName) }
        return (recordZoneIDs ?? known).map { id in
            ZoneFeedPlan.Feed(id, configurations[id] ?? ZoneConfiguration())
        }
    }

    private func report(_ page: ZoneChanges) {
        for change in page.changes {
            switch change {
            case .changed(let id, let result):
                if let error = result.error { errors.withLock { $0.records[id] = error } }
                if let recordWasChangedBlock {
                    recordWasChangedBlock(id, result)
                } else if let record = result.value {
                    recordChangedBlock?(record)
                }
            case .deleted(let id, let type): recordWithIDWasDeletedBlock?(id, type)
            }
        }
        lastBatchBlock?(page.lastBatch)
        switch page.end {
        case .more(let token): recordZoneChangeTokensUpdatedBlock?(page.zoneID, token, page.clientToken)
        case .finished(let token, let moreComing):
            finish(page.zoneID, .success((token, page.clientToken, moreComing)))
        case .failed(let error):
            errors.withLock { $0.zones[page.zoneID] = error }
            finish(page.zoneID, .failure(error))
        }
    }

    private func finish(
        _ id: CKRecordZone.ID, _ result: Result<(CKServerChangeToken, Data?, Bool), any Error>
    ) {
        if let recordZoneFetchResultBlock {
            recordZoneFetchResultBlock(
                id,
                result.map { (serverChangeToken: $0.0, clientChangeTokenData: $0.1, moreComing: $0.2) })
            return
        }
        let value = result.value
        recordZoneFetchCompletionBlock?(id, value?.0, value?.1, value?.2 ?? false, result.error)
    }

    private func complete(_ failure: CKError?) {
        if let fetchRecordZoneChangesResultBlock {
            fetchRecordZoneChangesResultBlock(failure.map { .failure($0) } ?? .success(()))
            return
        }
        let (records, zones) = errors.current
        var errors: [AnyHashable: any Error] = [:]
        for (id, error) in records { errors[id] = error }
        for (id, error) in zones { errors[id] = error }
        fetchRecordZoneChangesCompletionBlock?(failure ?? (errors.isEmpty ? nil : .partialFailure(errors)))
    }
}
