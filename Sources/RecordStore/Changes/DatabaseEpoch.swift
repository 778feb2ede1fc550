import Records

/// The new identity of a database that takes the place of another one which clients have seen: one restored
/// from a backup, or a new one under the name of a removed one.
///
/// Clients hold change tokens and change tags of the earlier database. With the new identity, each earlier
/// token belongs to another database and expires, so its holder starts over. The gap raises the sequence
/// numbers far above all earlier ones, so that no change tag stands for two versions of a record. The gap is
/// random, so that this holds even if the same backup is restored twice.
package struct DatabaseEpoch: Hashable, Sendable {
    package var identity: Int64
    /// The count of sequence numbers that are skipped.
    package var gap: Int64

    /// The possible gaps. The smallest one exceeds the number of changes that a database can make in
    /// practice. The largest one leaves room for thousands of successive restores.
    package static let gaps: ClosedRange<Int64> = 1 << 40...1 << 50

    package init(identity: Int64, gap: Int64) {
        self.identity = identity
        self.gap = gap
    }

    /// - Parameter random: returns the given number of random bytes.
    package init(random: (Int) -> [UInt8]) {
        func number() -> UInt64 { random(8).bigEndianNumber }
        identity = Int64(bitPattern: number())
        let choices = UInt64(Self.gaps.upperBound - Self.gaps.lowerBound) + 1
        gap = Self.gaps.lowerBound + Int64(number() % choices)
    }

    /// Returns an upper bound for the number of changes with numbers above `number`, up to `end`; nil if a
    /// gap lies between them, since the difference is then no useful bound.
    package static func changes(after number: Int64, upTo end: Int64) -> Int? {
        let (count, isTooMuch) = end.subtractingReportingOverflow(number)
        guard !isTooMuch, (0..<gaps.lowerBound).contains(count) else { return nil }
        return Int(count)
    }
}
