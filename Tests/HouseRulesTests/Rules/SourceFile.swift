import Foundation

/// A Swift file, with the queries that the rules need.
///
/// It reads line by line and relies on the layout that `swift format` enforces; it is not a parser.
struct SourceFile: Sendable {
    /// The path relative to the package's root, such as `Sources/Records/Record.swift`.
    let path: String
    let lines: [String]

    init(path: String, text: String) {
        self.path = path
        lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    /// The lines that contain one of `marks` outside of comments and strings: index and code of each.
    func code(with marks: [String]) -> [(index: Int, code: String)] {
        var isInText = false
        return lines.indices.compactMap { index in
            let line = lines[index]
            let begins = isInText
            if line.has("\"\"\""), !line.hasPrefix("//") {
                // A literal that begins and ends on one line changes nothing.
                if line.ranges(of: "\"\"\"").count % 2 == 1 { isInText.toggle() }
            }
            guard !begins, marks.contains(where: { line.has($0) }) else { return nil }
            let code = Self.code(of: line)
            return marks.contains { code.has($0) } ? (index, code) : nil
        }
    }

    /// A line without the contents of strings, its comment, and regular expressions.
    static func code(of line: String) -> String {
        guard line.has("\"") || line.has("/") else { return line }
        return line.replacing(/#"[^#]*"#/, with: "\"\"")
            .replacing(/"(?:\\.|[^"\\])*"/, with: "\"\"")
            .replacing(/\/\/.*/, with: "")
            .replacing(/(?<before>[=(,:] ?)\/(?:\\.|[^\/\\])+\//) { "\($0.output.before)\"\"" }
    }

    /// Whether the line, or the comment directly above it, contains a comment of at least three words.
    func hasReason(at index: Int) -> Bool {
        let above = lines[..<index].reversed().drop { $0.wholeMatch(of: /\s*@.*/) != nil }
            .prefix { $0.wholeMatch(of: /\s*\/\/.*/) != nil }
        return ([lines[index]] + above).contains { line in
            guard let comment = line.firstMatch(of: /(?:^|\s)\/\/(?<text>[^\/].*)/) else { return false }
            return comment.output.text.split(separator: " ").count >= 3
        }
    }
}

extension StringProtocol {
    /// The number of spaces at the start of the line; nil for a blank line.
    var indentation: Int? {
        let blanks = utf8.prefix { $0 == UInt8(ascii: " ") }.count
        return blanks == utf8.count ? nil : blanks
    }
}

extension String {
    /// Whether the bytes of `text` occur; much faster than comparing characters.
    func has(_ text: String) -> Bool {
        withCString { whole in text.withCString { strstr(whole, $0) != nil } }
    }
}
