import Foundation
import RecordStore
import RecordStoreSQLite
import Records
import Testing

@testable import TestKit

@Suite("The words that an update writes")
struct WordTests {
    @Test("The words of a record are written again only if they changed")
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
                #expect(try written(in: folder) - before < plain + 100_000)
            }
            try await world.save(
                RecordOperation(.forceUpdate, recordName: "a", fields: ["title": text("tea")]))
            #expect(try await world.find(field("title", .containsAllTokens, text("tea"))) == ["a"])
            #expect(try await world.find(field("title", .containsAllTokens, text("word3"))) == [])
            #expect(try await world.find(field("body", .containsAllTokens, text("word3"))) == ["a"])
            try await world.finish()
        }
    }

    @Test("A change of a short text does not rewrite the words of other, long texts")
    func beside() async throws {
        try await withFolder { folder in
            let world = World(store: try StoreKind.sqlite.open(in: folder))
            _ = try await world.store.createZone(named: "Z")
            let many = (0..<20_000).map { "word\($0)" }.joined(separator: " ")
            try await world.create("a", ["title": text("t0"), "body": text(many), "n": number(1)], zone: "Z")
            func save(_ name: String, _ value: Field) async throws -> Int {
                let before = try written(in: folder)
                try await world.save(
                    RecordOperation(.forceUpdate, recordName: "a", fields: [name: value]), zone: "Z")
                return try written(in: folder) - before
            }
            func found(_ words: String) async throws -> [String] {
                try await world.find(Filter(nil, .containsAllTokens, .string(words)), zone: "Z")
            }
            let plain = try await save("n", number(2))
            var total = 0
            for round in 1...20 {
                total += try await save("title", text("t\(round)"))
                #expect(try await found("t\(round) word7") == ["a"])
                #expect(try await found("t\(round - 1) word7") == [])
            }
            #expect(total < 20 * (plain + 100_000), "plain \(plain), total \(total)")
            // Enough words that all words of the record are written again.
            let title = (0..<600).map { "u\($0)" }.joined(separator: " ")
            _ = try await save("title", text(title))
            #expect(try await found("u599 word7") == ["a"])
            _ = try await save("title", text("late"))
            _ = try await save("body", text("short"))
            #expect(try await found("late short") == ["a"])
            #expect(try await found("word7") == [])
            _ = try await save("body", text(many))
            _ = try await save("title", text("later"))
            try await world.commit([forceDelete("a")], zone: "Z")
            if let sqlite = world.store as? SQLiteStore { #expect(try await sqlite.faults() == []) }
            try await world.create("b", ["title": text("b"), "body": text(many)], zone: "Z")
            try await world.save(
                RecordOperation(.forceUpdate, recordName: "b", fields: ["title": text("c")]), zone: "Z")
            try await world.store.deleteZone(named: "Z")
            try await world.finish()
        }
    }

    /// The size of the write-ahead log, to which every changed page is added.
    private func written(in folder: URL) throws -> Int {
        let log = folder.appendingPathComponent("test.sqlite-wal").path
        return try #require(try FileManager.default.attributesOfItem(atPath: log)[.size] as? Int)
    }
}
