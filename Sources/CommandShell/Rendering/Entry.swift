import Foundation

/// A record for output: its fields in order.
public struct Entry: Equatable, Sendable {
    /// The fields in order.
    public var fields: [AnswerField]

    /// Creates a record.
    public init(_ fields: [AnswerField]) {
        self.fields = fields
    }

    /// The value at a path of names; nil if there is no such field.
    public func value(_ path: [String]) -> Value? {
        Value.fields(fields)[path[...]]
    }
}
