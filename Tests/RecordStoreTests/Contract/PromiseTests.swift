import Foundation
import Testing

@Suite("Contract: the promise")
struct PromiseTests {
    private let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()

    /// The bullet points of the protocol's documentation, without their full stops.
    private func promises() throws -> [String] {
        let root = folder.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let source = root.appendingPathComponent("Sources/RecordStore/RecordStore.swift")
        var promises: [String] = []
        for line in try String(contentsOf: source, encoding: .utf8).split(separator: "\n") {
            if line.hasPrefix("/// - ") {
                promises.append(String(line.dropFirst(6)))
            } else if line.hasPrefix("///   "), let last = promises.popLast() {
                promises.append(last + " " + line.dropFirst(6))
            }
        }
        return promises.map { $0.hasSuffix(".") ? String($0.dropLast()) : $0 }
    }

    /// The titles of all contract tests. A long title spans several lines, joined by backslashes.
    private func titles() throws -> Set<String> {
        var titles: Set<String> = []
        for file in try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil) {
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

    @Test("Every sentence of the promise is the title of a test")
    func everySentence() throws {
        let titles = try titles()
        let promises = try promises()
        #expect(promises.count > 30)
        for promise in promises { #expect(titles.contains(promise), "no test is called: \(promise)") }
    }
}
