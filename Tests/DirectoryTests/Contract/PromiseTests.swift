import Foundation
import Testing

@Suite("Directory contract: the promise")
struct PromiseTests {
    private let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()

    /// The sentences that stand as bullets above the protocols, without their full stops.
    private func promises() throws -> [String] {
        let root = folder.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let sources = root.appendingPathComponent("Sources/Directory")
        let names = FileManager.default.enumerator(atPath: sources.path)?.compactMap { $0 as? String } ?? []
        var promises: [String] = []
        for name in names.sorted() where name.hasSuffix("Directory.swift") {
            let text = try String(contentsOf: sources.appendingPathComponent(name), encoding: .utf8)
            for line in text.split(separator: "\n") {
                if line.hasPrefix("/// - ") {
                    promises.append(String(line.dropFirst(6)))
                } else if line.hasPrefix("///   "), let last = promises.popLast() {
                    promises.append(last + " " + line.dropFirst(6))
                }
            }
        }
        return promises.map { $0.hasSuffix(".") ? String($0.dropLast()) : $0 }
    }

    /// The titles of all tests of the contract; a long one stands in several lines, joined by backslashes.
    private func titles() throws -> Set<String> {
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

    @Test("Every sentence of the promise is the title of a test, and every title a sentence")
    func everySentence() throws {
        let promises = try promises()
        let titles = try titles()
        #expect(promises.count > 40)
        for promise in promises { #expect(titles.contains(promise), "no test is called: \(promise)") }
        for title in titles { #expect(promises.contains(title), "no promise says: \(title)") }
    }
}
