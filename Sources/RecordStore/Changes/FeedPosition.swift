package import Records

/// A place in the feed of one zone of one database, as tokens carry it.
package struct FeedPosition: Hashable, Sendable {
    /// Differs between databases, so that a token of another one is recognised.
    package var database: Int64
    /// Differs between a zone and its re-creation under the same name.
    package var zone: Int64
    /// Everything up to this number has been seen (from this number on, in a reversed feed).
    package var sequence: Int64
    package var feed: Feed
    /// Where the feed ended when this pass through it began, if it began without a token: deletions up to
    /// here concern nobody who holds this token.
    package var baseline: Int64

    /// What a token can be used for.
    package enum Feed: UInt8, Hashable, Sendable {
        case records = 0x5a
        /// Newest change first.
        case recordsReversed = 0x5b
        /// The zones of a database; `zone` is 0.
        case zones = 0x44
    }

    package init(
        database: Int64, zone: Int64, sequence: Int64, feed: Feed = .records, baseline: Int64 = 0
    ) {
        self.database = database
        self.zone = zone
        self.sequence = sequence
        self.feed = feed
        self.baseline = baseline
    }

    /// 34 bytes: kind, format version 1, database, zone, sequence, check sum. In the middle of a first pass
    /// 42: format version 2, with the baseline after the sequence.
    package var token: ChangeToken {
        let isFirstPass = baseline > sequence
        var bytes: [UInt8] = [feed.rawValue, isFirstPass ? 2 : 1]
        for number in [database, zone, sequence] { bytes.append(bigEndian: number) }
        if isFirstPass { bytes.append(bigEndian: baseline) }
        bytes.append(bigEndian: Self.checkSum(of: bytes))
        return ChangeToken(bytes: bytes)
    }

    /// Reads a token; throws `badRequest` in the words of the sheet for garbage, for a cut token, and for
    /// numbers that no sequence has.
    package init(_ token: ChangeToken) throws(RecordError) {
        let bytes = token.bytes
        guard let feed = bytes.first.flatMap(Feed.init(rawValue:)) else {
            throw Self.refusal("Unknown sync continuation type")
        }
        let isFirstPass = bytes.count == 42 && bytes[1] == 2
        guard isFirstPass || (bytes.count == 34 && bytes[1] == 1),
            Self.checkSum(of: bytes.dropLast(8)) == bytes.integer(at: bytes.count - 8)
        else { throw Self.refusal("Invalid continuation format") }
        self.init(
            database: bytes.integer(at: 2), zone: bytes.integer(at: 10), sequence: bytes.integer(at: 18),
            feed: feed, baseline: isFirstPass ? bytes.integer(at: 26) : 0
        )
        if sequence < 0 || baseline < 0 { throw Self.refusal("Invalid continuation format") }
    }

    private static func refusal(_ reason: String) -> RecordError {
        RecordError(
            .badRequest, reason, culprit: "syncToken",
            nextStep: "send the token of the last answer unchanged, or none to start again"
        )
    }

    private static func checkSum(of bytes: some Sequence<UInt8>) -> Int64 {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
        return Int64(bitPattern: hash)
    }
}

extension [UInt8] {
    fileprivate mutating func append(bigEndian number: Int64) {
        Swift.withUnsafeBytes(of: number.bigEndian) { append(contentsOf: $0) }
    }

    fileprivate func integer(at offset: Int) -> Int64 {
        Int64(bitPattern: self[offset..<offset + 8].reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
    }
}
