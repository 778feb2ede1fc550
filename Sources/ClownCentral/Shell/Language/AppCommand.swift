// Owns what can be asked of an app in a process of its own.
import CommandText
import Foundation

/// A command that another process does.
struct AppCommand: Equatable, Sendable {
    /// The command in the shell's language.
    let line: String
    /// Kills the process when it has said this; nothing lets it come to its end.
    let killedAt: String?
}
