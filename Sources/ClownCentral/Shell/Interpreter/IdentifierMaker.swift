// Owns the making of record names: short enough to type, and repeatable from a seed.
import Foundation

/// Makes identifiers such as `party-7k2m9qwx4bdt`: 60 random bits in letters that are hard to mistake.
struct IdentifierMaker: Sendable {
    private var numbers: SplitMix64

    init(seed: UInt64) {
        numbers = SplitMix64(seed: seed)
    }

    /// A number that makes another process's identifiers repeatable.
    mutating func nextSeed() -> UInt64 {
        numbers.next()
    }

    /// A new identifier for a record of this kind.
    mutating func next(_ kind: String) -> String {
        let letters = Array("0123456789abcdefghjkmnpqrstvwxyz")
        let tail = (0..<12).map { _ in numbers.pick(letters) }
        return "\(kind)-\(String(tail))"
    }
}
