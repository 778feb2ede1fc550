public import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The file mode creation mask of the process.
public enum UserMask {
    /// The mask that the process was started with. Reading it requires setting it for a moment.
    private static let own: mode_t = {
        let mask = umask(0)
        _ = umask(mask)
        return mask
    }()

    /// From now on only the user can access files that this process creates. Call it before anything else
    /// creates files.
    public static func tighten() {
        _ = own
        _ = umask(0o077)
    }

    /// Restores the mask that the process was started with, for child processes.
    public static func restore() {
        _ = umask(own)
    }

    /// Gives a file the permissions that the user's own mask allows.
    public static func share(_ file: URL) {
        _ = chmod(file.path, 0o666 & ~own)
    }
}

extension Data {
    /// Writes a file that the user named, atomically. A new file gets the permissions that the user's own
    /// mask allows.
    public func writeForUser(to file: URL) throws {
        let isNew = !FileManager.default.fileExists(atPath: file.path)
        try write(to: file, options: .atomic)
        if isNew { UserMask.share(file) }
    }
}
