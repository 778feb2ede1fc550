public import CloudSync
public import Cloudlet
import GRDB
import LocalReplica
import Synchronization

extension MirroredStore {
    /// Fetches the changes that a push announces, and stores them as objects. Returns the status of the sync;
    /// nil if the push is about another zone, or if the store stays on this device.
    ///
    /// - Throws: `MirroredStoreError`, `ReplicaError`, and `CancellationError`.
    @discardableResult
    public func receive(_ push: CKNotification) async throws -> SyncStatus? {
        let zone = (push as? CKRecordZoneNotification)?.recordZoneID?.zoneName
        if let zone, !zone.hasPrefix("com.apple.coredata.cloudkit.") { return nil }
        await sync?.receive(push)
        return try await mirror()
    }

    /// Deletes all objects on this device, including changes that were never sent. The next mirroring fetches
    /// the objects of the person who is signed in then.
    ///
    /// - Throws: `MirroredStoreError` and `ReplicaError`.
    public func deleteLocalData() async throws {
        let (layout, identifier) = (layout, identifier)
        let others = otherReplicas.withLock { $0 }
        let tables =
            layout.roots.map(Graph.table) + [
                "mirrored_pair", "mirrored_queue", "mirrored_deleted", "mirrored_refusal", "mirrored_change",
                "mirrored_transaction", "mirrored_place", "mirrored_leaving", "mirrored_public",
                "mirrored_intent",
            ]
        // In the transaction that deletes the records: otherwise the objects of one person could stay
        // behind, and be sent as those of another.
        let forget: @Sendable (ReplicaWriter) throws -> Void = { writer in
            for table in tables { try writer.database.execute(sql: "DELETE FROM \(table)") }
            try JointRecovery.dismiss(others, changesOf: identifier, writer)
        }
        do {
            if let sync { return try await sync.deleteLocalData(forget) }
            try await replica.write { writer in
                try writer.deleteLocalData()
                try forget(writer)
            }
            try await replica.removeUnusedFiles()
        } catch {
            throw MirroredStoreError.translated(error)
        }
    }
}
