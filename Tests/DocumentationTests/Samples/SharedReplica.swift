import CloudKit
import CloudSync
import Foundation
import LocalReplica

/// Each database has its own sync, and each sync its own replica.
func openSyncs(
    of container: CKContainer, in folder: URL, _ configuration: SyncConfiguration
) throws -> (own: CloudSync, shared: CloudSync, sharedReplica: LocalReplica) {
    let own = try LocalReplica(folder: folder.appendingPathComponent("own"))
    let shared = try LocalReplica(folder: folder.appendingPathComponent("shared"))
    return (
        CloudSync(container: container, replica: own, configuration: configuration),
        CloudSync(container: container, replica: shared, scope: .shared, configuration: configuration),
        shared
    )
}

/// Adds a guest to another person's party, also without a connection. The next sync sends it.
func add(guest name: String, to party: ReplicaRecord, in replica: LocalReplica) async throws {
    var guest = ReplicaRecord(type: "Guest", id: RecordID(name: name, zone: party.id.zone))
    guest.parent = party.recordName
    let made = guest
    try await replica.write { try $0.save(made) }
}

/// The parties that other people share with the person.
func sharedParties(in replica: LocalReplica) async throws -> [ReplicaRecord] {
    try await replica.read { reader in
        try reader.zones().flatMap { try reader.records(ofType: "Party", in: $0.id) }
    }
}
