/// One thing that happened to a push.
package struct PushTraceEntry: Hashable, Sendable {
    package enum Outcome: String, Hashable, Sendable {
        /// A change matched a subscription: the push is in the collection.
        case matched
        /// It waits for the device.
        case queued
        /// It was handed to the device.
        case sent
        /// It gave way to a newer one that says the same.
        case coalesced
        /// It gave way to a newer one because the device is away.
        case replaced
        /// It will never arrive.
        case dropped
        case expired
    }

    /// Counts all entries there ever were.
    package var number: Int
    package var at: Timestamp
    package var container: String
    /// Whom it is for.
    package var user: String
    /// The identifier of the notification.
    package var notification: String
    package var subscription: String
    /// nil while it is not about a device.
    package var device: String?
    package var outcome: Outcome
    package var reason: String?

    package init(
        number: Int, at: Timestamp, container: String, user: String, notification: String,
        subscription: String, device: String?, outcome: Outcome, reason: String?
    ) {
        self.number = number
        self.at = at
        self.container = container
        self.user = user
        self.notification = notification
        self.subscription = subscription
        self.device = device
        self.outcome = outcome
        self.reason = reason
    }
}
