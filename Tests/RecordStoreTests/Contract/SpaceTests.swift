import RecordStore
import Records
import Testing

@testable import TestKit

@Suite("Contract: the space of record types")
struct SpaceTests {
    @Test(
        """
        The space of a record type is that of its records and files, and of its indexes beside them; an \
        index that is dropped takes up none any more, and the drop says how much it freed
        """,
        arguments: StoreKind.allCases)
    func types(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            try await world.commit(
                (0..<60).map { index in
                    create("a\(index)", ["title": text("party \(index)"), "n": number(Int64(index))])
                })
            let file = Field(.asset(Asset(fileChecksum: "A", size: 70)))
            try await world.create("song", type: "Song", ["f": file])
            guard let spaces = try await world.store.space(ofTypes: ["Party", "Song", "None"]) else { return }
            #expect(Set(spaces.keys) == ["Party", "Song"])
            let (party, song) = (try #require(spaces["Party"]), try #require(spaces["Song"]))
            #expect(party.records == SpaceFigure(60))
            #expect(song.records == SpaceFigure(1) && song.assetBytes == SpaceFigure(70))
            let usage = try await world.store.usage()
            #expect(party.recordBytes + song.recordBytes == SpaceFigure(usage.recordBytes))
            let before = party.indexBytes(of: "n")
            world.declare { $0.types["Party"]?.fields["n"]?.indexes = [] }
            let freed = try #require(try await world.store.dropIndexes(notIn: world.schema))
            let later = try #require(try await world.store.space(ofTypes: ["Party"])?["Party"])
            #expect(later.indexBytes(of: "n") == SpaceFigure(0))
            #expect(later.records == party.records && later.recordBytes == party.recordBytes)
            #expect(freed >= before?.value ?? 0)
            #expect(try await world.store.dropIndexes(notIn: world.schema) == 0)
        }
    }
}
