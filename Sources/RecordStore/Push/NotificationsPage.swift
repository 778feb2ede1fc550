package import Records

/// A notification with its number in its database.
package struct NumberedNotification: Hashable, Sendable {
    package var number: Int64
    package var owner: String
    package var notification: PushNotification
    /// The size of its encoded form.
    package var bytes: Int
    /// Whether another process wrote it, which counts it in the owner's badge and sends it to push services.
    package var isForeign: Bool

    package init(
        number: Int64, owner: String, notification: PushNotification, bytes: Int, isForeign: Bool = false
    ) {
        self.isForeign = isForeign
        self.number = number
        self.owner = owner
        self.notification = notification
        self.bytes = bytes
    }
}

extension PushNotification {
    /// The notice that the notifications about one change were read. It lowers the badge if one of them
    /// raised it.
    package static func reading(
        of read: [PushNotification], id: String, by stamp: Stamp
    ) -> PushNotification {
        var presentation = PushPresentation()
        presentation.raisesBadge = read.contains { $0.presentation.raisesBadge }
        return PushNotification(
            id: id, subscriptionID: "", cause: .read, presentation: presentation, origin: stamp)
    }
}

/// A page of a person's notifications, oldest first.
package struct NotificationsPage: Hashable, Sendable {
    package var notifications: [NumberedNotification]
    /// The number after which the next page begins.
    package var end: Int64
    package var moreComing: Bool

    package init(notifications: [NumberedNotification], end: Int64, moreComing: Bool) {
        self.notifications = notifications
        self.end = end
        self.moreComing = moreComing
    }

    /// The error for a position from before a forgotten notification.
    package static let expired = RecordError(
        .changeTokenExpired, "client knowledge differs from server knowledge", culprit: "notifications",
        nextStep: "fetch the collection from its start, without a token"
    )
}
