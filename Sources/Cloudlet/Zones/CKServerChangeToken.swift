public import Foundation

/// A position in the change history of a database or a zone. It is opaque to apps and compared by value.
///
/// Apple's page: <https://developer.apple.com/documentation/cloudkit/ckserverchangetoken>.
// Sendable because the text is immutable.
open class CKServerChangeToken: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    /// The token in the server's text form.
    let text: String
    /// An upper bound of the changes after this token; nil if the server did not report it.
    package let remaining: Int?

    init(text: String, remaining: Int? = nil) {
        self.text = text
        self.remaining = remaining
    }

    /// Decodes an archive that `encode(with:)` or the CloudKit framework wrote; returns nil for any other
    /// data. The server refuses a token of another service.
    public required init?(coder: NSCoder) {
        if let text = Archive.read(String.self, as: Self.archiveKey, from: coder) {
            self.text = text
        } else if let data = FrameworkArchive.object(NSData.self, "ChangeTokenData", from: coder) {
            text = data.base64EncodedString()
        } else {
            return nil
        }
        remaining = nil
    }

    /// Equal if both mark the same position.
    open override func isEqual(_ object: Any?) -> Bool {
        (object as? CKServerChangeToken)?.text == text
    }

    /// Consistent with `isEqual(_:)`.
    open override var hash: Int { text.hashValue }

    /// The token's text, for logs.
    open override var description: String {
        "<CKServerChangeToken: \(text)>"
    }

    /// Returns the same object, because a token is immutable.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Always true.
    public static var supportsSecureCoding: Bool { true }

    /// Writes the token under a key of this class, so that subclasses can add their own keys.
    open func encode(with coder: NSCoder) {
        Archive.write(text, as: Self.archiveKey, to: coder)
    }

    private static let archiveKey = "cloudlet.CKServerChangeToken"

    /// The position as bytes, for `restored(_:)`. A keyed archive takes much longer to write and to read.
    package var stored: Data { Data((Self.storedMark + text).utf8) }

    /// Creates a token from `stored`; returns nil for any other bytes.
    package static func restored(_ stored: Data) -> CKServerChangeToken? {
        guard stored.starts(with: storedMark.utf8) else { return nil }
        return String(data: stored.dropFirst(storedMark.utf8.count), encoding: .utf8)
            .map { CKServerChangeToken(text: $0) }
    }

    /// No keyed archive begins with these characters.
    private static let storedMark = "token:"
}
