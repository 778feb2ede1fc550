import Foundation

/// Saves and deletes zones of the private database.
///
/// Its quality of service is `.default` unless the app sets another. One of Apple's talks names `.utility`
/// instead; ``CKOperationConfiguration/qualityOfService`` says why it is not the default here.
///
/// Apple's page: <https://developer.apple.com/documentation/cloudkit/ckmodifyrecordzonesoperation>.
// Sendable because properties are set before the operation starts.
open class CKModifyRecordZonesOperation: CKDatabaseOperation, @unchecked Sendable {
    /// The zones to save. An existing zone is left unchanged.
    open var recordZonesToSave: [CKRecordZone]?
    /// The zones to delete, together with all their records.
    open var recordZoneIDsToDelete: [CKRecordZone.ID]?
    /// Called once, when the operation ends, unless `modifyRecordZonesResultBlock` is set. The error is
    /// `.partialFailure` if zones failed.
    open var modifyRecordZonesCompletionBlock: (([CKRecordZone]?, [CKRecordZone.ID]?, (any Error)?) -> Void)?
    /// Called once for each zone to save, with the saved zone or the error.
    public var perRecordZoneSaveBlock:
        ((_ recordZoneID: CKRecordZone.ID, _ saveResult: Result<CKRecordZone, any Error>) -> Void)?
    /// Called once for each zone to delete, with success or the error.
    public var perRecordZoneDeleteBlock:
        ((_ recordZoneID: CKRecordZone.ID, _ deleteResult: Result<Void, any Error>) -> Void)?
    /// Called once, when the operation ends. It is a success even if some zones failed.
    public var modifyRecordZonesResultBlock: ((_ operationResult: Result<Void, any Error>) -> Void)?

    /// Creates an operation without input: set its properties before you add it to a database or container.
    public override init() {
        super.init()
    }

    /// Creates an operation that saves and deletes these zones.
    public convenience init(
        recordZonesToSave: [CKRecordZone]? = nil, recordZoneIDsToDelete: [CKRecordZone.ID]? = nil
    ) {
        self.init()
        self.recordZonesToSave = recordZonesToSave
        self.recordZoneIDsToDelete = recordZoneIDsToDelete
    }

    override func perform() async {
        let result: Result<[ZoneOutcome], any Error>
        do {
            try Task.checkCancellation()
            result = .success(
                try await client.modifyZones(
                    saving: recordZonesToSave ?? [], deleting: recordZoneIDsToDelete ?? []))
        } catch {
            result = .failure(CKError(failure: error))
        }
        await call {
            self.report(result.value ?? [])
            self.complete(result)
        }
    }

    private func report(_ outcomes: [ZoneOutcome]) {
        for outcome in outcomes {
            switch outcome {
            case .saved(let id, let result): perRecordZoneSaveBlock?(id, result)
            case .deleted(let id, let result): perRecordZoneDeleteBlock?(id, result)
            }
        }
    }

    private func complete(_ result: Result<[ZoneOutcome], any Error>) {
        if let modifyRecordZonesResultBlock {
            modifyRecordZonesResultBlock(result.map { _ in () })
            return
        }
        guard let modifyRecordZonesCompletionBlock else { return }
        var saved: [CKRecordZone] = []
        var deleted: [CKRecordZone.ID] = []
        var errors: [CKRecordZone.ID: any Error] = [:]
        for outcome in result.value ?? [] {
            switch outcome {
            case .saved(_, .success(let zone)): saved.append(zone)
            case .saved(let id, .failure(let error)): errors[id] = error
            case .deleted(let id, .success): deleted.append(id)
            case .deleted(let id, .failure(let error)): errors[id] = error
            }
        }
        let partial: CKError? = errors.isEmpty ? nil : .partialFailure(errors)
        modifyRecordZonesCompletionBlock(saved, deleted, result.error ?? partial)
    }
}
