/// Examines eight bytes at once. In the result, the top bit of each byte that meets the condition is set.
/// Only the lowest marked byte is certain: a borrow from it can mark higher bytes wrongly.
enum ByteWords {
    static let ones: UInt64 = 0x0101_0101_0101_0101
    static let tops: UInt64 = 0x8080_8080_8080_8080

    /// Finds the bytes that a JSON string must escape: quotes, backslashes and control characters.
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

    /// Finds the same bytes, and all bytes that are not ASCII.
    @inline(__always)
    static func needingAttention(_ word: UInt64) -> UInt64 {
        needingEscape(word) | (word & tops)
    }
}
