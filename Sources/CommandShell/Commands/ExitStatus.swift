import Foundation

/// The exit codes of a process that runs commands.
public enum ExitStatus: Int32, Sendable {
    case done = 0
    case failed = 1
    /// The command line, a setting or an argument is invalid.
    case usage = 2
    /// A script stopped at a failure of any kind.
    case scriptStopped = 3
    case notSignedIn = 4
    /// The server has a newer version of the record.
    case conflict = 5
    /// The server asks to wait, or a quota or limit is exceeded.
    case throttled = 6
    /// Ctrl-C ended the process.
    case interrupted = 130
}
