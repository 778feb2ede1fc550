// Owns the description of one argument of a command.
import Foundation

/// An argument that a command takes by its position.
struct ArgumentSpec: Sendable {
    /// How often the argument may be given.
    enum Arity: Sendable {
        case one
        case optional
        case many
        /// As often as one likes, or not at all.
        case any
        /// Everything that follows, flags included.
        case rest
    }

    let name: String
    let kind: ValueKind
    let arity: Arity

    init(_ name: String, _ kind: ValueKind, _ arity: Arity = .one) {
        self.name = name
        self.kind = kind
        self.arity = arity
    }

    /// The argument as the usage line shows it.
    var usage: String {
        switch arity {
        case .one: name
        case .optional: "[\(name)]"
        case .many: "\(name)…"
        case .any: "[\(name)…]"
        case .rest: "\(name)"
        }
    }
}
