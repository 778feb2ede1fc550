import CloudSync
import CommandShell
import Synchronization

/// The messages at the prompt: changes from the server, and whether the device can sync.
final class SyncNews: Sendable {
    /// Whether the last status was one in which the device cannot sync.
    private let isStopped = Mutex(false)

    /// The message about a change of the sync's status; nil if there is nothing new.
    func line(about status: SyncStatus) -> String? {
        switch status.activity {
        case .working: return nil
        case .waiting, .blocked:
            guard change(to: true) else { return nil }
            return "not synced: \(status.why); your changes are stored here and sent later"
        case .idle:
            let count = status.progress.fetched
            if change(to: false) { return "synced again" }
            return count > 0 ? "from the server: \(Answer.counted(count, "change"))" : nil
        }
    }

    /// Stores whether the device cannot sync. Returns whether that has changed.
    private func change(to value: Bool) -> Bool {
        isStopped.withLock { isStopped in
            defer { isStopped = value }
            return isStopped != value
        }
    }
}
