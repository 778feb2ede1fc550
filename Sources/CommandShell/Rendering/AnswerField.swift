import Foundation

/// A value with the name that JSON and `expect` use.
public struct AnswerField: Equatable, Sendable {
    /// The name in JSON.
    public let name: String
    /// The value.
    public let value: Value

    /// Creates a field.
    public init(_ name: String, _ value: Value) {
        self.name = name
        self.value = value
    }
}
