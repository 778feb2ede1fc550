import CryptoExtras
import Foundation
internal import Records

extension ContactAddress {
    /// The hash by which the server knows the address of somebody who agreed to be found.
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
