import Crypto
import Foundation
package import Records

/// Encrypts the change numbers of a private database for guests, the people with whom its owner shares
/// records. From the plain numbers, guests could count the changes that they may not see. An encrypted number
/// has the same size, so that it can be a change tag.
///
/// It is a Feistel network of four rounds, whose functions are SHA-256 with a key of the database.
package struct ChangeNumberCipher: Sendable {
    /// Two halves of a number, with `width` bits each.
    private struct Halves {
        var left: UInt64
        var right: UInt64
    }

    /// The hash after it has processed the key and the database.
    private let base: SHA256

    private static let rounds: [UInt8] = [0, 1, 2, 3]
    /// Bits of each half of a change's number.
    private static let numberBits: UInt64 = 31

    init(key: SymmetricKey, database: DatabaseKey) {
        var base = SHA256()
        key.withUnsafeBytes { base.update(bufferPointer: $0) }
        base.update(data: Array(database.text.utf8))
        self.base = base
    }

    /// The number that guests see in place of a change's number.
    package func encrypted(_ number: Int64) -> Int64 { mapped(number, Self.rounds) }

    /// The change's number that guests see as this number.
    package func decrypted(_ number: Int64) -> Int64 { mapped(number, Self.rounds.reversed()) }

    /// The tag that a guest sees in place of the tag of a version of a record.
    package func encrypted(_ tag: ChangeTag) -> ChangeTag {
        guard let number = tag.number else { return tag }
        return ChangeTag(sequence: encrypted(number))
    }

    /// The tag of a version of a record, given the tag that a guest sees. Returns other texts unchanged: they
    /// are no tags.
    func decrypted(_ tag: ChangeTag) -> ChangeTag {
        guard let number = tag.number else { return tag }
        return ChangeTag(sequence: decrypted(number))
    }

    private func mapped(_ number: Int64, _ rounds: [UInt8]) -> Int64 {
        let width = Self.numberBits
        guard number >= 0, number >> (2 * Int64(width)) == 0 else { return number }
        let mask = (UInt64(1) << width) - 1
        var halves = Halves(left: UInt64(number) >> width, right: UInt64(number) & mask)
        mix(&halves, rounds, leftMask: mask, rightMask: mask)
        return Int64(halves.left << width | halves.right)
    }

    // MARK: Identifiers of notifications

    /// The identifier that guests see in place of a notification's own, a UUID of `PushID`. Returns other
    /// texts unchanged.
    func encrypted(_ id: String) -> String { mapped(id, Self.rounds) }

    /// The identifier of the notification for which guests see this identifier; the inverse of `encrypted`.
    func decrypted(_ id: String) -> String { mapped(id, Self.rounds.reversed()) }

    private func mapped(_ id: String, _ rounds: [UInt8]) -> String {
        guard id.utf8.count == 36, let uuid = UUID(uuidString: id)?.uuid else { return id }
        let bytes = Swift.withUnsafeBytes(of: uuid) { [UInt8]($0) }
        func word(_ start: Int) -> UInt64 { bytes[start..<start + 8].bigEndianNumber }
        var halves = Halves(left: word(0), right: word(8))
        // The bits of the UUID's version and variant stay.
        mix(&halves, rounds, leftMask: ~0xf000, rightMask: ~(0xc0 << 56))
        var mapped: [UInt8] = []
        for half in [halves.left, halves.right] { mapped.append(bigEndian: half) }
        return mapped.uuidText
    }

    /// Each round changes one half by a hash of the other, so that the rounds in reverse order undo it.
    private func mix(_ halves: inout Halves, _ rounds: [UInt8], leftMask: UInt64, rightMask: UInt64) {
        for round in rounds {
            if round.isMultiple(of: 2) {
                halves.left ^= hash(of: halves.right, round) & leftMask
            } else {
                halves.right ^= hash(of: halves.left, round) & rightMask
            }
        }
    }

    private func hash(of half: UInt64, _ round: UInt8) -> UInt64 {
        var hash = base
        Swift.withUnsafeBytes(of: (half.bigEndian, round)) { hash.update(bufferPointer: $0) }
        return hash.finalize().prefix(8).bigEndianNumber
    }
}
