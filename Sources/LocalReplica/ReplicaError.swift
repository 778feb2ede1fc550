import GRDB

/// An error of the replica: what failed, why, and what to do next.
public struct ReplicaError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of error.
    public enum Code: String, Hashable, Sendable {
        /// The disk is full, the folder cannot be written to, or another process uses the database.
        case storage
        /// A newer version of the app has written the file.
        case newerVersion
        /// Stored data cannot be read.
        case damaged
        /// A file for a record's field cannot be read.
        case unreadableFile
        /// The zone does not exist on this device.
        case notFound
        /// The zone is in use, so it cannot be resumed.
        case inUse
        /// The replica contains the records of another database: the private or the shared one.
        case otherDatabase
    }

    /// The kind of error.
    public let code: Code
    /// The file, record or zone that the error concerns.
    public let culprit: String
    /// The cause.
    public let reason: String
    /// The next step for the caller.
    public let nextStep: String

    init(_ code: Code, _ culprit: String, _ reason: String, nextStep: String) {
        self.code = code
        self.culprit = culprit
        self.reason = reason
        self.nextStep = nextStep
    }

    /// The error of an access to the database or to a file.
    init(storage error: any Error, _ culprit: String) {
        if let known = error as? ReplicaError {
            self = known
            return
        }
        let failure = error as? DatabaseError
        let (code, nextStep): (Code, String) =
            switch failure?.resultCode ?? .SQLITE_ERROR {
            case .SQLITE_FULL: (.storage, "free space on the disk")
            case .SQLITE_BUSY, .SQLITE_LOCKED:
                (.storage, "try again when no other process uses the replica")
            case .SQLITE_CORRUPT, .SQLITE_NOTADB: (.damaged, Self.fetchAgain)
            default: (.storage, "check that the folder can be written to and that the disk has free space")
            }
        self.init(code, culprit, failure?.message ?? "\(error)", nextStep: nextStep)
    }

    /// The next step after damage.
    static let fetchAgain = "delete the replica and its unsent edits; the next sync fetches the records"

    /// Culprit, reason and next step in one line.
    public var description: String { "\(culprit): \(reason) - \(nextStep)" }
}
