/// The error type of a shell.
///
/// It has everything to print a message that points at the position in the line, to answer in JSON, to be
/// checked by `expect error`, and to choose the exit code.
public struct ShellError: Error, Equatable, Sendable {
    /// A stable identifier of the kind of error, for example `usage`, `ambiguousName` or `notAuthenticated`.
    public var code: String
    /// The culprit and the reason, in one sentence without the next step.
    public var message: String
    /// A stable identifier that distinguishes errors with the same code, for the program itself.
    public var reason: String?
    /// The range of characters in the line that caused the error.
    public var span: Range<Int>?
    /// What the person probably meant, best first.
    public var suggestions: [String] = []
    /// What an ambiguous name could refer to.
    public var candidates: [String] = []
    /// The next step: a command to type, or an instruction in lower case without a full stop. It is printed
    /// after `try:`.
    public var remedy: String?
    /// The exit code if the error ends the process.
    public var exit: ExitStatus = .failed
    /// The underlying error in several lines.
    public var tree: String?
    /// The error codes in `tree`, outermost first.
    public var codes: [String] = []
    /// The line number in a script. The script runner sets it.
    public var line: Int?
    /// The name of the script, if several may run.
    public var file: String?

    /// Creates an error about invalid input.
    public static func usage(
        _ message: String,
        at span: Range<Int>? = nil,
        suggestions: [String] = [],
        remedy: String? = nil
    ) -> ShellError {
        ShellError(
            code: "usage",
            message: message,
            span: span,
            suggestions: suggestions,
            remedy: remedy,
            exit: .usage
        )
    }

    /// Creates an error.
    public init(
        code: String, message: String, span: Range<Int>? = nil, suggestions: [String] = [],
        candidates: [String] = [], remedy: String? = nil, exit: ExitStatus = .failed, line: Int? = nil
    ) {
        self.code = code
        self.message = message
        self.span = span
        self.suggestions = suggestions
        self.candidates = candidates
        self.remedy = remedy
        self.exit = exit
        self.line = line
    }
}

/// An error that can be converted to a `ShellError`.
public protocol ShellErrorConvertible: Error {
    /// The error as a shell prints it.
    var shellError: ShellError { get }
}

extension ShellError {
    /// Converts any error. One that is no `ShellErrorConvertible` gets the code `failed`.
    public init(_ error: any Error) {
        switch error {
        case let shellError as ShellError: self = shellError
        case is CancellationError: self = .interrupted
        case let error as any ShellErrorConvertible: self = error.shellError
        default: self.init(code: "failed", message: "\(error)")
        }
    }

    /// The error for a command that Ctrl-C interrupted.
    public static let interrupted = ShellError(
        code: "operationCancelled", message: "stopped", exit: .interrupted)

    /// The same error with the name of a batch item in front of its message.
    public func naming(_ item: String) -> ShellError {
        var shellError = self
        shellError.message = "\(item): \(message)"
        return shellError
    }
}
