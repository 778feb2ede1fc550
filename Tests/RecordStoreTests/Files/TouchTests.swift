import Foundation
import RecordStore
import Records
import Testing

@Suite("What a touch of a parent writes")
struct TouchTests {
    @Test("Saving children, by whomever, does not write the fields of their parent again")
    func fields() async throws {
        try await withFolder { folder in
            let world = World(store: try StoreKind.sqlite.open(in: folder))
            let large = text(String(repeating: "x", count: 900_000))
            // The numbers of changes get as wide as those of the saves below.
            for start in [0, 100, 200] {
                try await world.commit((start..<start + 100).map { create("n\($0)") })
            }
            try await world.commit([create("parent", ["text": large, "rank": number(1)])])
            try await world.commit([create("first", parent: "parent")], by: "_bob", from: "tablet")
            let before = try written(in: folder)
            for index in 1...20 {
                let (person, device) = index % 2 == 0 ? ("_bob", "tablet") : ("_carol", nil)
                try await world.commit([create("c\(index)", parent: "parent")], by: person, from: device)
            }
            let total = try written(in: folder) - before
            #expect(total < 20 * 225_000, "\(total) bytes were written")
            let parent = try #require(try await world.fetch("parent"))
            #expect(parent.fields["text"] == large)
            #expect(parent.changeTag == ChangeTag(sequence: 343))
            #expect(parent.modified?.by == "_bob")
            #expect(parent.modified?.device == "tablet")
            #expect(parent.created?.by == "_alice")
            #expect(try await world.names().suffix(2) == ["c20", "parent"])
            try await world.finish()
        }
    }

    /// The bytes of the log, to which every changed page is added.
    private func written(in folder: URL) throws -> Int {
        let log = folder.appendingPathComponent("test.sqlite-wal").path
        return try #require(try FileManager.default.attributesOfItem(atPath: log)[.size] as? Int)
    }
}
