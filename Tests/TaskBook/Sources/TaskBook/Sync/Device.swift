// Owns a person's data on one device: the copy, and the sync that keeps it in step.
import CloudSync
import Cloudlet
import Foundation
import LocalReplica

struct Device: Sendable {
    static let container = "iCloud.org.example.TaskBook"

    let repository: Repository
    let sync: CloudSync

    /// The clock and the waiting are passed in, so that tests need not wait.
    init(
        folder: URL, connection: CloudConnection, container: String = Device.container,
        now: @escaping @Sendable () -> Date,
        pause: @escaping @Sendable (Duration) async throws -> Void
    ) throws {
        let replica = try LocalReplica(folder: folder)
        // Texts that two devices changed are merged; of other values that of the device counts
        // which syncs last, whenever it was typed. With `var`, policy["Type", "field"] = .sum says
        // otherwise.
        let configuration = SyncConfiguration(zones: [Repository.zone], now: now, pause: pause)
        repository = Repository(replica: replica)
        sync = CloudSync(
            container: CKContainer(identifier: container, connection: connection),
            replica: replica, configuration: configuration)
    }
}
