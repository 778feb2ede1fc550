// Owns what can be looked at closely.
import Foundation

/// A command that only looks.
enum LookCommand: Equatable, Sendable {
    /// Draws a photo in the terminal.
    case photo(Word)
    /// Who made and changed a record, from which device.
    case blame(record: String, zone: String?)
    /// Does a command again and again.
    case watch(line: String, every: TimeInterval, times: Int)
}
