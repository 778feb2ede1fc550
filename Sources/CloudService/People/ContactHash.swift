// Owns the hashes by which devices look for people without telling the addresses in their address books.

import CryptoExtras
import Records

extension ContactAddress {
    /// The hash of the address, as a device computes it.
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
