import Foundation

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
