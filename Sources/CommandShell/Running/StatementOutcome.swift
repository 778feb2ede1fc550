import Foundation

/// The result of running a statement.
public struct StatementOutcome: Sendable {
    /// The text to print.
    public var rendering = Rendering()
    /// The error; nil if the statement succeeded.
    public var shellError: ShellError?
    /// The exit code, if the statement leaves the shell.
    public var exitCode: Int32?
    /// Whether the statement was a claim that holds.
    public var isHeldClaim = false

    /// Creates an outcome; by default a success without output.
    public init(
        rendering: Rendering = Rendering(), shellError: ShellError? = nil, exitCode: Int32? = nil,
        isHeldClaim: Bool = false
    ) {
        self.rendering = rendering
        self.shellError = shellError
        self.exitCode = exitCode
        self.isHeldClaim = isHeldClaim
    }
}
