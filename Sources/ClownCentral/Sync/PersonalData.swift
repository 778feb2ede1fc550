import CloudSync
import Cloudlet
import Foundation
import LocalReplica
import Synchronization

/// The personal data of one person on one device: the local replica and its sync.
final class PersonalData: Sendable {
    let repository: PersonalRepository
    let sync: CloudSync
    let container: CKContainer
    private let listener: Listener
    /// The running automatic sync; nil while it is stopped.
    private let automaticSync = Mutex<ContinuousSync?>(nil)

    var replica: LocalReplica { repository.replica }

    /// Opens the replica in a folder, or creates it.
    ///
    /// Conflicting amounts of receipts are resolved by last writer wins. Conflicting texts (names, shops,
    /// notes) are merged, so that they keep what everybody typed.
    init(
        folder: URL, container: CKContainer, now: @escaping @Sendable () -> Date,
        pause: @escaping @Sendable (Duration) async throws -> Void,
        getsPush: @escaping @Sendable (CKNotification) -> Bool = { _ in true }
    ) throws {
        let listener = Listener()
        self.listener = listener
        let replica = try LocalReplica(folder: folder)
        var configuration = SyncConfiguration(
            zones: PersonalRepository.Zone.all, now: now, pause: pause)
        configuration.followsUnknownZones = false
        configuration.policy[Receipt.recordType, Receipt.Key.amount] = .lastWriter
        configuration.report = { listener.receive($0) }
        configuration.getsPush = getsPush
        repository = PersonalRepository(replica: replica)
        self.container = container
        sync = CloudSync(container: container, replica: replica, configuration: configuration)
    }

    /// Sets the closure that receives every change of the sync's status; nil removes it.
    func listen(_ closure: (@Sendable (SyncStatus) -> Void)?) {
        listener.set(closure)
    }

    /// Passes the status to the closure that `listen` has set.
    private final class Listener: Sendable {
        private let closure = Mutex<(@Sendable (SyncStatus) -> Void)?>(nil)

        func set(_ closure: (@Sendable (SyncStatus) -> Void)?) { self.closure.withLock { $0 = closure } }

        func receive(_ status: SyncStatus) { closure.withLock { $0 }?(status) }
    }

    /// Starts the automatic sync, which reacts to every edit and every push. Does nothing while it is
    /// running.
    func start(with runner: SyncRunner) {
        automaticSync.withLock { current in
            if let current, !current.ending.hasEnded { return }
            current = runner.begin(sync)
        }
    }

    /// Stops the automatic sync and waits for its end.
    func stop() async {
        let stopped = automaticSync.withLock { current in
            defer { current = nil }
            return current
        }
        await stopped?.stop()
    }

    /// Whether the automatic sync is running, which sends every edit.
    var syncsAutomatically: Bool { automaticSync.withLock { $0.map { !$0.ending.hasEnded } ?? false } }

    /// The error that ended the automatic sync; nil while it is running and after `stop`.
    var automaticSyncError: String? { automaticSync.withLock { $0?.ending.error } }
}
