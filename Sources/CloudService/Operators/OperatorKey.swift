import Crypto
import Foundation

/// The key that authorises the operator's calls. Only its hash is kept in memory.
package struct OperatorKey: Sendable {
    private let digest: SHA256Digest

    package init(_ text: String) {
        digest = SHA256.hash(data: Data(text.utf8))
    }

    /// Whether the text is the key. Compares digests in constant time.
    package func matches(_ text: String) -> Bool { SHA256.hash(data: Data(text.utf8)) == digest }
}
