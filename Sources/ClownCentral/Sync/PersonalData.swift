// Owns a person's data on one device: the copy, its repository, and the sync that keeps it in step.
import CloudSync
import Cloudlet
import Foundation
import LocalReplica
import Synchronization

/// Everything that one person has on one device.
final class PersonalData: Sendable {
    let repository: PersonalRepository
    let sync: CloudSync
    private let listener: Listener
    /// The sync that goes on by itself; owned here, ended by `stop`.
    private let running = Mutex<Task<Void, any Error>?>(nil)

    var replica: LocalReplica { repository.replica }

    /// Opens what lies in the folder.
    ///
    /// Amounts are no texts: of two corrections the last one counts. Names, shops and notes keep what
    /// everybody typed.
    init(folder: URL, container: CKContainer, clock: WaitingClock) throws {
        let listener = Listener()
        self.listener = listener
        let replica = try LocalReplica(folder: folder)
        var configuration = SyncConfiguration(
            zones: PersonalRepository.Zone.all, now: { clock.now }, pause: { try await clock.wait($0) })
        configuration.followsUnknownZones = false
        configuration.policy[Receipt.recordType, Receipt.Key.amount] = .lastWriter
        configuration.report = { listener.hear($0) }
        repository = PersonalRepository(replica: replica)
        sync = CloudSync(container: container, replica: replica, configuration: configuration)
    }

    /// Whoever is told of every change of the sync's status; nobody if nothing.
    func listen(_ heard: (@Sendable (SyncStatus) -> Void)?) {
        listener.set(heard)
    }

    /// Passes the status on while somebody listens.
    private final class Listener: Sendable {
        private let heard = Mutex<(@Sendable (SyncStatus) -> Void)?>(nil)

        func set(_ heard: (@Sendable (SyncStatus) -> Void)?) { self.heard.withLock { $0 = heard } }

        func hear(_ status: SyncStatus) { heard.withLock { $0 }?(status) }
    }

    /// Whether the sync goes on by itself.
    var isRunning: Bool { running.withLock { $0 != nil } }

    /// Lets the sync go on by itself: with every edit and every push.
    func start() {
        running.withLock { running in
            guard running == nil else { return }
            running = Task { [sync] in try await sync.run() }
        }
    }

    /// Ends the sync that goes on by itself.
    func stop() async {
        let task = running.withLock { running in
            defer { running = nil }
            return running
        }
        task?.cancel()
        _ = await task?.result
    }
}
