// Hashes by which a device looks up people without sending the addresses of its address book.

import CryptoExtras
import Records

extension ContactAddress {
    /// The PBKDF2 hash of the address, computed in the same way as on devices.
    var hash: [UInt8] {
        get throws {
            // Fewer rounds than for passwords: a device hashes a whole address book.
            let key = try KDF.Insecure.PBKDF2.deriveKey(
                from: Array(text.utf8), salt: Self.hashSalt, using: .sha256,
                outputByteCount: Self.hashSize, unsafeUncheckedRounds: Self.hashRounds
            )
            return key.withUnsafeBytes { Array($0) }
        }
    }
}
