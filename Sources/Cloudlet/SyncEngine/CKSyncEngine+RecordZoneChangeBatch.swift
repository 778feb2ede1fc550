import Foundation
internal import Records

extension CKSyncEngine {
    /// The records that a sync engine saves and deletes together: 250 at most.
    public struct RecordZoneChangeBatch: Sendable {
        /// The limits of the connection, set while its engine calls `nextRecordZoneChangeBatch`; nil outside
        /// that call.
        @TaskLocal static var limits: Limits?

        /// The records to save. A save fails with `serverRecordChanged` if the server has another version
        /// than the one that the record was fetched with.
        public var recordsToSave: [CKRecord]

        /// The records to delete.
        public var recordIDsToDelete: [CKRecord.ID]

        /// Whether the changes of a zone succeed or fail together; false by default.
        public var atomicByZone: Bool

        /// Creates a batch of the first pending changes, in their order, until it is full.
        ///
        /// A batch is full when it has 250 records or 2 MB of fields. Within `nextRecordZoneChangeBatch`, it
        /// is also full when the server takes no more records in one request, so that it can be atomic.
        ///
        /// A change whose record the provider does not have is left out: it stays pending, so remove it from
        /// the state of the engine if there is nothing to save. Returns nil if nothing remains to be sent.
        ///
        /// - Parameters:
        ///   - pendingChanges: The changes to send, usually those of `CKSyncEngine.State` that are in the
        ///     scope of the context.
        ///   - recordProvider: Returns the record to save with an ID; nil if there is none.
        public init?(
            pendingChanges: [CKSyncEngine.PendingRecordZoneChange],
            recordProvider: @Sendable (CKRecord.ID) async -> (CKRecord?)
        ) async {
            self.init()
            let limits = Self.limits ?? Limits()
            let perRequest = Self.limits?.operationsPerRequest ?? .max
            let most = max(1, min(limits.recordsPerSyncBatch, perRequest))
            var bytes = 0
            for change in pendingChanges {
                if count == most { break }
                switch change {
                case .saveRecord(let id):
                    guard let record = await recordProvider(id) else { continue }
                    bytes += record.fieldBytes
                    if count > 0, bytes > limits.syncBatchBytes { return }
                    recordsToSave.append(record)
                case .deleteRecord(let id): recordIDsToDelete.append(id)
                }
            }
            if count == 0 { return nil }
        }

        /// Creates a batch of these records. The engine sends it only if it has at most 250 records, and an
        /// atomic one only if the server takes the records of each zone in one request.
        public init(
            recordsToSave: [CKRecord] = [], recordIDsToDelete: [CKRecord.ID] = [], atomicByZone: Bool = false
        ) {
            self.recordsToSave = recordsToSave
            self.recordIDsToDelete = recordIDsToDelete
            self.atomicByZone = atomicByZone
        }

        /// The number of records, saves and deletions together.
        var count: Int { recordsToSave.count + recordIDsToDelete.count }

        /// The contents of the batch as pending changes.
        var changes: [CKSyncEngine.PendingRecordZoneChange] {
            recordsToSave.map { .saveRecord($0.recordID) } + recordIDsToDelete.map { .deleteRecord($0) }
        }
    }
}

extension CKSyncEngine.RecordZoneChangeBatch: CustomStringConvertible {
    /// The number of saves and of deletions, for logs.
    public var description: String {
        "\(recordsToSave.count) to save, \(recordIDsToDelete.count) to delete"
            + (atomicByZone ? ", atomic by zone" : "")
    }
}

extension CKRecord {
    /// The bytes of the values of all fields, without the files of assets.
    fileprivate var fieldBytes: Int {
        let state = state.current
        return [state.fields, state.encryptedFields].joined().reduce(0) { sum, field in
            sum + field.key.utf8.count + (FieldValue(field.value)?.size ?? 0)
        }
    }
}
