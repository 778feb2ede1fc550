/// The presentation of pushes that a subscription requests.
package struct NotificationInfo: Hashable, Sendable {
    /// A text of a push: literal, or a key in the app's string table with fields of the record as arguments.
    package struct Text: Hashable, Sendable {
        package var text: String?
        package var key: String?
        /// Names of fields whose values are the arguments of the localised text.
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
    /// The string table key for the button that opens the app.
    package var actionKey: String?
    package var launchImage: String?
    package var sound: String?
    package var category: String?
    /// A newer push replaces an older one with the same key on a device.
    package var collapseKey: String?
    /// Names of fields whose values the push carries.
    package var additionalFields: [String] = []
    package var shouldBadge = false
    package var shouldSendContentAvailable = false
    package var shouldSendMutableContent = false

    package init() {}

    /// Whether the push shows an alert, plays a sound or changes the badge.
    package var isVisible: Bool {
        !alert.isEmpty || !title.isEmpty || !subtitle.isEmpty || sound != nil || shouldBadge
            || actionKey != nil || launchImage != nil
    }
}
