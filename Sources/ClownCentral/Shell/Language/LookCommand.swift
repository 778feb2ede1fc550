// Owns what can be looked at closely.
import Foundation

/// A command that only looks.
enum LookCommand: Equatable, Sendable {
    /// Draws a photo in the terminal.
    case photo(Word)
    /// Who made and changed a record, from which device.
    case blame(record: String, zone: String?)
    case watch(Watch)
    /// What went wrong last, or what a code means.
    case explain(code: Word?)

    /// Does a command again and again.
    struct Watch: Equatable, Sendable {
        var line: String
        var every: TimeInterval
        var times: Int
        /// A claim that ends it when it holds.
        var until: String?
    }
}
