// Owns a named value inside a result.
import Foundation

/// A value under the name that JSON and `expect` use for it.
struct Field: Equatable, Sendable {
    let name: String
    let value: Value

    init(_ name: String, _ value: Value) {
        self.name = name
        self.value = value
    }
}
