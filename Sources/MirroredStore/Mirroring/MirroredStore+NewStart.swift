public import CloudSync
public import Cloudlet
import GRDB
import LocalReplica

extension MirroredStore {
    /// Fetches the changes that a push announces, and stores them as objects. Returns the status of the sync;
    /// nil if the push is about another zone, or if the store stays on this device.
    ///
    /// - Throws: `MirroredStoreError`, `ReplicaError`, and `CancellationError`.
    @discardableResult
    public func take(_ push: CKNotification) async throws -> SyncStatus? {
        let zone = (push as? CKRecordZoneNotification)?.recordZoneID?.zoneName
        if let zone, !zone.hasPrefix("com.apple.coredata.cloudkit.") { return nil }
        try await sync?.take(push)
        return try await mirror()
    }

    /// Deletes all objects on this device, including changes that were never sent. The next mirroring fetches
    /// the objects of the person who is signed in then. Call it again if it throws.
    ///
    /// - Throws: `MirroredStoreError` and `ReplicaError`.
    public func forgetAll() async throws {
        let layout = layout
        if let sync { try await sync.forgetAll() } else { try await replica.write { try $0.forgetAll() } }
        do {
            try await replica.write { writer in
                let tables =
                    layout.roots.map(Graph.table) + [
                        "mirrored_pair", "mirrored_queue", "mirrored_deleted", "mirrored_refusal",
                        "mirrored_change", "mirrored_transaction", "mirrored_place", "mirrored_leaving",
                        "mirrored_public",
                    ]
                for table in tables { try writer.database.execute(sql: "DELETE FROM \(table)") }
                // A sync that runs meanwhile may have fetched records again.
                try writer.database.execute(
                    sql: """
                        INSERT INTO mirrored_queue (zone, name, type)
                        SELECT zone, name, type
                        FROM record
                        WHERE fields IS NOT NULL
                        """)
            }
        } catch {
            throw MirroredStoreError.translated(error)
        }
    }
}
