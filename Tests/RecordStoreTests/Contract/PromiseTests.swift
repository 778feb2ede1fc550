import Foundation
import Testing

@testable import TestKit

@Suite("Contract: the promise")
struct PromiseTests {
    @Test("Every sentence of the promise is the title of a test")
    func everySentence() throws {
        let folder = URL.package.appending(path: "Sources/RecordStore")
        let sources = ["RecordStore.swift", "Usage/UsageStore.swift"].map { folder.appending(path: $0) }
        let promises = try Promise.sentences(in: sources)
        let titles = try Promise.titles(in: .package.appending(path: "Tests/RecordStoreTests/Contract"))
        #expect(promises.count > 30)
        for promise in promises { #expect(titles.contains(promise), "no test is called: \(promise)") }
    }
}
