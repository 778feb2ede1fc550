import Foundation

/// Saves and deletes zones of the private database.
// Sendable because properties are set before the operation starts.
open class CKModifyRecordZonesOperation: CKDatabaseOperation, @unchecked Sendable {
    /// The zones to save; one that exists is left as it is.
    open var recordZonesToSave: [CKRecordZone]?
    /// The zones to delete, with all their records.
    open var recordZoneIDsToDelete: [CKRecordZone.ID]?
    /// Hears of the end, with `.partialFailure` when zones failed, unless `modifyRecordZonesResultBlock`
    /// does.
    open var modifyRecordZonesCompletionBlock: (([CKRecordZone]?, [CKRecordZone.ID]?, (any Error)?) -> Void)?
    /// Hears what became of each zone to save.
    public var perRecordZoneSaveBlock:
        ((_ recordZoneID: CKRecordZone.ID, _ saveResult: Result<CKRecordZone, any Error>) -> Void)?
    /// Hears what became of each zone to delete.
    public var perRecordZoneDeleteBlock:
        ((_ recordZoneID: CKRecordZone.ID, _ deleteResult: Result<Void, any Error>) -> Void)?
    /// Hears of the end; a success even when single zones failed.
    public var modifyRecordZonesResultBlock: ((_ operationResult: Result<Void, any Error>) -> Void)?

    /// An operation with nothing to do yet.
    public override init() {
        super.init()
    }

    /// Saves and deletes these zones.
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
