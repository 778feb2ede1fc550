import Foundation

/// The exit codes of a process that runs commands.
public enum ExitStatus: Int32, Sendable {
    case done = 0
    case failed = 1
    case usage = 2
    case scriptStopped = 3
    case notSignedIn = 4
    case conflict = 5
    case throttled = 6
    case interrupted = 130
}
