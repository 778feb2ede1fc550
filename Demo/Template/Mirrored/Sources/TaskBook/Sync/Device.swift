import CloudSync
import Cloudlet
import Foundation
import MirroredStore

/// One person's data on one device: a store of objects, which mirrors itself on the server.
struct Device: Sendable {
    static let container = "iCloud.org.example.TaskBook"

    let repository: Repository
    let session: Session
    let cloud: CKContainer
    /// The sync of the store's records. `syncOnce()` and `run()` also store what it fetches as objects.
    let sync: CloudSync
    let folder: URL
    let settings: MirroredStore.Settings

    /// Opens the store in a folder, or creates it. Clock and pause are parameters, so that tests need not
    /// wait.
    init(
        folder: URL, session: Session, connection: CloudConnection, container: String = Device.container,
        now: @escaping @Sendable () -> Date, pause: @escaping @Sendable (Duration) async throws -> Void,
        report: @escaping @Sendable (SyncStatus) -> Void = { _ in }
    ) throws {
        var connection = connection
        connection.account = session.account
        self.session = session
        self.folder = folder
        cloud = CKContainer(identifier: container, connection: connection)
        var settings = MirroredStore.Settings(now: now, pause: pause)
        self.settings = settings
        settings.report = report
        let store = try MirroredStore(
            folder: folder, layout: try Repository.layout(), container: cloud, settings: settings)
        guard let sync = store.sync else { preconditionFailure("a store with a container has a sync") }
        self.sync = sync
        repository = Repository(store: store)
    }

    /// Runs all steps of a sync that need no waiting, and returns the status.
    func syncOnce() async throws -> SyncStatus {
        if let status = try await repository.store.mirror() { return status }
        return await sync.status
    }

    /// Syncs whenever there is a reason, until it is cancelled.
    func run() async throws { try await repository.store.run() }

    /// Deletes all data on this device, including unsent changes.
    func deleteLocalData() async throws {
        try await repository.store.deleteLocalData()
        try await withShared { try await $0.store.deleteLocalData() }
    }
}
