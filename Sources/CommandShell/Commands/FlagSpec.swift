import Foundation

/// A flag of a command. It may be given anywhere after the command's name.
public struct FlagSpec: Sendable {
    /// The name without the two dashes.
    public let name: String
    /// The placeholder of the value in the usage line.
    public let value: String
    /// The kind of value; `nothing` for a flag without a value.
    public let kind: ValueKind
    /// What the flag does, for the help.
    public let summary: String
    /// Whether the command requires the flag.
    public let isRequired: Bool

    /// Creates a description of a flag.
    public init(
        _ name: String, _ value: String, _ kind: ValueKind, _ summary: String, isRequired: Bool = false
    ) {
        self.name = name
        self.value = value
        self.kind = kind
        self.summary = summary
        self.isRequired = isRequired
    }

    /// The flag with its two dashes.
    public var spelling: String { "--\(name)" }

    /// The flag with its value, as in the help.
    public var usage: String { kind == .nothing ? spelling : "\(spelling) \(value)" }

    /// The flag in the usage line, in brackets unless it is required.
    var part: String { isRequired ? usage : "[\(usage)]" }
}
