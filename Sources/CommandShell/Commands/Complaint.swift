/// The one error of a shell.
///
/// It carries enough to print a message that points at the place, to answer in JSON, to be asserted on by
/// `expect error` and to choose the exit code.
public struct Complaint: Error, Equatable, Sendable {
    /// A stable word for the kind of trouble, for example `usage`, `ambiguousName` or `notAuthenticated`.
    public var code: String
    /// What is wrong, in a sentence.
    public var message: String
    /// A stable word that tells troubles of the same code apart, for the program itself.
    public var reason: String?
    /// The characters of the line that are at fault.
    public var span: Range<Int>?
    /// What was probably meant, best first.
    public var suggestions: [String] = []
    /// What the words could stand for when they could stand for several things.
    public var candidates: [String] = []
    /// The next step to take.
    public var remedy: String?
    /// The code that a process ends with which the complaint stops.
    public var exit: ExitStatus = .failed
    /// Everything that is known of the error beneath, a line each.
    public var tree: String?
    /// The codes in the tree, outermost first.
    public var codes: [String] = []
    /// The line number in a script, set by the script runner.
    public var line: Int?
    /// The script, where there may be several.
    public var file: String?

    /// A complaint about what was typed.
    public static func usage(
        _ message: String,
        at span: Range<Int>? = nil,
        suggestions: [String] = [],
        remedy: String? = nil
    ) -> Complaint {
        Complaint(
            code: "usage",
            message: message,
            span: span,
            suggestions: suggestions,
            remedy: remedy,
            exit: .usage
        )
    }

    /// A complaint.
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

/// An error that knows how it is told at a shell.
public protocol ComplaintConvertible: Error {
    /// The complaint that stands for the error.
    var complaint: Complaint { get }
}

extension Complaint {
    /// The complaint that stands for any error.
    public init(_ error: any Error) {
        switch error {
        case let complaint as Complaint: self = complaint
        case is CancellationError: self = .interrupted
        case let error as any ComplaintConvertible: self = error.complaint
        default: self.init(code: "failed", message: "\(error)")
        }
    }

    /// What is said when somebody pressed Ctrl-C.
    public static let interrupted = Complaint(
        code: "operationCancelled", message: "stopped", exit: .interrupted)

    /// The same complaint about one item of a batch.
    public func naming(_ item: String) -> Complaint {
        var complaint = self
        complaint.message = "\(item): \(message)"
        return complaint
    }
}
