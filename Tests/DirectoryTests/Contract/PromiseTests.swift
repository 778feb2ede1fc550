import Foundation
import Testing

@testable import TestKit

@Suite("Directory contract: the promise")
struct PromiseTests {
    @Test("Every sentence of the promise is the title of a test, and every title a sentence")
    func everySentence() throws {
        let sources = URL.package.appending(path: "Sources/Directory")
        let names = FileManager.default.enumerator(atPath: sources.path)?.compactMap { $0 as? String } ?? []
        let promises = try Promise.sentences(
            in: names.sorted().filter { $0.hasSuffix("Directory.swift") }.map { sources.appending(path: $0) })
        let titles = try Promise.titles(in: .package.appending(path: "Tests/DirectoryTests/Contract"))
        #expect(promises.count > 40)
        for promise in promises { #expect(titles.contains(promise), "no test is called: \(promise)") }
        for title in titles { #expect(promises.contains(title), "no promise says: \(title)") }
    }
}
