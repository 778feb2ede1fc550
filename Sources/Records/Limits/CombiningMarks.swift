/// Refuses texts with too many combining marks in a row.
///
/// Swift compares and hashes strings in a normal form. To get it, the standard library sorts each run of
/// combining marks, which takes time that grows with the square of the run's length: seconds for a text of
/// 100 kB. Ordinary text has a few marks in a row; the Unicode Standard's Stream-Safe Text Format allows 30
/// (https://www.unicode.org/reports/tr15/#Stream_Safe_Text_Format).
package struct CombiningMarks {
    /// The maximum of combining marks in a row.
    package static let maximumInARow = 128

    private var count = 0

    package init() {}

    /// Whether a text has at most `most` combining marks in a row.
    package static func admits(_ text: some StringProtocol) -> Bool {
        var marks = CombiningMarks()
        return text.unicodeScalars.allSatisfy { marks.admits($0) }
    }

    /// The error for a text that is not admitted.
    package static func refusal(_ culprit: String) -> RecordError {
        RecordError(
            .badRequest, "a text has more than \(maximumInARow) combining marks in a row", culprit: culprit,
            nextStep: "remove the marks that belong to no letter")
    }

    /// Counts the next scalar of a text. Returns false if it exceeds the limit on marks in a row.
    package mutating func admits(_ scalar: Unicode.Scalar) -> Bool {
        count = Self.isMark(scalar) ? count + 1 : 0
        return count <= Self.maximumInARow
    }

    /// Ends a run of marks, for a scalar that is known not to be a mark.
    package mutating func skip() { count = 0 }

    /// Whether the normal form of a scalar consists of combining marks.
    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x300, 0x3400..<0xA000, 0xAC00..<0xD7A4: false
        // These are not marks themselves, but each decomposes into two marks.
        case 0x0F73, 0x0F75, 0x0F81: true
        default: scalar.properties.canonicalCombiningClass != .notReordered
        }
    }
}
