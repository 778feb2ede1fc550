import Foundation
package import Records
import SQLiteSupport

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

extension DataFolder {
    /// The reason why nothing can be written to the folder now; nil if it can be written. Nothing is written
    /// to find out, so that anybody may ask often.
    package var writeObstacle: RecordError? {
        if access(url.path, R_OK | W_OK | X_OK) != 0 {
            return RecordError(
                .tryAgainLater, "the server cannot write its data folder", culprit: "storage",
                nextStep: "look whether its disk is mounted, and mounted for writing", retryAfter: 10)
        }
        guard DiskRoom(of: url)?.state == .usedUp else { return nil }
        var error = RecordError.fullDisk
        error.code = .tryAgainLater
        error.retryAfter = 10
        return error
    }

    /// A file that keeps room for deletions: they write before they free anything, so that nothing could be
    /// deleted on a full disk.
    var reserve: URL { url.appendingPathComponent("reserve") }

    static let reserveBytes: UInt64 = 256 << 10

    /// Creates the reserve if the disk has room for much more.
    func keepReserve() {
        guard !isTemporary, !FileManager.default.fileExists(atPath: reserve.path),
            let room = DiskRoom(of: url), room.freeBytes >= 64 * Self.reserveBytes
        else { return }
        // Random, because a file system may store zeros without using room.
        let bytes = Data(RandomSource(seed: nil).bytes(Int(Self.reserveBytes)))
        do {
            try bytes.write(to: reserve, options: .withoutOverwriting)
        } catch {
            try? FileManager.default.removeItem(at: reserve)
        }
    }

    /// Removes the reserve if the disk has less room.
    func giveUpReserve(_ room: DiskRoom?) {
        guard let room, room.freeBytes < Self.reserveBytes else { return }
        try? FileManager.default.removeItem(at: reserve)
    }
}
