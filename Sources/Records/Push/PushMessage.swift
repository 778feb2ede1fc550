/// A notification with whom and what it is for; its spelling is the payload of a push.
package struct PushMessage: Hashable, Sendable {
    package var container: String
    package var environment: CloudEnvironment
    /// The user record name of whoever is told.
    package var user: String
    package var database: DatabaseKind
    package var notification: PushNotification
    /// What the app's icon is to show from now on; nil: no change.
    package var badge: Int?
    /// Whether something was left out because there was no room.
    package var isPruned = false

    package init(
        container: String, environment: CloudEnvironment, user: String, database: DatabaseKind,
        notification: PushNotification, badge: Int? = nil
    ) {
        self.container = container
        self.environment = environment
        self.user = user
        self.database = database
        self.notification = notification
        self.badge = badge
    }

    /// Whether the person is to see or hear it; all others are delivered when it suits.
    package var isVisible: Bool { notification.look.isVisible }
}
