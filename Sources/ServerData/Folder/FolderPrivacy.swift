import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Which users can access a data folder. The folder contains password hashes, secrets and all records.
enum FolderPrivacy: Hashable {
    /// Only its owner can access it.
    case kept
    /// Other users can access it, and the current user can change that.
    case closable
    /// Other users can access it, and only its owner can change that.
    case foreign

    init(mode: mode_t, owner: uid_t, user: uid_t) {
        if mode & 0o077 == 0 {
            self = .kept
        } else {
            self = user == owner || user == 0 ? .closable : .foreign
        }
    }

    /// The state of a folder; links are followed. A folder whose state cannot be read counts as `kept`,
    /// because opening it fails anyway.
    init(of folder: URL) {
        var info = stat()
        guard stat(folder.path, &info) == 0 else {
            self = .kept
            return
        }
        self.init(mode: info.st_mode, owner: info.st_uid, user: geteuid())
    }

    /// Restricts a folder to its owner. Returns whether other users could access it before.
    ///
    /// Throws `folderUnusable` when the current user may not change the permissions.
    static func close(_ folder: URL) throws(ServerError) -> Bool {
        let privacy = FolderPrivacy(of: folder)
        if privacy == .kept { return false }
        if privacy == .closable, chmod(folder.path, 0o700) == 0 { return true }
        throw ServerError(
            .folderUnusable, "other users of this machine may look into the data folder \(folder.path)",
            nextStep: nextStep(folder)
        )
    }

    /// The next step of an operator when the folder belongs to another user.
    static func nextStep(_ folder: URL) -> String {
        "have its owner do: chmod 700 \(folder.path), run as that user, or name a new folder in it, such as "
            + folder.appendingPathComponent("data").path
    }
}
