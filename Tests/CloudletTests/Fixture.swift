import Cloudlet
import CloudletServer
import CloudletTesting
import Foundation

/// The world of one test, with containers of Alice on two devices, of Bob, and of a device without an
/// account.
struct Fixture {
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
func withFixture(_ body: (Fixture) async throws -> Void) async throws {
    try await CloudletWorld.run { world in
        let name = Fixture.containerName
        try await body(
            Fixture(
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

/// The error that the body throws; nil when it throws none.
func caught(_ body: () async throws -> Void) async -> CKError? {
    do {
        try await body()
        return nil
    } catch {
        return error as? CKError
    }
}

/// The code of the error that the body throws; nil when it throws none.
func code(_ body: () async throws -> Void) async -> CKError.Code? { await caught(body)?.code }
