// Owns a command together with how its answer is wanted.
import Foundation

/// What a line asks for.
struct Request: Equatable, Sendable {
    let command: Command
    /// Whether this one answer is wanted as JSON.
    var isJSON = false
}
