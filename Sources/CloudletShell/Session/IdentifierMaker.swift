import Records

/// Makes identifiers such as `note-7k2m9qwx4bdt`: 60 random bits in characters that are hard to confuse.
struct IdentifierMaker: Sendable {
    private static let letters = Array("0123456789abcdefghjkmnpqrstvwxyz")

    private var numbers: SplitMix64

    init(seed: UInt64) {
        numbers = SplitMix64(seed: seed)
    }

    /// A seed that makes the identifiers of another process repeatable.
    mutating func nextSeed() -> UInt64 { numbers.next() }

    /// A new identifier for a record of this kind.
    mutating func next(_ kind: String) -> String {
        let tail = (0..<12).map { _ in Self.letters[numbers.below(Self.letters.count)] }
        return "\(kind)-\(String(tail))"
    }
}
