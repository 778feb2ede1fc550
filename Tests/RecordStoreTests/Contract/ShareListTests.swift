import RecordStore
import Records
import Testing

@Suite("Contract: the shares of a person")
struct ShareListTests {
    @Test("The shares of a zone in which a person takes part are listed", arguments: StoreKind.allCases)
    func listed(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            for zone in ["Z", "Y"] { try await world.shareNote(in: zone) }
            #expect(try await world.store.shares(of: "_carol", in: "Z") == [])
            let both = [invited("_bob"), invited("_carol")]
            try await world.commit(
                [create("b"), share("t", of: "b", with: both), invite(both, to: "s")], zone: "Z")
            #expect(try await world.store.shares(of: "_bob", in: "Z") == ["s"])
            for name in ["s", "t"] { try await world.commit([accept(name, by: "_carol")], zone: "Z") }
            let removal = invite([invited("_carol")], to: "s")
            try await world.commit([accept("t", by: "_bob"), removal], zone: "Z")
            #expect(try await world.store.shares(of: "_carol", in: "Z") == ["s", "t"])
            // Bob is no longer a member of the first share.
            #expect(try await world.store.shares(of: "_bob", in: "Z") == ["t"])
            #expect(try await world.store.shares(of: "_bob", in: "Y") == ["s"])
            for zone in [ZoneID.defaultName, "Unknown"] {
                #expect(try await world.store.shares(of: "_bob", in: zone) == [])
            }
        }
    }
}
