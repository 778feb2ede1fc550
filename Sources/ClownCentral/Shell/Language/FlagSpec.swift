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

    init(_ name: String, _ value: String, _ kind: ValueKind, _ summary: String) {
        self.name = name
        self.value = value
        self.kind = kind
        self.summary = summary
    }

    /// The flag as it is typed.
    var spelling: String { "--\(name)" }

    /// The flag with its value, as help shows it.
    var usage: String { kind == .nothing ? spelling : "\(spelling) \(value)" }
}
