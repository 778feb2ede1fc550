import GRDB

/// An error of the replica: what failed, why, and what to do next.
public struct ReplicaError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of error.
    public enum Code: String, Hashable, Sendable {
        /// The disk is full, or the folder cannot be written to.
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

    init(storage error: any Error, _ culprit: String) {
        if let known = error as? ReplicaError {
            self = known
            return
        }
        let reason = (error as? DatabaseError)?.message ?? "\(error)"
        self.init(
            .storage, culprit, reason,
            nextStep: "free space on the disk, and check that the folder is writable")
    }

    /// Culprit, reason and next step in one line.
    public var description: String { "\(culprit): \(reason) - \(nextStep)" }
}
