/// One entry of a person's notification collection.
package struct PushNotification: Hashable, Sendable {
    /// The event that the notification reports.
    package enum Cause: Hashable, Sendable {
        /// A change to a record that matches a query subscription.
        case query(RecordID, Subscription.Event, fields: Fields)
        case zone(ZoneID)
        case database
        /// The notification with this ID was read on another device.
        case read
    }

    /// The identifier of the change. Notifications of several subscriptions for one change share it.
    package var id: String
    /// The subscription that fired; empty for `read`.
    package var subscriptionID: String
    package var cause: Cause
    package var presentation: PushPresentation
    /// The time, person and device of the change.
    package var origin: Stamp

    package init(
        id: String, subscriptionID: String, cause: Cause, presentation: PushPresentation = PushPresentation(),
        origin: Stamp
    ) {
        self.id = id
        self.subscriptionID = subscriptionID
        self.cause = cause
        self.presentation = presentation
        self.origin = origin
    }
}

/// The presentation of one push: its subscription's `NotificationInfo` with the record's values filled in.
package struct PushPresentation: Hashable, Sendable {
    /// A text, or a string table key with its arguments.
    package struct Text: Hashable, Sendable {
        package var text: String?
        package var key: String?
        package var arguments: [String]

        package init(_ text: String? = nil, key: String? = nil, arguments: [String] = []) {
            self.text = text
            self.key = key
            self.arguments = arguments
        }

        package var isEmpty: Bool { text == nil && key == nil && arguments.isEmpty }
    }

    package var alert = Text()
    package var title = Text()
    package var subtitle = Text()
    package var actionKey: String?
    package var launchImage: String?
    package var sound: String?
    package var category: String?
    package var collapseID: String?
    package var raisesBadge = false
    package var isContentAvailable = false
    package var hasMutableContent = false

    package init() {}

    /// Whether the push has a visible or audible effect. Such pushes are urgent; others are sent with low
    /// priority.
    package var isVisible: Bool {
        !alert.isEmpty || !title.isEmpty || !subtitle.isEmpty || sound != nil || raisesBadge
            || actionKey != nil || launchImage != nil
    }
}

/// Encodes and decodes the subscriptions and notifications that stores keep.
package protocol PushCodec: Sendable {
    func encode(_ subscription: Subscription) -> [UInt8]
    /// Throws `internalError` when stored bytes are damaged.
    func subscription(_ bytes: [UInt8]) throws(RecordError) -> Subscription
    func encode(_ notification: PushNotification) -> [UInt8]
    /// Throws `internalError` when stored bytes are damaged.
    func notification(_ bytes: [UInt8]) throws(RecordError) -> PushNotification
}
