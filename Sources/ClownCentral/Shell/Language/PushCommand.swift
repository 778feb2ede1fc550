// Owns what can be asked about subscriptions and pushes.
import Foundation

/// A command about subscriptions and pushes.
enum PushCommand: Equatable, Sendable {
    /// Only parties that start later than this moment of the shell's clock.
    case followParties(isFuture: Bool, once: Bool, PushStyle)
    case followZone(String, PushStyle)
    case followEverything(PushStyle)
    case subscriptions
    case end(id: String)
    case listen
    case stop
    case next
    case trace
    /// With `isRead`, marks what it lists.
    case notifications(isRead: Bool)
}
