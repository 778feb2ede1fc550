import Foundation
package import Records
import SQLiteSupport
import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

extension DataFolder {
    /// The free room on the disk of the folder; nil if the file system does not report it.
    var room: DiskRoom? {
        let measure = roomMeter.withLock { $0 }
        return measure(url)
    }

    /// The reason why nothing can be written to the folder now; nil if it can be written. The check writes
    /// nothing, so it can be repeated often.
    package var writeObstacle: RecordError? {
        if access(url.path, R_OK | W_OK | X_OK) != 0 {
            return RecordError(
                .tryAgainLater, "the server cannot write its data folder", culprit: "storage",
                nextStep: "check that its disk is mounted and writable", retryAfter: 10)
        }
        guard room?.state == .usedUp else { return nil }
        var error = RecordError.fullDisk
        error.code = .tryAgainLater
        error.retryAfter = 10
        return error
    }

    /// A file that reserves disk space for deletions. A deletion writes before it frees space, so on a full
    /// disk without this reserve nothing could be deleted.
    var reserve: URL { url.appendingPathComponent("reserve") }

    static let reserveBytes: UInt64 = 256 << 10

    /// Creates the reserve if it is missing and the disk has at least 64 times its size free. A temporary
    /// folder gets none.
    func keepReserve() {
        guard !isTemporary, !FileManager.default.fileExists(atPath: reserve.path),
            let room, room.freeBytes >= 64 * Self.reserveBytes
        else { return }
        // Random bytes, because a file system may store zeros without using space.
        let bytes = Data(RandomSource(seed: nil).bytes(Int(Self.reserveBytes)))
        do {
            try bytes.write(to: reserve, options: .withoutOverwriting)
        } catch {
            try? FileManager.default.removeItem(at: reserve)
        }
    }

    /// Removes the reserve if the disk has less free space than `reserveBytes`.
    func giveUpReserve(_ room: DiskRoom?) {
        guard let room, room.freeBytes < Self.reserveBytes else { return }
        try? FileManager.default.removeItem(at: reserve)
    }
}
