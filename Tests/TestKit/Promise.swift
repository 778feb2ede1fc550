import Foundation

/// Reads the sentences of a protocol's documentation and the titles of its tests, so that a test can compare
/// them.
enum Promise {
    /// The list items in the documentation of the files' top-level declarations, without full stops.
    static func sentences(in files: [URL]) throws -> [String] {
        var sentences: [String] = []
        for line in try files.flatMap({ try String(contentsOf: $0, encoding: .utf8).split(separator: "\n") })
        {
            if line.hasPrefix("/// - ") {
                sentences.append(String(line.dropFirst(6)))
            } else if line.hasPrefix("///   "), let last = sentences.popLast() {
                sentences.append(last + " " + line.dropFirst(6))
            }
        }
        return sentences.map { $0.hasSuffix(".") ? String($0.dropLast()) : $0 }
    }

    /// The titles of all tests in a folder. A long title may span several lines that end with a backslash.
    static func titles(in folder: URL) throws -> Set<String> {
        var titles: Set<String> = []
        for file in try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil) {
            if file.lastPathComponent == "PromiseTests.swift" { continue }
            let text = try String(contentsOf: file, encoding: .utf8).replacing("\"\"\"", with: "\"")
            for part in text.components(separatedBy: "@Test(").dropFirst() {
                let pieces = part.components(separatedBy: "\"")
                if pieces.count < 2 { continue }
                let words = pieces[1].replacing("\\\n", with: " ").split(whereSeparator: \.isWhitespace)
                titles.insert(words.joined(separator: " "))
            }
        }
        return titles
    }
}
