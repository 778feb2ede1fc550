/// The reason why a server could not start, or a data folder could not be used, with the next step.
public struct ServerError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kinds of failure.
    public enum Code: Hashable, Sendable {
        /// The data folder cannot be created, read or written.
        case folderUnusable
        /// Another process, or another server in this process, uses the data folder.
        case folderInUse
        /// The data folder was written by a newer version.
        case folderTooNew
        /// The server cannot listen on the address.
        case addressUnavailable
        /// The certificate or its key cannot be read, or do not belong together.
        case certificateUnusable
        /// The public address or a trusted proxy is invalid.
        case proxySettingsUnusable
        /// The URL of the apps' web page is not valid.
        case fallbackUnusable
        /// A rule for alerts cannot be read.
        case alertsUnusable
        /// The key for Apple's push service cannot be read, or its settings are invalid.
        case pushKeyUnusable
        /// A database in the folder cannot be opened.
        case databaseUnusable
        /// The database engine that keeps the records cannot be used.
        case engineUnusable
    }

    /// The kind of failure.
    public let code: Code
    /// The failure, with the folder or address concerned.
    public let reason: String
    /// The action that corrects the failure.
    public let nextStep: String

    package init(_ code: Code, _ reason: String, nextStep: String) {
        self.code = code
        self.reason = reason
        self.nextStep = nextStep
    }

    /// The failure and the next step, in one line.
    public var description: String { "\(reason); \(nextStep)" }
}
