import CryptoExtras
import Foundation
internal import Records

extension ContactAddress {
    /// The hash of the address, as the server stores it for people who can be discovered.
    var hash: [UInt8] {
        get throws {
            // A device hashes a whole address book, so this uses fewer rounds than passwords do.
            let key = try KDF.Insecure.PBKDF2.deriveKey(
                from: Array(text.utf8), salt: Self.hashSalt, using: .sha256,
                outputByteCount: Self.hashSize, unsafeUncheckedRounds: Self.hashRounds
            )
            return key.withUnsafeBytes { Array($0) }
        }
    }
}
