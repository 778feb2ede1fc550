public import Foundation

/// The ID of a notification. IDs are compared by value.
///
/// Apple's page: <https://developer.apple.com/documentation/cloudkit/cknotification/id>.
// Sendable because the text is immutable.
open class CKNotificationID: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    /// The ID in the server's text form.
    let text: String

    init(text: String) {
        self.text = text
    }

    /// Decodes an archive that `encode(with:)` wrote; returns nil for any other data.
    public required init?(coder: NSCoder) {
        guard let text = Archive.read(String.self, as: Self.archiveKey, from: coder) else { return nil }
        self.text = text
    }

    /// Equal if both identify the same notification.
    open override func isEqual(_ object: Any?) -> Bool {
        (object as? CKNotificationID)?.text == text
    }

    /// Consistent with `isEqual(_:)`.
    open override var hash: Int { text.hashValue }

    /// The ID's text, for logs.
    open override var description: String { "<CKNotificationID: \(text)>" }

    /// Returns the same object, because an ID is immutable.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Always true.
    public static var supportsSecureCoding: Bool { true }

    /// Writes the ID under a key of this class, so that subclasses can add their own keys.
    open func encode(with coder: NSCoder) {
        Archive.write(text, as: Self.archiveKey, to: coder)
    }

    private static let archiveKey = "cloudlet.CKNotificationID"
}
