public import Foundation

#if canImport(Glibc)
import Glibc
#endif

/// Checks who owns a file. In a shared folder such as /tmp, other users can create files.
public enum FileOwner {
    /// Whether the current user or root owns a file, or nothing is known about it.
    static func isUserOrRoot(of file: URL) -> Bool {
        guard let owner = attributes(of: file)?.st_uid else { return true }
        return owner == geteuid() || owner == 0
    }

    /// Whether another user may have created a file or folder: everybody may write into its parent folder,
    /// and neither the current user nor root owns it.
    public static func mayBeStranger(of file: URL, in folder: URL) -> Bool {
        let isShared = (attributes(of: folder)?.st_mode ?? 0) & 0o002 != 0
        return isShared && !isUserOrRoot(of: file)
    }

    private static func attributes(of file: URL) -> stat? {
        var info = stat()
        return lstat(file.path, &info) == 0 ? info : nil
    }
}
