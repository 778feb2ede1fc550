import Foundation
internal import Records
internal import RecordsWire

/// Fetches the changes of one or more zones since a token each, several zones per round trip.
///
/// Each changed record is reported once, in its latest state. A reported token covers the changes that were
/// reported before it, even if the operation fails or is cancelled later: save the changes and the token in
/// one transaction, and continue from that token.
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
/// An error of one zone is the result of that zone: `.changeTokenExpired` if the token is too old (discard
/// the cached records of the zone and fetch with nil), `.zoneNotFound`, or `.invalidArguments` if the token
/// is damaged. An error of a whole request is the result of the operation; zones that were not finished then
/// get no result.
///
/// Its quality of service is `.default` unless the app sets another. One of Apple's talks names `.utility`
/// instead; ``CKOperationConfiguration/qualityOfService`` says why it is not the default here.
///
/// Apple's page: <https://developer.apple.com/documentation/cloudkit/ckfetchrecordzonechangesoperation>.
// Sendable because properties are set before the operation starts.
open class CKFetchRecordZoneChangesOperation: CKDatabaseOperation, @unchecked Sendable {
    /// The configuration of one zone.
    public typealias ZoneConfiguration = CKFetchRecordZoneChangesConfiguration
    /// The name of the configuration before iOS 12.
    @available(*, deprecated, renamed: "ZoneConfiguration")
    public typealias ZoneOptions = CKFetchRecordZoneChangesOptions

    /// The zones to fetch; nil fetches the zones that have a configuration.
    open var recordZoneIDs: [CKRecordZone.ID]?
    /// The configuration of each zone. A zone without one is fetched from the beginning.
    open var configurationsByRecordZoneID:
        [CKRecordZone.ID: CKFetchRecordZoneChangesOperation.ZoneConfiguration]?
    /// Whether to fetch all pages, which is the default. If false, the operation fetches one page per zone,
    /// and each zone's result says whether more are left.
    open var fetchAllChanges = true
    /// Called for each record that is new or changed, unless `recordWasChangedBlock` is set.
    open var recordChangedBlock: ((CKRecord) -> Void)?
    /// Called for each record that was deleted, with its type.
    public var recordWithIDWasDeletedBlock:
        ((_ recordID: CKRecord.ID, _ recordType: CKRecord.RecordType) -> Void)?
    /// Called after each page of a zone except the last, with the new token and with the
    /// `clientChangeTokenData` of the last batch from this device that the zone accepted. The data is nil if
    /// there was no such batch, or if the connection has no device name.
    open var recordZoneChangeTokensUpdatedBlock: ((CKRecordZone.ID, CKServerChangeToken?, Data?) -> Void)?
    /// Called when a zone ends, unless `recordZoneFetchResultBlock` is set.
    open var recordZoneFetchCompletionBlock:
        ((CKRecordZone.ID, CKServerChangeToken?, Data?, Bool, (any Error)?) -> Void)?
    /// Called once, when the operation ends, unless `fetchRecordZoneChangesResultBlock` is set. The error is
    /// `.partialFailure` if records or zones failed.
    open var fetchRecordZoneChangesCompletionBlock: (((any Error)?) -> Void)?
    /// Called for each record that is new or changed; with a failure if the server returned an error for it,
    /// or if its assets cannot be downloaded.
    public var recordWasChangedBlock:
        ((_ recordID: CKRecord.ID, _ recordResult: Result<CKRecord, any Error>) -> Void)?
    /// Called once for each zone, when it ends.
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
    /// Called once, when the operation ends. It is a success even if some zones failed; their errors are in
    /// their own results.
    public var fetchRecordZoneChangesResultBlock: ((_ operationResult: Result<Void, any Error>) -> Void)?

    /// Called instead of `recordWasChangedBlock` for the records that can be plain.
    var plainRecordBlock: ((PlainRecord) -> Void)?
    /// Called before the end of each page, with the server's report on this device's last batch.
    var lastBatchBlock: ((ClientChange?) -> Void)?

    /// Errors by record ID and by zone ID.
    private typealias Errors = (records: [CKRecordID: any Error], zones: [CKRecordZoneID: any Error])

    private let errors = Locked<Errors>(([:], [:]))

    /// Creates an operation without input: set its properties before you add it to a database or container.
    public override init() {
        super.init()
    }

    /// Creates an operation that fetches the changes of these zones.
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

    /// Creates an operation that fetches the changes of these zones.
    @available(*, deprecated, message: "Use init(recordZoneIDs:configurationsByRecordZoneID:).")
    public convenience init(
        recordZoneIDs: [CKRecordZone.ID],
        optionsByRecordZoneID: [CKRecordZone.ID: CKFetchRecordZoneChangesOptions]?
    ) {
        self.init()
        self.recordZoneIDs = recordZoneIDs
        self.optionsByRecordZoneID = optionsByRecordZoneID
    }

    /// The configurations in the class that was used before iOS 12.
    @available(*, deprecated, renamed: "configurationsByRecordZoneID")
    open var optionsByRecordZoneID: [CKRecordZone.ID: CKFetchRecordZoneChangesOptions]? {
        get { configurationsByRecordZoneID?.mapValues(CKFetchRecordZoneChangesOptions.init) }
        set { configurationsByRecordZoneID = newValue?.mapValues(\.configuration) }
    }

    override func perform() async {
        var failure: CKError?
        do {
            try Task.checkCancellation()
            var client = client
            client.prefersPlainRecords = plainRecordBlock != nil
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
            case .plain(let record): plainRecordBlock?(record)
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
