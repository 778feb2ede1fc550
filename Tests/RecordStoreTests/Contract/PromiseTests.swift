import Foundation
import Testing

@testable import TestKit

@Suite("Contract: the promise")
struct PromiseTests {
    @Test("Every sentence of the promise is the title of a test")
    func everySentence() throws {
        let source = URL.package.appending(path: "Sources/RecordStore/RecordStore.swift")
        let promises = try Promise.sentences(in: [source])
        let titles = try Promise.titles(in: .package.appending(path: "Tests/RecordStoreTests/Contract"))
        #expect(promises.count > 30)
        for promise in promises { #expect(titles.contains(promise), "no test is called: \(promise)") }
    }
}
