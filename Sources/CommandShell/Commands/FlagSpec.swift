import Foundation

/// A flag that a command takes anywhere after its name.
public struct FlagSpec: Sendable {
    /// The name without its two dashes.
    public let name: String
    /// What stands for the value in the usage line.
    public let value: String
    /// What kind of value it takes; `nothing` for a flag that stands alone.
    public let kind: ValueKind
    /// What it does, for help.
    public let summary: String
    /// Whether the command cannot do without it.
    public let isRequired: Bool

    /// Describes a flag.
    public init(
        _ name: String, _ value: String, _ kind: ValueKind, _ summary: String, isRequired: Bool = false
    ) {
        self.name = name
        self.value = value
        self.kind = kind
        self.summary = summary
        self.isRequired = isRequired
    }

    /// The flag as it is typed.
    public var spelling: String { "--\(name)" }

    /// The flag with its value, as help shows it.
    public var usage: String { kind == .nothing ? spelling : "\(spelling) \(value)" }
}
