import Cloudlet
import CloudletServer
import CloudletTesting
import Foundation

/// The world of one test, with containers of Alice on two devices, of Bob, and of a device without an
/// account.
struct Cast {
    let world: CloudletWorld
    let alice: CKContainer
    let tablet: CKContainer
    let bob: CKContainer
    let nobody: CKContainer

    /// A folder for files, removed with the world.
    var folder: URL { world.server.dataFolder }

    /// The identifier of all these containers.
    static let containerName = "iCloud.test"
}

/// Runs the body in a new world, and stops the world afterwards.
func withCast(_ body: (Cast) async throws -> Void) async throws {
    try await CloudletWorld.run { world in
        let name = Cast.containerName
        try await body(
            Cast(
                world: world,
                alice: try await world.container(name, as: "alice", on: "phone"),
                tablet: try await world.container(name, as: "alice", on: "tablet"),
                bob: try await world.container(name, as: "bob", on: "laptop"),
                nobody: try await world.container(name, as: nil)
            ))
    }
}

/// A new record of type `Party`, not saved.
func party(_ name: String, zone: CKRecordZone.ID = .default) -> CKRecord {
    let record = CKRecord(recordType: "Party", recordID: CKRecord.ID(recordName: name, zoneID: zone))
    record["name"] = name
    return record
}

/// The code of the error that the body throws; nil when it throws none.
func code(_ body: () async throws -> Void) async -> CKError.Code? {
    do {
        try await body()
        return nil
    } catch {
        return (error as? CKError)?.code
    }
}
