public import Foundation
internal import Records

/// Saves and deletes records, zone by zone.
///
/// A saved record object becomes the saved version: it has the new change tag and no changed keys, and can be
/// changed and saved again.
// Sendable because properties are set before the operation starts.
open class CKModifyRecordsOperation: CKDatabaseOperation, @unchecked Sendable {
    /// What is sent of a record, and when the server refuses it.
    public enum RecordSavePolicy: Int, Sendable {
        /// Changed keys, only over the version that was fetched; else `.serverRecordChanged`.
        case ifServerRecordUnchanged = 0
        /// Changed keys, over whatever is there.
        case changedKeys = 1
        /// All keys, over whatever is there; keys that only the server has stay.
        case allKeys = 2
    }

    /// The records to save.
    open var recordsToSave: [CKRecord]?
    /// The records to delete; one that does not exist counts as deleted.
    open var recordIDsToDelete: [CKRecord.ID]?
    /// What is sent of a record, and when the server refuses it.
    open var savePolicy: CKModifyRecordsOperation.RecordSavePolicy = .ifServerRecordUnchanged
    /// What the app calls this batch: `CKFetchRecordZoneChangesOperation` hands back the token of the last
    /// batch of this device of which a zone took something, which tells after a lost answer whether it
    /// arrived. A device is known by the connection's `deviceName`; other servers than Cloudlet keep none.
    open var clientChangeTokenData: Data?
    /// Whether the records of a custom zone are saved all or none.
    open var isAtomic = true
    /// Hears how far a record is, from 0 to 1, at least once with 1 when it was saved.
    open var perRecordProgressBlock: ((CKRecord, Double) -> Void)?
    /// Hears what became of each record to save, unless `perRecordSaveBlock` does.
    open var perRecordCompletionBlock: ((CKRecord, (any Error)?) -> Void)?
    /// Hears of the end, with `.partialFailure` when items failed, unless `modifyRecordsResultBlock` does.
    open var modifyRecordsCompletionBlock: (([CKRecord]?, [CKRecord.ID]?, (any Error)?) -> Void)?
    /// Hears what became of each record to save.
    public var perRecordSaveBlock:
        ((_ recordID: CKRecord.ID, _ saveResult: Result<CKRecord, any Error>) -> Void)?
    /// Hears what became of each record to delete.
    public var perRecordDeleteBlock:
        ((_ recordID: CKRecord.ID, _ deleteResult: Result<Void, any Error>) -> Void)?
    /// Hears of the end; a success even when single items failed.
    public var modifyRecordsResultBlock: ((_ operationResult: Result<Void, any Error>) -> Void)?

    /// The versions that records to delete must have, for those who know them.
    var deletionTags: [CKRecord.ID: String] = [:]

    /// The token with records of the batch that this operation does not bring.
    var batchName: ClientChange?

    private let outcomes = Locked<[RecordOutcome]>([])

    /// An operation with nothing to do yet.
    public override init() {
        super.init()
    }

    /// Saves and deletes these records.
    public convenience init(recordsToSave: [CKRecord]? = nil, recordIDsToDelete: [CKRecord.ID]? = nil) {
        self.init()
        self.recordsToSave = recordsToSave
        self.recordIDsToDelete = recordIDsToDelete
    }

    override func perform() async {
        let batch = RecordBatch(
            records: recordsToSave ?? [],
            deletions: recordIDsToDelete ?? [],
            deletionTags: deletionTags,
            policy: savePolicy,
            isAtomic: isAtomic,
            name: batchName ?? clientChangeTokenData.map { ClientChange(token: Array($0)) }
        )
        var failure: CKError?
        do {
            try Task.checkCancellation()
            try await client.modify(batch) { record, fraction in
                self.callLater { self.perRecordProgressBlock?(record, fraction) }
            } report: { outcomes in
                await self.call { self.report(outcomes) }
            }
        } catch {
            failure = CKError(failure: error)
        }
        await call { [failure] in self.complete(failure) }
    }

    private func report(_ items: [RecordOutcome]) {
        outcomes.withLock { $0 += items }
        for item in items {
            switch item {
            case .saved(let record, let result):
                if case .success = result { perRecordProgressBlock?(record, 1) }
                if let perRecordSaveBlock {
                    perRecordSaveBlock(record.recordID, result.map { record })
                } else {
                    perRecordCompletionBlock?(record, result.error)
                }
            case .deleted(let id, let result): perRecordDeleteBlock?(id, result)
            }
        }
    }

    private func complete(_ failure: CKError?) {
        if let modifyRecordsResultBlock {
            modifyRecordsResultBlock(failure.map { .failure($0) } ?? .success(()))
            return
        }
        guard let modifyRecordsCompletionBlock else { return }
        var saved: [CKRecord] = []
        var deleted: [CKRecord.ID] = []
        var errors: [CKRecord.ID: any Error] = [:]
        for outcome in outcomes.current {
            switch outcome {
            case .saved(let record, .success): saved.append(record)
            case .saved(let record, .failure(let error)): errors[record.recordID] = error
            case .deleted(let id, .success): deleted.append(id)
            case .deleted(let id, .failure(let error)): errors[id] = error
            }
        }
        modifyRecordsCompletionBlock(
            saved, deleted, failure ?? (errors.isEmpty ? nil : .partialFailure(errors)))
    }
}
