// Owns the description of one flag of a command.
import Foundation

/// A flag that a command takes anywhere after its name.
struct FlagSpec: Sendable {
    /// The name without its two dashes.
    let name: String
    /// What stands for the value in the usage line.
    let value: String
    let kind: ValueKind
    let summary: String
    /// Whether the command cannot do without it.
    let isRequired: Bool

    init(
        _ name: String, _ value: String, _ kind: ValueKind, _ summary: String, isRequired: Bool = false
    ) {
        self.name = name
        self.value = value
        self.kind = kind
        self.summary = summary
        self.isRequired = isRequired
    }

    /// The flag as it is typed.
    var spelling: String { "--\(name)" }

    /// The flag with its value, as help shows it.
    var usage: String { kind == .nothing ? spelling : "\(spelling) \(value)" }
}
