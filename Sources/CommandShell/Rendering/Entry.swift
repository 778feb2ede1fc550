import Foundation

/// A record as the shell shows it: fields in the order that they are shown.
public struct Entry: Equatable, Sendable {
    /// The fields.
    public var fields: [Field]

    /// A record with these fields.
    public init(_ fields: [Field]) {
        self.fields = fields
    }

    /// The value at a path of names, or nothing when there is no such field.
    public func value(_ path: [String]) -> Value? {
        Value.fields(fields)[path[...]]
    }
}
