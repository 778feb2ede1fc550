import Foundation

/// How answers look.
public enum OutputMode: String, CaseIterable, Sendable {
    case table
    /// Field by field, a record after the other.
    case line
    /// One document a command.
    case json
    /// One document a record.
    case jsonl
    case csv
    case markdown

    /// What an answer looks like.
    public var summary: String {
        switch self {
        case .table: "columns, fitted to the window"
        case .line: "field by field, a record after the other"
        case .json: "one JSON document a command"
        case .jsonl: "one JSON document a record"
        case .csv: "comma-separated values with a heading"
        case .markdown: "a table for documents"
        }
    }
}
