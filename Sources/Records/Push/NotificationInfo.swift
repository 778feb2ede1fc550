/// The look of a push, as the subscriber wants it.
package struct NotificationInfo: Hashable, Sendable {
    /// A text that is shown: as it stands, or found in the app by a key and filled with fields of the record.
    package struct Text: Hashable, Sendable {
        package var text: String?
        package var key: String?
        /// Names of fields whose values fill the places of the localised text.
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
    /// The key of the text on the button that opens the app.
    package var actionKey: String?
    package var launchImage: String?
    package var sound: String?
    package var category: String?
    /// Pushes with the same text here replace one another on a device.
    package var collapseKey: String?
    /// Names of fields whose values go into the push.
    package var additionalFields: [String] = []
    package var shouldBadge = false
    package var shouldSendContentAvailable = false
    package var shouldSendMutableContent = false

    package init() {}

    /// Whether the person is to see, hear or count anything.
    package var isVisible: Bool {
        !alert.isEmpty || !title.isEmpty || !subtitle.isEmpty || sound != nil || shouldBadge
            || actionKey != nil || launchImage != nil
    }
}
