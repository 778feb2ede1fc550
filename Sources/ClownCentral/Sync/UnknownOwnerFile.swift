import CloudSync
import Foundation

/// Remembers in a file that the server does not know the owner of the data, so that a later process can say
/// so before its first sync.
struct UnknownOwnerFile: Sendable {
    let file: URL

    /// The reason why the last sync was blocked; nil if the server knows the owner, as far as this device
    /// knows.
    var why: String? { try? String(contentsOf: file, encoding: .utf8) }

    /// Stores the reason if the owner is unknown, and removes it after a complete sync. Any other status
    /// changes nothing.
    func observe(_ status: SyncStatus) {
        if status.accountProblem == .unknownOwner {
            // If the file cannot be written, a later process learns the reason from its own first sync.
            try? Data(status.why.utf8).write(to: file, options: .atomic)
        } else if status.activity == .idle {
            remove()
        }
    }

    /// Removes the reason.
    func remove() { try? FileManager.default.removeItem(at: file) }
}
