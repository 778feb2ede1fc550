public import Foundation

/// Names a notification, compared by value.
// Sendable because the text is constant.
open class CKNotificationID: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    /// The server's spelling.
    let text: String

    init(text: String) {
        self.text = text
    }

    /// Reads an archive that `encode(with:)` wrote; nil for anything else.
    public required init?(coder: NSCoder) {
        guard let text = Archive.read(String.self, as: Self.archiveKey, from: coder) else { return nil }
        self.text = text
    }

    /// Equal when both name the same notification.
    open override func isEqual(_ object: Any?) -> Bool {
        (object as? CKNotificationID)?.text == text
    }

    /// Consistent with `isEqual(_:)`.
    open override var hash: Int { text.hashValue }

    /// The text, for people.
    open override var description: String { "<CKNotificationID: \(text)>" }

    /// IDs do not change, so a copy is the same object.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Always true.
    public static var supportsSecureCoding: Bool { true }

    /// Writes the ID under a key of this class.
    open func encode(with coder: NSCoder) {
        Archive.write(text, as: Self.archiveKey, to: coder)
    }

    private static let archiveKey = "cloudlet.CKNotificationID"
}
