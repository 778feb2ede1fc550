import Crypto
import Records

/// The expected checksum of a file, and the action to run if the file matches.
struct ContentCheck: Sendable {
    let content: AssetChecksum
    let onSuccess: @Sendable () -> Void

    /// Compares the hash of all bytes with the checksum, and runs `onSuccess` if they match. Throws
    /// `internalError` if they differ.
    func finish(_ hash: SHA256) throws {
        guard AssetChecksum(hash.finalize()) == content else { throw RecordError.damaged(content.text) }
        onSuccess()
    }
}
