import GRDB

/// Trouble with the copy on the device: what, where, and what to do.
public struct ReplicaError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of trouble.
    public enum Code: String, Hashable, Sendable {
        /// The disk is full, or the folder cannot be written to.
        case storage
        /// A newer version of the app has written the file.
        case newerVersion
        /// What is stored cannot be read.
        case damaged
        /// A file that a record is to carry cannot be read.
        case unreadableFile
        /// There is no such record.
        case notFound
        /// The zone is in use: there is nothing to resume.
        case inUse
    }

    /// The kind of trouble.
    public let code: Code
    /// What it is about.
    public let culprit: String
    /// Why.
    public let reason: String
    /// What to do next.
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
            .storage, culprit, reason, nextStep: "make room, and look whether the folder may be written")
    }

    /// The error in one line.
    public var description: String { "\(culprit): \(reason) - \(nextStep)" }
}
