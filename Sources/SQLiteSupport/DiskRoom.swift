import Foundation

/// The free room on the disk of a file.
enum DiskRoom {
    /// Whether the disk has too little room to open a database. Opening one writes to its log, and to the
    /// index of the log. A disk that does not tell its size counts as having room.
    static func isUsedUp(at file: URL) -> Bool {
        var info = statvfs()
        guard statvfs(file.deletingLastPathComponent().path, &info) == 0, info.f_blocks > 0 else {
            return false
        }
        let bytes = UInt64(info.f_bavail) * UInt64(info.f_frsize)
        return bytes < leastBytes || (info.f_files > 0 && info.f_favail == 0)
    }

    /// The index of the log has 32 KiB, and the log gets a few pages.
    private static let leastBytes: UInt64 = 64 << 10
}
