package import Records

/// A position in a feed of changes, as a change token contains it.
package struct FeedPosition: Hashable, Sendable {
    /// The identity of the database, by which a token of another database is recognised.
    package var database: Int64
    /// The id of the zone. A zone that is created again under the same name has another id.
    package var zone: Int64
    /// All changes up to this number have been seen; in a reversed feed, all changes from this number on.
    package var sequence: Int64
    package var feed: Feed
    /// The end of the feed when this pass through it began without a token; 0 otherwise. Forgotten deletions
    /// up to here do not expire the token, because its holder started without records.
    package var baseline: Int64
    /// In the feed of a person's shares: the number of the last row that was read among those with the
    /// position `sequence`; 0 in other feeds.
    package var row: Int64
    /// In the feed of a person's shares, between the pages of a pass: the number of the last change that the
    /// person could see when the pass began; otherwise 0.
    package var passEnd: Int64

    /// The kind of feed.
    package enum Feed: UInt8, Hashable, Sendable {
        case records = 0x5a
        /// Newest change first.
        case recordsReversed = 0x5b
        /// The zones of a database. The position's `zone` is 0.
        case zones = 0x44
        /// The records that others share with a person.
        case shared = 0x53
    }

    package init(
        database: Int64, zone: Int64, sequence: Int64, feed: Feed = .records, baseline: Int64 = 0,
        row: Int64 = 0, passEnd: Int64 = 0
    ) {
        self.database = database
        self.zone = zone
        self.sequence = sequence
        self.feed = feed
        self.baseline = baseline
        self.row = row
        self.passEnd = passEnd
    }

    /// The encoded position: kind (1 byte), format version 1 (1 byte), database, zone, sequence and check sum
    /// (8 bytes each, big endian). During a first pass it has format version 2, with the baseline after the
    /// sequence: 42 bytes instead of 34. A token of shares always has format version 4, with the row and the
    /// end of the pass after the baseline: 58 bytes. In version 3, which is still read, the end of the pass
    /// is missing.
    package var token: ChangeToken {
        let isFirstPass = baseline > sequence
        let version: UInt8 = feed == .shared ? 4 : isFirstPass ? 2 : 1
        var bytes: [UInt8] = [feed.rawValue, version]
        for number in [database, zone, sequence] { bytes.append(bigEndian: number) }
        if version > 1 { bytes.append(bigEndian: baseline) }
        if version > 2 { bytes.append(bigEndian: row) }
        if version > 3 { bytes.append(bigEndian: passEnd) }
        bytes.append(bigEndian: Self.checkSum(of: bytes))
        return ChangeToken(bytes: bytes)
    }

    /// Decodes a token. Throws `badRequest`, with the texts of the real service, for bytes of another format,
    /// for a truncated token, and for negative numbers.
    package init(_ token: ChangeToken) throws(RecordError) {
        let bytes = token.bytes
        guard let feed = bytes.first.flatMap(Feed.init(rawValue:)) else {
            throw Self.refusal("Unknown sync continuation type")
        }
        let version = bytes.count > 1 ? bytes[1] : 0
        let counts: [UInt8: Int] = feed == .shared ? [3: 50, 4: 58] : [1: 34, 2: 42]
        guard bytes.count == counts[version],
            Self.checkSum(of: bytes.dropLast(8)) == bytes.integer(at: bytes.count - 8)
        else { throw Self.refusal("Invalid continuation format") }
        self.init(
            database: bytes.integer(at: 2), zone: bytes.integer(at: 10), sequence: bytes.integer(at: 18),
            feed: feed, baseline: version > 1 ? bytes.integer(at: 26) : 0,
            row: version > 2 ? bytes.integer(at: 34) : 0,
            passEnd: version > 3 ? bytes.integer(at: 42) : 0
        )
        if min(sequence, baseline, row, passEnd) < 0 { throw Self.refusal("Invalid continuation format") }
    }

    private static func refusal(_ reason: String) -> RecordError {
        RecordError(
            .badRequest, reason, culprit: "syncToken",
            nextStep: "send the token of the last answer unchanged, or none to start again"
        )
    }

    private static func checkSum(of bytes: some Sequence<UInt8>) -> Int64 {
        Int64(bitPattern: FNV1a.hash(of: bytes))
    }
}

extension [UInt8] {
    fileprivate func integer(at offset: Int) -> Int64 {
        Int64(bitPattern: self[offset..<offset + 8].bigEndianNumber)
    }
}
