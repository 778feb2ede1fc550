/// Why a server could not start: what, and what to do next.
public struct ServerError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kinds of failure.
    public enum Code: Hashable, Sendable {
        /// The data folder cannot be made, read or written.
        case folderUnusable
        /// Another process, or another server of this one, uses the data folder.
        case folderInUse
        /// The data folder was written by a newer version.
        case folderTooNew
        /// The address cannot be listened on.
        case addressUnavailable
        /// The certificate or its key cannot be read, or do not belong together.
        case certificateUnusable
        /// The public address or a trusted proxy cannot be read.
        case proxySettingsUnusable
        /// The key for Apple's push service, or what goes with it, cannot be read.
        case pushKeyUnusable
        /// A database in the folder cannot be opened.
        case databaseUnusable
    }

    /// The kind of failure.
    public let code: Code
    /// What happened, naming the folder or address.
    public let reason: String
    /// What to do about it.
    public let nextStep: String

    package init(_ code: Code, _ reason: String, nextStep: String) {
        self.code = code
        self.reason = reason
        self.nextStep = nextStep
    }

    /// What happened and what to do, in one line.
    public var description: String { "\(reason); \(nextStep)" }
}
