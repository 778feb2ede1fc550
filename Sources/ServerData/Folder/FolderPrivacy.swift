import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The owner of a data folder, and whether other users can access it. The folder contains password hashes,
/// secrets and all records.
enum FolderPrivacy: Hashable {
    /// It belongs to the current user, and nobody else can access it.
    case ownerOnly
    /// It belongs to the current user, and other users can access it.
    case readableByOthers
    /// It belongs to another user. Files that the current user, such as root, created in it would be
    /// inaccessible to the owner's server.
    case foreign(owner: uid_t)

    init(mode: mode_t, owner: uid_t, user: uid_t) {
        if user != owner {
            self = .foreign(owner: owner)
        } else {
            self = mode & 0o077 == 0 ? .ownerOnly : .readableByOthers
        }
    }

    /// The state of a folder; links are followed. A folder whose state cannot be read counts as `kept`,
    /// because opening it fails anyway.
    init(of folder: URL) {
        var info = stat()
        guard stat(folder.path, &info) == 0 else {
            self = .ownerOnly
            return
        }
        self.init(mode: info.st_mode, owner: info.st_uid, user: geteuid())
    }

    /// Throws `folderUnusable` for a folder of another user, before anything is created in it.
    static func checkOwner(of folder: URL) throws(ServerError) {
        guard case .foreign(let owner) = FolderPrivacy(of: folder) else { return }
        throw ServerError(
            .folderUnusable,
            "the data folder \(folder.path) belongs to the user \(userName(owner)), not to "
                + userName(geteuid()),
            nextStep: nextStep(owner)
        )
    }

    /// Throws `folderUnusable` if the current user has no access to a folder or to one of its parents.
    static func checkAccess(to folder: URL) throws(ServerError) {
        if access(folder.path, R_OK | X_OK) == 0 || errno != EACCES { return }
        var info = stat()
        let isSeen = stat(folder.path, &info) == 0
        throw ServerError(
            .folderUnusable, "the user \(userName(geteuid())) has no access to \(folder.path)",
            nextStep: isSeen ? nextStep(info.st_uid) : "run the same command as the user whose folder it is")
    }

    /// Restricts access to a folder to its owner. Returns whether other users had access before.
    ///
    /// Throws `folderUnusable` when the current user may not change the permissions.
    static func close(_ folder: URL) throws(ServerError) -> Bool {
        try checkOwner(of: folder)
        if FolderPrivacy(of: folder) == .ownerOnly { return false }
        if chmod(folder.path, 0o700) == 0 { return true }
        throw ServerError(
            .folderUnusable, "other users of this machine have access to the data folder \(folder.path)",
            nextStep: "restrict it to its owner: chmod 700 \(folder.path); or choose another folder"
        )
    }

    /// The next step of a user who is not the owner of the folder.
    static func nextStep(_ owner: uid_t) -> String {
        "run the same command as that user: sudo -u \(userName(owner)) cloudlet …"
    }

    /// The name of a user; `#` and the number for a user without a name, as `sudo` takes it.
    static func userName(_ user: uid_t) -> String {
        guard let name = getpwuid(user)?.pointee.pw_name else { return "'#\(user)'" }
        return String(cString: name)
    }
}
