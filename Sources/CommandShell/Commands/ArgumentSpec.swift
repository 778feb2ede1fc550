import Foundation

/// An argument that a command takes by its position.
public struct ArgumentSpec: Sendable {
    /// How often the argument may be given.
    public enum Arity: Sendable {
        case one
        case optional
        case many
        /// As often as one likes, or not at all.
        case any
        /// Everything that follows, flags included.
        case rest
    }

    /// What stands for the value in the usage line.
    public let name: String
    /// What is expected there.
    public let kind: ValueKind
    /// How often it may be given.
    public let arity: Arity

    /// Describes an argument.
    public init(_ name: String, _ kind: ValueKind, _ arity: Arity = .one) {
        self.name = name
        self.kind = kind
        self.arity = arity
    }

    /// The argument as the usage line shows it.
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
