import Foundation
import RecordStore
import Records
import Testing

@Suite("What an update writes of words")
struct WordTests {
    @Test("The words of a record are written again only if it has other words than before")
    func unchanged() async throws {
        try await withFolder { folder in
            let world = World(store: try StoreKind.sqlite.open(in: folder))
            let many = (0..<20_000).map { "word\($0)" }.joined(separator: " ")
            try await world.create("a", ["title": text("word1"), "body": text(many), "n": number(1)])
            let (start, old) = (try written(in: folder), text("word2 word3"))
            try await world.save(RecordOperation(.forceUpdate, recordName: "a", fields: ["n": number(2)]))
            let plain = try written(in: folder) - start
            for title in [old, text("Word3, word2")] {
                let before = try written(in: folder)
                try await world.save(RecordOperation(.forceUpdate, recordName: "a", fields: ["title": title]))
                #expect(try written(in: folder) - before < plain + 40_000)
            }
            try await world.save(
                RecordOperation(.forceUpdate, recordName: "a", fields: ["title": text("tea")]))
            #expect(try await world.find(field("title", .containsAllTokens, text("tea"))) == ["a"])
            #expect(try await world.find(field("title", .containsAllTokens, text("word3"))) == [])
            #expect(try await world.find(field("body", .containsAllTokens, text("word3"))) == ["a"])
            try await world.finish()
        }
    }

    /// The bytes of the log, to which every changed page is added.
    private func written(in folder: URL) throws -> Int {
        let log = folder.appendingPathComponent("test.sqlite-wal").path
        return try #require(try FileManager.default.attributesOfItem(atPath: log)[.size] as? Int)
    }
}
