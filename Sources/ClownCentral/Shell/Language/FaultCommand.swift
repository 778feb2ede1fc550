// Owns what can be asked of the dials that make things go wrong.
import Foundation

/// A command about faults.
enum FaultCommand: Equatable, Sendable {
    case add(FaultRequest)
    case list
    /// Ends the faults of a name, or all.
    case clear(name: String?)
}
