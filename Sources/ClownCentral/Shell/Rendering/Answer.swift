// Owns the result of a command as a value that can be printed, written as JSON, and asserted on.
import Foundation

/// What a command answers.
struct Answer: Equatable, Sendable {
    /// The outer form of the answer; it decides between a JSON array and a JSON object.
    enum Form: Equatable, Sendable {
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

    var form: Form
    var entries: [Entry] = []
    /// The columns of the table; a record on its own is shown field by field.
    var columns: [Column] = []
    /// What is known about the result as a whole, for example the bytes saved.
    var facts: [Field] = []
    /// What is said about it, on the error channel.
    var notes: [String] = []
    /// What to do when there are no records.
    var whenEmpty: String?
    /// The parts of a batch that failed while others succeeded.
    var failures: [Complaint] = []
    /// Whether the records of a batch and its failures are one JSON document.
    var isBatch = false
    /// The code to leave with, if the command leaves.
    var leavesWith: Int32?

    /// An answer of a few words.
    static func talk(_ note: String, facts: [Field] = []) -> Answer {
        Answer(form: .talk, facts: facts, notes: [note])
    }
}
