import CloudSync
import Cloudlet
import Foundation
import LocalReplica

/// A person's data on one device: the copy, and the sync that keeps it in step with the server.
struct Device: Sendable {
    static let container = "iCloud.org.example.TaskBook"

    let repository: Repository
    let session: Session
    let cloud: CKContainer
    let sync: CloudSync

    /// Opens what lies in a folder. Clock and waiting are passed in, so that tests need not wait.
    init(
        folder: URL, session: Session, connection: CloudConnection, container: String = Device.container,
        now: @escaping @Sendable () -> Date, pause: @escaping @Sendable (Duration) async throws -> Void,
        report: @escaping @Sendable (SyncStatus) -> Void = { _ in }
    ) throws {
        let replica = try LocalReplica(folder: folder)
        var connection = connection
        connection.account = session.account
        var configuration = SyncConfiguration(zones: [Repository.zone], now: now, pause: pause)
        configuration.policy = Self.policy
        configuration.report = report
        self.session = session
        repository = Repository(replica: replica)
        cloud = CKContainer(identifier: container, connection: connection)
        sync = CloudSync(container: cloud, replica: replica, configuration: configuration)
    }

    /// What becomes of a property that two devices changed. Texts are merged, of lists both sides' additions
    /// and removals count; of other values the one that is synced last.
    private static var policy: MergePolicy {
        var policy = MergePolicy()
        for type in Models.all {
            for key in type.listKeys { policy[type.recordType, key] = .union }
        }
        return policy
    }
}
