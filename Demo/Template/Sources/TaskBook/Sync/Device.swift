import CloudSync
import Cloudlet
import Foundation
import LocalReplica

/// One person's data on one device: the local replica and its sync with the server.
struct Device: Sendable {
    static let container = "iCloud.org.example.TaskBook"

    let repository: Repository
    let session: Session
    let cloud: CKContainer
    let sync: CloudSync

    /// Opens the replica in a folder, or creates it. Clock and pause are parameters, so that tests need not
    /// wait.
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

    /// Runs all steps of a sync that need no waiting, and returns the status.
    func syncOnce() async throws -> SyncStatus { try await sync.sync() }

    /// Syncs whenever there is a reason, until it is cancelled.
    func run() async throws { try await sync.run() }

    /// Deletes all data on this device, including unsent changes.
    func deleteLocalData() async throws { try await sync.deleteLocalData() }

    /// The result if two devices change the same property: texts are merged; lists keep the additions and
    /// removals of both sides; for other values, the last one to be synced wins.
    private static var policy: MergePolicy {
        var policy = MergePolicy()
        for type in Models.all {
            for key in type.listKeys { policy[type.recordType, key] = .union }
        }
        return policy
    }
}

extension Model {
    /// The keys of its list properties.
    fileprivate static var listKeys: [String] {
        properties.filter { property in
            switch property.kind {
            case .texts, .references: true
            default: false
            }
        }.map(\.key)
    }
}
