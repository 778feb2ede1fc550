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
        /// The zone is in use, so it cannot be resumed, and its edits cannot be discarded.
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

    /// Creates the error of an access to the database or to a file.
    package init(storage error: any Error, _ culprit: String) {
        if let known = error as? ReplicaError {
            self = known
            return
        }
        let failure = error as? DatabaseError
        let code: Code =
            switch failure?.resultCode {
            case .SQLITE_CORRUPT?, .SQLITE_NOTADB?: .damaged
            default: .storage
            }
        self.init(
            code, culprit, failure?.message ?? "\(error)", nextStep: Self.nextStep(after: failure?.resultCode)
        )
    }

    /// The next step after an error of SQLite; nil stands for an error of the file system.
    private static func nextStep(after code: ResultCode?) -> String {
        switch code {
        case nil: "check that the folder exists and can be written to, and that the disk has free space"
        case .SQLITE_FULL?: "free space on the disk"
        case .SQLITE_BUSY?, .SQLITE_LOCKED?: "try again when no other process uses the replica"
        case .SQLITE_CORRUPT?, .SQLITE_NOTADB?: fetchAgain
        case .SQLITE_READONLY?, .SQLITE_PERM?, .SQLITE_AUTH?, .SQLITE_CANTOPEN?:
            "check that the folder exists, and that the app may write to it and to the file"
        case .SQLITE_IOERR?: "check the disk, then open the replica again"
        case .SQLITE_NOMEM?: "free memory, then try again"
        case .SQLITE_INTERRUPT?, .SQLITE_ABORT?: "try again"
        case .SQLITE_ERROR?, .SQLITE_CONSTRAINT?, .SQLITE_MISMATCH?, .SQLITE_MISUSE?, .SQLITE_RANGE?,
            .SQLITE_TOOBIG?:
            "correct the SQL and its arguments if they are the app's, else report this"
        default: "report this with the version of SQLite"
        }
    }

    /// The next step after damage.
    static let fetchAgain = "delete the replica and its unsent edits; the next sync fetches the records"

    /// Culprit, reason and next step in one line.
    public var description: String { "\(culprit): \(reason) - \(nextStep)" }
}
