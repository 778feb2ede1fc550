/// Masks over eight bytes: the top bit of each byte that meets a condition is set. Bytes above the lowest
/// one that is set may be wrong, so only the lowest may be used.
enum ByteWords {
    static let ones: UInt64 = 0x0101_0101_0101_0101
    static let tops: UInt64 = 0x8080_8080_8080_8080

    /// The bytes that a JSON string must escape: quotes, backslashes, control characters.
    @inline(__always)
    static func needingEscape(_ word: UInt64) -> UInt64 {
        let quotes = word ^ (ones &* 0x22)
        let backslashes = word ^ (ones &* 0x5C)
        let found =
            ((quotes &- ones) & ~quotes)
            | ((backslashes &- ones) & ~backslashes)
            | ((word &- (ones &* 0x20)) & ~word)
        return found & tops
    }

    /// The same, and every byte that is not ASCII.
    @inline(__always)
    static func needingAttention(_ word: UInt64) -> UInt64 {
        needingEscape(word) | (word & tops)
    }
}
