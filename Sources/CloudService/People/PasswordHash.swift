import Crypto
import CryptoExtras
import Foundation
import Records

/// The scrypt parameters for hashing a password, which determine the cost of one guess.
package struct PasswordCost: Hashable, Sendable {
    /// Logarithm to base 2 of scrypt's N.
    package var logRounds = 15
    package var blockSize = 8
    package var parallelism = 1

    package init(logRounds: Int = 15, blockSize: Int = 8, parallelism: Int = 1) {
        self.logRounds = logRounds
        self.blockSize = blockSize
        self.parallelism = parallelism
    }
}

/// A salted hash of a password, written as `$scrypt$ln=15,r=8,p=1$salt$hash`. The text contains its
/// parameters, so that those of new hashes can change.
struct PasswordHash: Hashable, Sendable {
    var cost: PasswordCost
    var salt: [UInt8]
    var bytes: [UInt8]

    /// Hashes a password. Slow on purpose; the time depends on `cost`.
    init(of password: String, salt: [UInt8], cost: PasswordCost) throws {
        self.cost = cost
        self.salt = salt
        bytes = try Self.derive(password, salt, cost)
    }

    /// Parses the format of `text`.
    init?(text: String) {
        let parts = text.split(separator: "$", omittingEmptySubsequences: false)
        guard parts.count == 5, parts[0].isEmpty, parts[1] == "scrypt", let salt = Self.bytes(parts[3]),
            let bytes = Self.bytes(parts[4])
        else { return nil }
        let numbers = parts[2].split(separator: ",").map { $0.split(separator: "=") }
        guard numbers.map(\.first) == ["ln", "r", "p"],
            let logRounds = numbers[0].last.flatMap({ Int($0) }), (1...24).contains(logRounds),
            let blockSize = numbers[1].last.flatMap({ Int($0) }), (1...64).contains(blockSize),
            let parallelism = numbers[2].last.flatMap({ Int($0) }), (1...16).contains(parallelism)
        else { return nil }
        cost = PasswordCost(logRounds: logRounds, blockSize: blockSize, parallelism: parallelism)
        self.salt = salt
        self.bytes = bytes
    }

    var text: String {
        let numbers = "ln=\(cost.logRounds),r=\(cost.blockSize),p=\(cost.parallelism)"
        return "$scrypt$\(numbers)$\(Data(salt).base64EncodedString())$\(Data(bytes).base64EncodedString())"
    }

    /// Whether the password matches this hash. Takes the same time for right and wrong passwords.
    func matches(_ password: String) throws -> Bool {
        let other = try Self.derive(password, salt, cost)
        // The comparison of authentication codes takes constant time.
        let key = SymmetricKey(data: salt)
        let code = HMAC<SHA256>.authenticationCode(for: other, using: key)
        return HMAC<SHA256>.isValidAuthenticationCode(code, authenticating: bytes, using: key)
    }

    private static func derive(_ password: String, _ salt: [UInt8], _ cost: PasswordCost) throws -> [UInt8] {
        // Two systems may encode the same typed characters composed or decomposed.
        let normal = Array(password.precomposedStringWithCompatibilityMapping.utf8)
        let key = try KDF.Scrypt.deriveKey(
            from: normal, salt: salt, outputByteCount: 32, rounds: 1 << cost.logRounds,
            blockSize: cost.blockSize, parallelism: cost.parallelism
        )
        return key.withUnsafeBytes { Array($0) }
    }

    private static func bytes(_ text: Substring) -> [UInt8]? {
        Data(base64Encoded: String(text)).map { Array($0) }
    }
}
