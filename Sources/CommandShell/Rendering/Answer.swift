import Foundation

/// The result of a command.
public struct Answer: Equatable, Sendable {
    /// The form of an answer. It determines whether the JSON is an array or an object.
    public enum Form: Equatable, Sendable {
        /// Any number of records.
        case list
        /// One record.
        case record
        /// Notes only.
        case message
        /// A text to read, such as help.
        case text(String)
        /// A picture of characters and colours, as drawn by another program.
        case drawing(String)
    }

    /// The form of the answer.
    public var form: Form
    /// The records, in the order of the output.
    public var entries: [Entry] = []
    /// The columns of the table. A single record is shown field by field.
    public var columns: [Column] = []
    /// Values about the whole result, for example the number of bytes saved.
    public var facts: [AnswerField] = []
    /// Notes for standard error.
    public var notes: [String] = []
    /// A note to show if there are no records: what to do next.
    public var whenEmpty: String?
    /// The errors of the failed items of a batch.
    public var failures: [ShellError] = []
    /// Whether the JSON is an object with the records and the failures of a batch.
    public var isBatch = false
    /// The exit code, if the command leaves the shell.
    public var exitCode: Int32?

    /// Creates an answer.
    public init(
        form: Form, entries: [Entry] = [], columns: [Column] = [], facts: [AnswerField] = [],
        notes: [String] = [], whenEmpty: String? = nil, failures: [ShellError] = [], isBatch: Bool = false,
        exitCode: Int32? = nil
    ) {
        self.form = form
        self.entries = entries
        self.columns = columns
        self.facts = facts
        self.notes = notes
        self.whenEmpty = whenEmpty
        self.failures = failures
        self.isBatch = isBatch
        self.exitCode = exitCode
    }

    /// A number with its noun: `1 entry`, `2 entries`, `3 days`, `4 tasks`.
    public static func counted(_ count: Int, _ noun: String) -> String {
        if count == 1 { return "1 \(noun)" }
        let takesIES = noun.hasSuffix("y") && !["ay", "ey", "oy", "uy"].contains { noun.hasSuffix($0) }
        return takesIES ? "\(count) \(noun.dropLast())ies" : "\(count) \(noun)s"
    }

    /// The note of a list that shows only its beginning.
    public static func firstShown(_ count: Int) -> String {
        count == 1 ? "only the first is shown" : "the first \(count) are shown"
    }

    /// Creates an answer that consists of a note.
    public static func message(_ note: String, facts: [AnswerField] = []) -> Answer {
        Answer(form: .message, facts: facts, notes: [note])
    }
}
