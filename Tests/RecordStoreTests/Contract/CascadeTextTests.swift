import RecordStore
import Records
import Testing

@Suite("Contract: cascades over searchable texts")
struct CascadeTextTests {
    @Test(
        """
        The searchable texts of the records that a deletion takes along are limited; a deletion that would \
        exceed the limit changes nothing, and succeeds after records that refer to it were deleted one by one
        """,
        arguments: StoreKind.allCases)
    func longTexts(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            #expect(Limits().searchableBytesPerRequest == 2_097_152)
            let words = text(String(repeating: "word ", count: 180_000))
            try await world.commit([
                create("root", ["body": text("short")]), create("mid", ["to": link("root", .deleteSelf)]),
            ])
            for (name, target) in [("a", "root"), ("b", "root"), ("c", "mid")] {
                try await world.create(name, ["body": words, "to": link(target, .deleteSelf)])
            }
            let before = try await world.state()
            let refused = try await world.commit([delete("root")])
            #expect(refused.map(\.brief) == ["root: limitExceeded"])
            #expect(
                refused[0].error?.nextStep
                    == "delete the records that refer to it first, in several requests")
            #expect(refused[0].error?.culprit == "root")
            #expect(try await world.state() == before)
            // Texts of a refused deletion do not count for the others of the batch.
            let batch = try await world.outcome([delete("root"), create("other", ["body": words])])
            #expect(batch == ["root: limitExceeded", "other"])
            #expect(try await world.outcome([delete("c")]) == ["-c"])
            #expect(try await world.outcome([delete("root")]) == ["-root"])
            #expect(try await world.names() == ["other"])
        }
    }
}
