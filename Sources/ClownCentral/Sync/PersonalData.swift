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
    /// The sync that goes on by itself.
    private let life = Mutex<SyncLife?>(nil)

    var replica: LocalReplica { repository.replica }

    /// Opens what lies in the folder.
    ///
    /// Amounts are no texts: of two corrections the last one counts. Names, shops and notes keep what
    /// everybody typed.
    init(
        folder: URL, container: CKContainer, now: @escaping @Sendable () -> Date,
        pause: @escaping @Sendable (Duration) async throws -> Void
    ) throws {
        let listener = Listener()
        self.listener = listener
        let replica = try LocalReplica(folder: folder)
        var configuration = SyncConfiguration(
            zones: PersonalRepository.Zone.all, now: now, pause: pause)
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

    /// Lets the sync go on by itself: with every edit and every push.
    func start(_ keeper: SyncKeeper) {
        life.withLock { life in
            if let life, !life.ending.hasEnded { return }
            life = keeper.begin(sync)
        }
    }

    /// Ends the sync that goes on by itself.
    func stop() async {
        let life = life.withLock { life in
            defer { life = nil }
            return life
        }
        await life?.stop()
    }

    /// What the sync that went on by itself has ended of; nothing while it does, and when it was stopped.
    var trouble: String? { life.withLock { $0?.ending.trouble } }
}
