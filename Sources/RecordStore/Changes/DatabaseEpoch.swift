/// What a database gets that takes the place of another one which clients have seen: one restored from a
/// backup, or a new one under the name of one that was removed.
///
/// Clients hold change tokens and change tags of the earlier database. The new identity makes each earlier
/// token that of another database, so that its holder starts over. The gap makes the numbers go on far beyond
/// all that were given out before, so that no change tag stands for two versions of a record. It is random,
/// so that this holds as well when the same backup is restored twice.
package struct DatabaseEpoch: Hashable, Sendable {
    package var identity: Int64
    /// How many numbers are left out.
    package var gap: Int64

    /// No database makes as many changes as the smallest gap leaves out. The largest one is small enough for
    /// thousands of restores, each of what the one before has made.
    package static let gaps: ClosedRange<Int64> = 1 << 40...1 << 50

    package init(identity: Int64, gap: Int64) {
        self.identity = identity
        self.gap = gap
    }

    /// - Parameter random: Gives that many random bytes.
    package init(random: (Int) -> [UInt8]) {
        func number() -> UInt64 { random(8).reduce(0) { $0 << 8 | UInt64($1) } }
        identity = Int64(bitPattern: number())
        let choices = UInt64(Self.gaps.upperBound - Self.gaps.lowerBound) + 1
        gap = Self.gaps.lowerBound + Int64(number() % choices)
    }

    /// How many changes there can be at most after a number, up to another: each has a number of its own. Nil
    /// where the numbers span a gap, because they say nothing then.
    package static func changes(after number: Int64, upTo end: Int64) -> Int? {
        let (count, isTooMuch) = end.subtractingReportingOverflow(number)
        guard !isTooMuch, (0..<gaps.lowerBound).contains(count) else { return nil }
        return Int(count)
    }
}
