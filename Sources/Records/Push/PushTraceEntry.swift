/// One step of a push on its way to a device.
package struct PushTraceEntry: Hashable, Sendable {
    package enum Outcome: String, Hashable, Sendable {
        /// A change matched a subscription, and the notification is in the collection. Also recorded for
        /// notifications that were marked as read.
        case matched
        /// The push is queued for the device.
        case queued
        /// The push was sent to the device.
        case sent
        /// A newer push with the same content replaced the push.
        case coalesced
        /// A newer push replaced the push because the device is not connected.
        case replaced
        /// The push was discarded.
        case dropped
        case expired
    }

    /// The entry's number; it counts all entries since the server started.
    package var number: Int
    package var at: Timestamp
    package var container: String
    /// The user record name of the recipient.
    package var user: String
    /// The identifier of the notification.
    package var notification: String
    package var subscription: String
    /// nil for entries that concern no device.
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
