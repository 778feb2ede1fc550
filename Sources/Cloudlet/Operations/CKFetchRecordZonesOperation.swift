import Foundation

/// Fetches zones by ID, or all zones of a database.
///
/// Its quality of service is `.default` unless the app sets another. One of Apple's talks names `.utility`
/// instead; ``CKOperationConfiguration/qualityOfService`` says why it is not the default here.
///
/// Apple's page: <https://developer.apple.com/documentation/cloudkit/ckfetchrecordzonesoperation>.
// Sendable because properties are set before the operation starts.
open class CKFetchRecordZonesOperation: CKDatabaseOperation, @unchecked Sendable {
    /// The zones to fetch; nil in an operation that fetches all zones.
    open var recordZoneIDs: [CKRecordZone.ID]?
    /// Called once, when the operation ends, unless `fetchRecordZonesResultBlock` is set. The error is
    /// `.partialFailure` if zones failed.
    open var fetchRecordZonesCompletionBlock: (([CKRecordZone.ID: CKRecordZone]?, (any Error)?) -> Void)?
    /// Called once for each zone, with the zone or its error.
    public var perRecordZoneResultBlock:
        ((_ recordZoneID: CKRecordZone.ID, _ recordZoneResult: Result<CKRecordZone, any Error>) -> Void)?
    /// Called once, when the operation ends. It is a success even if some zones were not found.
    public var fetchRecordZonesResultBlock: ((_ operationResult: Result<Void, any Error>) -> Void)?

    private(set) var fetchesAll = false

    /// Creates an operation without input: set its properties before you add it to a database or container.
    public required override init() {
        super.init()
    }

    /// Creates an operation that fetches these zones.
    public convenience init(recordZoneIDs zoneIDs: [CKRecordZone.ID]) {
        self.init()
        recordZoneIDs = zoneIDs
    }

    /// Creates an operation that fetches all zones of the database.
    open class func fetchAllRecordZonesOperation() -> Self {
        let operation = self.init()
        operation.fetchesAll = true
        return operation
    }

    override func perform() async {
        let result: Result<[(CKRecordZoneID, Result<CKRecordZone, any Error>)], any Error>
        do {
            try Task.checkCancellation()
            if fetchesAll {
                result = .success(try await client.allZones())
            } else {
                result = .success(try await client.zones(recordZoneIDs ?? []))
            }
        } catch {
            result = .failure(CKError(failure: error))
        }
        await call {
            for (id, zone) in result.value ?? [] { self.perRecordZoneResultBlock?(id, zone) }
            self.complete(result)
        }
    }

    private func complete(_ result: Result<[(CKRecordZoneID, Result<CKRecordZone, any Error>)], any Error>) {
        if let fetchRecordZonesResultBlock {
            fetchRecordZonesResultBlock(result.map { _ in () })
            return
        }
        guard let fetchRecordZonesCompletionBlock else { return }
        var zones: [CKRecordZone.ID: CKRecordZone] = [:]
        var errors: [CKRecordZone.ID: any Error] = [:]
        for (id, zone) in result.value ?? [] {
            zones[id] = zone.value
            errors[id] = zone.error
        }
        let partial: CKError? = errors.isEmpty ? nil : .partialFailure(errors)
        fetchRecordZonesCompletionBlock(zones, result.error ?? partial)
    }
}
