// Owns what can be asked about subscriptions and pushes.
import Foundation

/// A command about subscriptions and pushes.
enum PushCommand: Equatable, Sendable {
    /// Only parties that start later than this moment of the shell's clock.
    case followParties(isFuture: Bool, once: Bool, PushStyle)
    /// Public records of a type; with a bound, only those whose number in a field is above it.
    case followRecords(type: String, above: SubscriptionRepository.Bound?, PushStyle)
    case followZone(String, PushStyle)
    case followEverything(PushStyle)
    case subscriptions
    case end(id: String)
    case listen
    case stop
    case next
    case trace
    /// How many requests were sent since this was last asked.
    case requests
    /// With `isRead`, marks what it lists.
    case notifications(isRead: Bool)
}
