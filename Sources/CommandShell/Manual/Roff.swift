import Foundation

/// Escapes text for roff, so that `man` shows it unchanged.
enum Roff {
    static func escaped(_ text: String) -> String {
        let plain = text.replacingOccurrences(of: "\\", with: "\\e")
            .replacingOccurrences(of: "-", with: "\\-").replacingOccurrences(of: "\"", with: "\\(dq")
        let ascii = plain.unicodeScalars.map { $0.isASCII ? String($0) : "\\[u\(hex($0.value))]" }.joined()
        return ascii.hasPrefix(".") || ascii.hasPrefix("'") ? "\\&" + ascii : ascii
    }

    /// The code point with at least four hexadecimal digits, as roff requires.
    private static func hex(_ value: UInt32) -> String {
        let digits = String(value, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }

    static func bold(_ text: String) -> String { "\\fB\(escaped(text))\\fR" }

    /// Lines whose breaks are kept.
    static func literal(_ text: String) -> [String] {
        [".nf"] + text.split(separator: "\n", omittingEmptySubsequences: false).map { escaped(String($0)) }
            + [".fi"]
    }

    /// Paragraphs. A paragraph with indented lines keeps its line breaks.
    static func prose(_ text: String) -> [String] {
        let paragraphs = text.components(separatedBy: "\n\n").filter { !$0.isEmpty }
        return paragraphs.enumerated().flatMap { index, paragraph in
            let isSet = paragraph.split(separator: "\n").contains { $0.hasPrefix("  ") }
            let lines = paragraph.split(separator: "\n").map { escaped(String($0)) }
            return (index == 0 ? [] : [".PP"]) + (isSet ? literal(paragraph) : lines)
        }
    }
}
