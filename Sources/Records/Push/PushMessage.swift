/// A notification with its recipient. Its JSON is the payload of a push.
package struct PushMessage: Hashable, Sendable {
    package var container: String
    package var environment: CloudEnvironment
    /// The user record name of the recipient.
    package var user: String
    package var database: DatabaseKind
    package var notification: PushNotification
    /// The new badge of the app's icon; nil: unchanged.
    package var badge: Int?
    /// Whether content was removed to fit the payload limit.
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

    /// Whether the push has a visible or audible effect. Other pushes are sent with low priority.
    package var isVisible: Bool { notification.presentation.isVisible }
}
