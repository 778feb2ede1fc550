package import Foundation

/// The free room on a disk.
package struct DiskRoom: Hashable, Sendable {
    /// Whether the free room is sufficient for a server.
    package enum State: Hashable, Sendable {
        case enough
        /// Less than 5 % of the disk and less than 5 GB is free, or less than 1 % of the files of the disk
        /// can still be created.
        case scarce
        /// Too little to open a database. Opening one writes to its log, and to the index of the log.
        case usedUp
    }

    /// The bytes that this user may still write.
    package var freeBytes: UInt64
    package var totalBytes: UInt64
    /// The number of files that this user may still create.
    package var freeFiles: UInt64
    /// The number of files that the disk can have; 0 if it has no such limit.
    package var totalFiles: UInt64

    package init(freeBytes: UInt64, totalBytes: UInt64, freeFiles: UInt64 = 0, totalFiles: UInt64 = 0) {
        self.freeBytes = freeBytes
        self.totalBytes = totalBytes
        self.freeFiles = freeFiles
        self.totalFiles = totalFiles
    }

    /// The room on the disk of a folder; nil if the file system does not report it.
    package init?(of folder: URL) {
        var info = statvfs()
        guard statvfs(folder.path, &info) == 0, info.f_blocks > 0 else { return nil }
        let block = UInt64(info.f_frsize)
        self.init(
            freeBytes: UInt64(info.f_bavail) * block, totalBytes: UInt64(info.f_blocks) * block,
            freeFiles: UInt64(info.f_favail), totalFiles: UInt64(info.f_files))
    }

    package var state: State {
        if freeBytes < Self.leastBytes || (totalFiles > 0 && freeFiles == 0) { return .usedUp }
        let hasFewBytes = freeBytes < totalBytes / 20 && freeBytes < Self.ampleBytes
        return hasFewBytes || freeFiles < totalFiles / 100 ? .scarce : .enough
    }

    /// Whether the disk has too little room to open a database. A disk of unknown size counts as having room.
    static func isUsedUp(at file: URL) -> Bool {
        DiskRoom(of: file.deletingLastPathComponent())?.state == .usedUp
    }

    /// The index of the log has 32 KiB, and the log gets a few pages.
    private static let leastBytes: UInt64 = 64 << 10
    /// This many free bytes are enough on a disk of any size.
    private static let ampleBytes: UInt64 = 5_000_000_000
}
