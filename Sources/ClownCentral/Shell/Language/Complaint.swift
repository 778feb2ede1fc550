// Owns everything the shell says when a command cannot be done: what, where in the line, and what to do next.
import Foundation

/// The one error of the shell.
///
/// It carries enough to print a message that points at the place, to answer in JSON, to be asserted on by
/// `expect error` and to choose the exit code.
struct Complaint: Error, Equatable, Sendable {
    /// A stable word for the kind of trouble, for example `usage`, `ambiguousName` or `notAuthenticated`.
    var code: String
    var message: String
    /// The characters of the line that are at fault.
    var span: Range<Int>?
    /// What was probably meant, best first.
    var suggestions: [String] = []
    /// What the words could stand for when they could stand for several things.
    var candidates: [String] = []
    /// The next step to take.
    var remedy: String?
    var exit: ExitCode = .failed
    /// Everything that is known of an error of the cloud, a line each; for `explain`.
    var tree: String?
    /// The codes in the tree, outermost first.
    var codes: [String] = []
    /// The line number in a script, set by the script runner.
    var line: Int?
    /// The script, where there may be several.
    var file: String?

    /// A complaint about what was typed.
    static func usage(
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
}
