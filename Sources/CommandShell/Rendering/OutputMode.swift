import Foundation

/// The output modes for answers.
public enum OutputMode: String, CaseIterable, Sendable {
    case table
    /// One field per line, one record after the other.
    case line
    /// One JSON document per command.
    case json
    /// One JSON document per record.
    case jsonl
    case csv
    case markdown

    /// A description of the mode, for help and completion.
    public var summary: String {
        switch self {
        case .table: "a table, fitted to the window"
        case .line: "one field per line, one record after the other"
        case .json: "one JSON document per command"
        case .jsonl: "one JSON document per record"
        case .csv: "comma-separated values with a line of headings"
        case .markdown: "a table in Markdown"
        }
    }
}
