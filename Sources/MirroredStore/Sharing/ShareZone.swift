import CloudSync
import Cloudlet
import LocalReplica
import Records

/// The zone of a new share.
struct ShareZone: Sendable {
    let zone: ZoneID
    let database: CKDatabase

    /// Creates the zone and its share on the server, and makes it known to the store.
    ///
    /// - Throws: `CKError` and `ReplicaError`. The zone is then deleted again, unless the server cannot be
    ///   reached.
    func make(in replica: LocalReplica) async throws -> CKShare {
        let share = CKShare(recordZoneID: CKRecordZone.ID(zone))
        _ = try await database.save(CKRecordZone(zoneID: CKRecordZone.ID(zone)))
        do {
            _ = try await database.save(share)
            // The store knows the zone before the first record is written to it.
            try await replica.write { [zone] writer in
                try writer.add(zone: zone)
                try writer.markCreated(zone)
            }
        } catch {
            await discard()
            throw error
        }
        return share
    }

    /// Deletes the zone from the server. Call it before anybody is invited to the share. Errors are ignored.
    func discard() async {
        _ = try? await database.deleteRecordZone(withID: CKRecordZone.ID(zone))
    }
}
