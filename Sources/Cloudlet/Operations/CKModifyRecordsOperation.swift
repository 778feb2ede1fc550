public import Foundation
internal import Records

/// Saves and deletes records, zone by zone.
///
/// After a successful save, the record object is the saved version: it has the new change tag and no changed
/// keys, and can be changed and saved again.
///
/// Its quality of service is `.default` unless the app sets another. One of Apple's talks names `.utility`
/// instead; ``CKOperationConfiguration/qualityOfService`` says why it is not the default here.
///
/// Apple's page: <https://developer.apple.com/documentation/cloudkit/ckmodifyrecordsoperation>.
// Sendable because properties are set before the operation starts.
open class CKModifyRecordsOperation: CKDatabaseOperation, @unchecked Sendable {
    /// Which keys of a record are sent, and whether the server checks the record's version.
    public enum RecordSavePolicy: Int, Sendable {
        /// Sends the changed keys. The save fails with `.serverRecordChanged` if the server's version is not
        /// the fetched one.
        case ifServerRecordUnchanged = 0
        /// Sends the changed keys. They replace the server's values, whatever its version.
        case changedKeys = 1
        /// Sends all keys. They replace the server's values, whatever its version; keys that only the server
        /// has are kept.
        case allKeys = 2
    }

    /// The records to save.
    open var recordsToSave: [CKRecord]?
    /// The records to delete. Deleting a record that does not exist succeeds.
    open var recordIDsToDelete: [CKRecord.ID]?
    /// Which keys of a record are sent, and whether the server checks the record's version.
    open var savePolicy: CKModifyRecordsOperation.RecordSavePolicy = .ifServerRecordUnchanged
    /// The app's identifier of this batch. `CKFetchRecordZoneChangesOperation` reports the identifier of the
    /// last batch of this device that a zone accepted at least partly, so that an app which lost an answer
    /// can find out whether the batch arrived. The device is identified by the connection's `deviceName`.
    /// Servers other than Cloudlet do not store the identifier.
    open var clientChangeTokenData: Data?
    /// Whether the changes in a custom zone succeed or fail together; true by default.
    open var isAtomic = true
    /// Called with the progress of a record's upload, from 0 to 1. Every saved record is reported with 1 at
    /// the end.
    open var perRecordProgressBlock: ((CKRecord, Double) -> Void)?
    /// Called once for each record to save, with its error if there is one, unless `perRecordSaveBlock` is
    /// set.
    open var perRecordCompletionBlock: ((CKRecord, (any Error)?) -> Void)?
    /// Called once, when the operation ends, unless `modifyRecordsResultBlock` is set. The error is
    /// `.partialFailure` if records failed.
    open var modifyRecordsCompletionBlock: (([CKRecord]?, [CKRecord.ID]?, (any Error)?) -> Void)?
    /// Called once for each record to save, with the saved record or the error.
    public var perRecordSaveBlock:
        ((_ recordID: CKRecord.ID, _ saveResult: Result<CKRecord, any Error>) -> Void)?
    /// Called once for each record to delete, with success or the error.
    public var perRecordDeleteBlock:
        ((_ recordID: CKRecord.ID, _ deleteResult: Result<Void, any Error>) -> Void)?
    /// Called once, when the operation ends. It is a success even if some records failed.
    public var modifyRecordsResultBlock: ((_ operationResult: Result<Void, any Error>) -> Void)?

    /// The change tags that the records to delete must have. Records without an entry are deleted whatever
    /// their version.
    var deletionTags: [CKRecord.ID: String] = [:]

    /// The batch's token, with the names of records that belong to the batch but are not part of this
    /// operation.
    var batchName: ClientChange?

    private let outcomes = Locked<[RecordOutcome]>([])

    /// Creates an operation without input: set its properties before you add it to a database or container.
    public override init() {
        super.init()
    }

    /// Creates an operation that saves and deletes these records.
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
