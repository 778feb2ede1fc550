import Crypto
import Foundation

/// What opens the operator's calls: only its hash is kept in memory.
package struct OperatorKey: Sendable {
    private let digest: SHA256Digest

    package init(_ text: String) {
        digest = SHA256.hash(data: Data(text.utf8))
    }

    /// Whether that is the key; takes the same time whatever is wrong with it, since digests are compared in
    /// constant time.
    package func admits(_ text: String) -> Bool { SHA256.hash(data: Data(text.utf8)) == digest }
}
