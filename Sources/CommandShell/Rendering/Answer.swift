import Foundation

/// What a command answers.
public struct Answer: Equatable, Sendable {
    /// The outer form of the answer; it decides between a JSON array and a JSON object.
    public enum Form: Equatable, Sendable {
        /// Any number of records.
        case list
        /// One record.
        case record
        /// Nothing but talk.
        case talk
        /// A text to read, such as help.
        case text(String)
        /// A picture made of characters and colours, as another program drew it.
        case drawing(String)
    }

    /// The outer form.
    public var form: Form
    /// The records, in the order that they are shown.
    public var entries: [Entry] = []
    /// The columns of the table; a record on its own is shown field by field.
    public var columns: [Column] = []
    /// What is known about the result as a whole, for example the bytes saved.
    public var facts: [Field] = []
    /// What is said about it, on the error channel.
    public var notes: [String] = []
    /// What to do when there are no records.
    public var whenEmpty: String?
    /// The parts of a batch that failed while others succeeded.
    public var failures: [Complaint] = []
    /// Whether the records of a batch and its failures are one JSON document.
    public var isBatch = false
    /// The code to leave with, if the command leaves.
    public var leavesWith: Int32?

    /// An answer.
    public init(
        form: Form, entries: [Entry] = [], columns: [Column] = [], facts: [Field] = [],
        notes: [String] = [], whenEmpty: String? = nil, failures: [Complaint] = [], isBatch: Bool = false,
        leavesWith: Int32? = nil
    ) {
        self.form = form
        self.entries = entries
        self.columns = columns
        self.facts = facts
        self.notes = notes
        self.whenEmpty = whenEmpty
        self.failures = failures
        self.isBatch = isBatch
        self.leavesWith = leavesWith
    }

    /// `1 entry`, `2 entries`, `3 tasks`.
    public static func counted(_ count: Int, _ noun: String) -> String {
        if count == 1 { return "1 \(noun)" }
        return noun.hasSuffix("y") ? "\(count) \(noun.dropLast())ies" : "\(count) \(noun)s"
    }

    /// An answer of a few words.
    public static func talk(_ note: String, facts: [Field] = []) -> Answer {
        Answer(form: .talk, facts: facts, notes: [note])
    }
}
