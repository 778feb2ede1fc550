import Foundation

/// A claim about the result of the command before.
public enum Expectation: Equatable, Sendable {
    /// The result has so many records.
    case count(Comparison, Int)
    /// The result has no records.
    case none
    /// The command succeeded.
    case ok
    /// The command failed, with this code if one is given.
    case error(code: String?)
    /// Some text of the result contains these characters, whatever their case.
    case contains(String)
    /// A field of one record (the first, unless a number says which) compares like this.
    case field(FieldName, Comparison, String)
    /// A field of every record compares like this, and there is at least one record.
    case every(FieldName, Comparison, String)
    /// The records come in the order of a field.
    case sorted(FieldName, descending: Bool)
}
