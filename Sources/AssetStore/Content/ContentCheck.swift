import Crypto
import Records

/// What a file's bytes must be, and what to do when they are.
struct ContentCheck: Sendable {
    let content: AssetChecksum
    let onSuccess: @Sendable () -> Void

    /// To be called with the hash of all bytes.
    func finish(_ hash: SHA256) throws {
        guard AssetChecksum(hash.finalize()) == content else { throw RecordError.damaged(content.text) }
        onSuccess()
    }
}
