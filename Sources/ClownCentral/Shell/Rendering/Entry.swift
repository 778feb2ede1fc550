// Owns one record of a result.
import Foundation

/// A record as the shell shows it: fields in the order that they are shown.
struct Entry: Equatable, Sendable {
    var fields: [Field]

    init(_ fields: [Field]) {
        self.fields = fields
    }

    /// The value at a path of names, or nothing when there is no such field.
    func value(_ path: [String]) -> Value? {
        Value.fields(fields)[path[...]]
    }
}
