import Foundation

/// A value under the name that JSON and `expect` use for it.
public struct Field: Equatable, Sendable {
    /// The name, as JSON has it.
    public let name: String
    /// The value.
    public let value: Value

    /// A field.
    public init(_ name: String, _ value: Value) {
        self.name = name
        self.value = value
    }
}
