import RecordStore
import Records
import Testing

@Suite("Contract: shared feeds after traces of shares were forgotten")
struct ForgottenLeavingsTests {
    @Test(
        """
        A reader among the rows of an ended share starts again when they are forgotten; one who has read \
        all of them goes on
        """,
        arguments: StoreKind.allCases)
    func forgottenAmongRows(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            try await world.shareNote()
            try await world.commit(
                [
                    create("two"), create("low", parent: "two"),
                    share("t", of: "two", with: [invited("_bob")]),
                ], zone: "Z")
            try await world.commit([accept("t", by: "_bob")], zone: "Z")
            let old = try await world.shared(with: "_bob").token
            try await world.commit([delete("t")], zone: "Z", at: 100_000)
            let page = try await world.store.sharedChanges(
                ChangesRequest(zone: "Z", since: old, limit: 1), for: "_bob")
            #expect(page.moreComing)
            let rest = try await world.shared(with: "_bob", since: page.token)
            #expect((page.changes.map(\.brief) + rest.changes).sorted() == ["-low", "-t", "-two"])
            try await world.store.forgetDeletions(before: Timestamp(milliseconds: 100_001))
            await #expect(throws: RecordError.changeTokenExpired("Z")) {
                try await world.shared(with: "_bob", since: page.token)
            }
            #expect(try await world.shared(with: "_bob", since: rest.token).changes == [])
            #expect(try await world.shared(with: "_bob").changes.sorted() == ["line", "note", "s"])
        }
    }

    @Test("Forgotten changes of one zone expire no token of another", arguments: StoreKind.allCases)
    func otherZone(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            try await world.shareNote()
            try await world.shareNote(in: "Y")
            var question = ChangesRequest(zone: "Y", limit: 99)
            question.since = try await world.store.sharedChanges(question, for: "_bob").token
            let here = try await world.shared(with: "_bob").token
            try await world.commit([move("line", under: nil)], zone: "Y")
            try await world.store.forgetDeletions(before: Timestamp(milliseconds: 1_000_000))
            await #expect(throws: RecordError.changeTokenExpired("Y")) {
                try await world.store.sharedChanges(question, for: "_bob")
            }
            #expect(try await world.shared(with: "_bob", since: here).changes == [])
        }
    }
}
