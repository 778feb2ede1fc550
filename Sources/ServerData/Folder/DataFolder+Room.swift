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
}
