package import Foundation
import GRDB
package import Records

/// GRDB also declares a type `RecordError`.
typealias RecordError = Records.RecordError

extension Records.RecordError {
    /// Converts an error that the database engine threw into the error of a store.
    ///
    /// - Parameter file: The database that was being opened, if any. On a full disk, opening fails with one
    ///   of several codes, which have other causes too.
    package init(storage error: any Error, opening file: URL? = nil) {
        if let error = error as? RecordError {
            self = error
            return
        }
        if error is CancellationError {
            self.init(
                .tryAgainLater, "the request was cancelled before it was answered", culprit: "request",
                nextStep: "send the request again", retryAfter: 0
            )
            return
        }
        guard let error = error as? DatabaseError else {
            self.init(.internalError, "the store failed", nextStep: Self.lookAtLog)
            diagnosis = "\(error)"
            return
        }
        if Self.isFullDisk(error, file) {
            self = .fullDisk
            return
        }
        switch error.resultCode {
        case .SQLITE_BUSY, .SQLITE_LOCKED:
            self.init(
                .tryAgainLater, "the database is busy", nextStep: "try again in a moment", retryAfter: 1
            )
        case .SQLITE_INTERRUPT: self = .stopping
        default:
            self.init(.internalError, "the store failed", nextStep: Self.lookAtLog)
            // The diagnosis omits the statement, which may be long and adds nothing to the message.
            diagnosis = "\(error.message ?? "unknown") (\(error.extendedResultCode))"
        }
    }

    private static func isFullDisk(_ error: DatabaseError, _ file: URL?) -> Bool {
        // The index of the log could not be enlarged.
        if error.extendedResultCode == .SQLITE_IOERR_SHMSIZE { return true }
        switch error.resultCode {
        case .SQLITE_FULL: return true
        case .SQLITE_IOERR, .SQLITE_CANTOPEN: return file.map { DiskRoom.isUsedUp(at: $0) } ?? false
        default: return false
        }
    }

    private static let lookAtLog = "look at the server's log; run a check of the data folder"
}
