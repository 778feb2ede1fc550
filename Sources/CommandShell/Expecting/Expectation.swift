import Foundation

/// A claim about the result of the previous command.
public enum Expectation: Equatable, Sendable {
    /// The number of records satisfies the comparison.
    case count(Comparison, Int)
    /// The result has no records.
    case none
    /// The command succeeded.
    case ok
    /// The command failed, with this code if one is given.
    case error(code: String?)
    /// Some text of the result contains this text, regardless of case.
    case contains(String)
    /// A field of one record satisfies the comparison: the first record, unless the field name has a number.
    case field(FieldName, Comparison, String)
    /// A field of every record satisfies the comparison, and there is at least one record.
    case every(FieldName, Comparison, String)
    /// The records are sorted by a field.
    case sorted(FieldName, descending: Bool)
}
