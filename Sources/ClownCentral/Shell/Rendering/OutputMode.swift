// Owns the forms that answers can take.
import Foundation

/// How answers look.
enum OutputMode: String, CaseIterable, Sendable {
    case table
    /// Field by field, a record after the other.
    case line
    /// One document a command.
    case json
    /// One document a record.
    case jsonl
    case csv
    case markdown
}
