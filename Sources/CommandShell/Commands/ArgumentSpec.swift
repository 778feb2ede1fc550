import Foundation

/// A positional argument of a command.
public struct ArgumentSpec: Sendable {
    /// How often an argument may be given.
    public enum Arity: Sendable {
        /// Exactly once.
        case one
        /// At most once.
        case optional
        /// One or more times.
        case many
        /// Zero or more times.
        case any
        /// All remaining words, including flags.
        case rest
    }

    /// The placeholder of the value in the usage line.
    public let name: String
    /// The kind of value.
    public let kind: ValueKind
    /// How often the argument may be given.
    public let arity: Arity

    /// Creates a description of an argument.
    public init(_ name: String, _ kind: ValueKind, _ arity: Arity = .one) {
        self.name = name
        self.kind = kind
        self.arity = arity
    }

    /// The argument in the usage line.
    public var usage: String {
        switch arity {
        case .one: name
        case .optional: "[\(name)]"
        case .many: "\(name)…"
        case .any: "[\(name)…]"
        case .rest: "\(name)"
        }
    }
}
