public import Foundation

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The mask of the process: the rights that new files do not get.
public enum UserMask {
    /// The mask that the process was started with. Reading it means to set it for a moment.
    private static let own: mode_t = {
        let mask = umask(0)
        _ = umask(mask)
        return mask
    }()

    /// From now on, files that this process makes are for its user only. To be called before anything else
    /// of the process makes files.
    public static func tighten() {
        _ = own
        _ = umask(0o077)
    }

    /// Goes back to the mask that the process was started with, for programs that are to be started.
    public static func restore() {
        _ = umask(own)
    }

    /// Gives a file the rights that the user's own mask leaves for files.
    public static func share(_ file: URL) {
        _ = chmod(file.path, 0o666 & ~own)
    }
}

extension Data {
    /// Writes a file that the user named: whole or not at all, and with the rights that the user's own mask
    /// leaves for new files.
    public func writeForUser(to file: URL) throws {
        let isNew = !FileManager.default.fileExists(atPath: file.path)
        try write(to: file, options: .atomic)
        if isNew { UserMask.share(file) }
    }
}
