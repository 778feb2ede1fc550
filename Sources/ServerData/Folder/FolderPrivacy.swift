import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Whom a data folder is open to. In it are password hashes, secrets, and everybody's records.
enum FolderPrivacy: Hashable {
    /// To its owner only.
    case kept
    /// To others, which this user can change.
    case closable
    /// To others, and its rights are somebody else's to change.
    case foreign

    init(mode: mode_t, owner: uid_t, user: uid_t) {
        if mode & 0o077 == 0 {
            self = .kept
        } else {
            self = user == owner || user == 0 ? .closable : .foreign
        }
    }

    /// The state of a folder, links followed; one that cannot be looked at is left to whoever opens it.
    init(of folder: URL) {
        var info = stat()
        guard stat(folder.path, &info) == 0 else {
            self = .kept
            return
        }
        self.init(mode: info.st_mode, owner: info.st_uid, user: geteuid())
    }

    /// Closes a folder to others. Returns whether it was open.
    ///
    /// Throws `folderUnusable` when that is not this user's to do.
    static func close(_ folder: URL) throws(ServerError) -> Bool {
        let privacy = FolderPrivacy(of: folder)
        if privacy == .kept { return false }
        if privacy == .closable, chmod(folder.path, 0o700) == 0 { return true }
        throw ServerError(
            .folderUnusable, "other users of this machine may look into the data folder \(folder.path)",
            nextStep: nextStep(folder)
        )
    }

    /// What an operator does about a folder that is somebody else's.
    static func nextStep(_ folder: URL) -> String {
        "have its owner do: chmod 700 \(folder.path), run as that user, or name a new folder in it, such as "
            + folder.appendingPathComponent("data").path
    }
}
