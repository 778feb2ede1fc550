import Foundation
import Records
import Synchronization

/// Makes identifiers such as `note-7k2m9qwx4bdt`: 60 random bits in characters that are hard to confuse.
struct IdentifierMaker: Sendable {
    private static let letters = Array("0123456789abcdefghjkmnpqrstvwxyz")

    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    /// A seed that makes the identifiers of another process repeatable: the next number of SplitMix64.
    mutating func nextSeed() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// A new identifier for a record of this kind.
    mutating func next(_ kind: String) -> String {
        let count = UInt64(Self.letters.count)
        let tail = (0..<12).map { _ in Self.letters[Int(nextSeed().multipliedFullWidth(by: count).high)] }
        return "\(kind)-\(String(tail))"
    }
}

/// Makes UUIDs that follow from an identifier which no other installation has.
public final class UUIDSource: Sendable {
    private let maker: Mutex<IdentifierMaker>

    /// Creates a source of UUIDs, repeatable for the same identifier.
    public init(_ identifier: String) {
        // FNV-1a
        let seed = identifier.utf8.reduce(UInt64(0xCBF2_9CE4_8422_2325)) {
            ($0 ^ UInt64($1)) &* 0x100_0000_01B3
        }
        maker = Mutex(IdentifierMaker(seed: seed))
    }

    /// The next UUID as text.
    public func next() -> String {
        maker.withLock { maker in
            let numbers = [maker.nextSeed(), maker.nextSeed()]
            return numbers.flatMap { number in (0..<8).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) } }
                .uuidText
        }
    }
}
