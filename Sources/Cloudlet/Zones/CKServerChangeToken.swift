public import Foundation

/// A place in the history of a database or a zone, opaque to apps, compared by value.
// Sendable because the text is constant.
open class CKServerChangeToken: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    /// The server's spelling.
    let text: String
    /// How many changes are to come at most after it, as far as the server told with it; nil when it did not.
    package let remaining: Int?

    init(text: String, remaining: Int? = nil) {
        self.text = text
        self.remaining = remaining
    }

    /// Reads an archive that `encode(with:)` wrote; nil for anything else.
    public required init?(coder: NSCoder) {
        guard let text = Archive.read(String.self, as: Self.archiveKey, from: coder) else { return nil }
        self.text = text
        remaining = nil
    }

    /// Equal when both mark the same place.
    open override func isEqual(_ object: Any?) -> Bool {
        (object as? CKServerChangeToken)?.text == text
    }

    /// Consistent with `isEqual(_:)`.
    open override var hash: Int { text.hashValue }

    /// The token, for people.
    open override var description: String {
        "<CKServerChangeToken: \(text)>"
    }

    /// Tokens do not change, so a copy is the same object.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Always true.
    public static var supportsSecureCoding: Bool { true }

    /// Writes the token under a key of this class.
    open func encode(with coder: NSCoder) {
        Archive.write(text, as: Self.archiveKey, to: coder)
    }

    private static let archiveKey = "cloudlet.CKServerChangeToken"
}
