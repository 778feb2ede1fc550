import CloudSync
import Foundation

/// Remembers in a file that the server does not know the owner of the data, so that a later process can say
/// so before its first sync.
struct UnknownOwnerFile: Sendable {
    let file: URL

    /// The reason why the last sync was blocked; nil if a later one succeeded.
    var why: String? { try? String(contentsOf: file, encoding: .utf8) }

    /// Stores or removes the reason, if a status decides it.
    func observe(_ status: SyncStatus) {
        if status.accountProblem == .unknownOwner {
            // Without the file, a later process only does not know the reason before it syncs.
            try? Data(status.why.utf8).write(to: file, options: .atomic)
        } else if status.activity == .idle {
            remove()
        }
    }

    /// Removes the reason.
    func remove() { try? FileManager.default.removeItem(at: file) }
}
