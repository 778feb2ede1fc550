import CloudSync
import Cloudlet
import Foundation
import LocalReplica
import MirroredStore
import Synchronization

/// The personal data of one person on one device: notes and receipts in a local replica, posts in a mirrored
/// store, and the sync of both.
final class PersonalData: Sendable {
    let repository: PersonalRepository
    let posts: PostRepository
    /// The sync of notes and receipts. The store of posts has its own.
    let sync: CloudSync
    let container: CKContainer
    /// Remembers that the server does not know the owner of the data.
    let unknownOwner: UnknownOwnerFile
    private let pushRelay: PushRelay
    private let listener: Listener
    /// The running automatic sync; nil while it is stopped.
    private let automaticSync = Mutex<ContinuousSync?>(nil)

    var replica: LocalReplica { repository.replica }

    /// Conflicting amounts of receipts are resolved by last writer wins. Conflicting names and shops are
    /// merged word by word. The field `text` of a note is only a copy of its text: see `NoteText`.
    static var policy: MergePolicy {
        var policy = MergePolicy()
        policy[Receipt.recordType, Receipt.Key.amount] = .lastWriter
        policy[Note.recordType, Note.Key.text] = .lastWriter
        return policy
    }

    /// Opens the replica and the stores in a folder, or creates them.
    ///
    /// - Parameters:
    ///   - newDevice: The name of this installation if the folder is new. No other installation may have it.
    ///   - newName: Returns the name of a new object: a UUID.
    ///   - pause: Waits for a duration. Throws `CancellationError`.
    ///   - getsPush: Whether the app gets a push that has arrived on the device.
    init(
        folder: URL, newDevice: String, container: CKContainer, newName: @escaping @Sendable () -> String,
        now: @escaping @Sendable () -> Date,
        pause: @escaping @Sendable (Duration) async throws -> Void,
        getsPush: @escaping @Sendable (CKNotification) -> Bool = { _ in true }
    ) throws {
        let (listener, pushRelay) = (Listener(), PushRelay())
        let unknownOwner = UnknownOwnerFile(file: folder.appendingPathComponent("unknown-owner"))
        (self.listener, self.pushRelay, self.unknownOwner) = (listener, pushRelay, unknownOwner)
        let replica = try LocalReplica(folder: folder)
        var configuration = SyncConfiguration(
            zones: PersonalRepository.Zone.all, now: now, pause: pause)
        configuration.followsUnknownZones = false
        configuration.policy = Self.policy
        configuration.report = { status in
            listener.receive(status)
            pushRelay.observe(status)
            unknownOwner.observe(status)
        }
        // A device has one connection for pushes. This sync owns it, and passes the pushes on to the sync of
        // posts.
        configuration.getsPush = { push in
            guard getsPush(push) else { return false }
            pushRelay.send(push)
            return true
        }
        repository = PersonalRepository(
            replica: replica, device: try Self.device(in: folder, orNew: newDevice))
        self.container = container
        sync = CloudSync(container: container, replica: replica, configuration: configuration)
        var settings = MirroredStore.Settings(now: now, newName: newName, pause: pause)
        settings.receivesPushes = false
        // Reports only progress here: `syncOnce` returns the combined result of both syncs.
        settings.report = { status in if status.activity == .working { listener.receive(status) } }
        posts = try PostRepository(folder: folder, container: container, settings: settings)
    }

    /// The name of this installation, which is stored in a file beside the replica. If the file is lost, the
    /// installation gets a new name, and its earlier edits count as those of another device.
    private static func device(in folder: URL, orNew name: String) throws -> String {
        let file = folder.appendingPathComponent("device")
        if let known = try? String(contentsOf: file, encoding: .utf8), !known.isEmpty { return known }
        try Data(name.utf8).write(to: file, options: .atomic)
        return name
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

    /// A reason for the posts to sync with the server.
    enum SyncTrigger: Sendable {
        /// A push has arrived.
        case push(CKNotification)
        /// The connection for pushes is open again. Pushes may have been lost in the meantime.
        case connected
    }

    /// Passes the triggers that the sync of notes and receipts receives to the automatic sync of the posts.
    private final class PushRelay: Sendable {
        private struct State {
            var listener: AsyncStream<SyncTrigger>.Continuation?
            var pushes = SyncStatus.Pushes.off
        }

        private let state = Mutex(State())

        /// The triggers from now on. An earlier stream ends.
        func triggers() -> AsyncStream<SyncTrigger> {
            let (stream, new) = AsyncStream.makeStream(of: SyncTrigger.self)
            state.withLock { state in
                state.listener?.finish()
                state.listener = new
            }
            return stream
        }

        func send(_ push: CKNotification) { state.withLock { _ = $0.listener?.yield(.push(push)) } }

        func observe(_ status: SyncStatus) {
            state.withLock { state in
                if status.pushes == .connected, state.pushes != .connected {
                    state.listener?.yield(.connected)
                }
                state.pushes = status.pushes
            }
        }
    }

    /// The triggers that the automatic sync of notes and receipts receives from now on.
    func triggers() -> AsyncStream<SyncTrigger> { pushRelay.triggers() }

    /// Starts the automatic sync, which reacts to every edit and every push. Does nothing while it is
    /// running.
    func start(with runner: SyncRunner) {
        automaticSync.withLock { current in
            if let current, !current.ending.hasEnded { return }
            current = runner.begin { [self] in try await run() }
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
