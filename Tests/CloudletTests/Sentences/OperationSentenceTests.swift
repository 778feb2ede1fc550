import Testing

@Suite("Operations, sentence by sentence", .serialized, .timeLimit(.minutes(1)))
struct OperationSentenceTests {
    static let table =
        life + queues + management + configuration + groups + quality + conditions + network + longLife
        + documents

    @Test("Each sentence holds", arguments: table)
    func holds(_ sentence: Sentence) async throws {
        try await withCast { try await sentence.check($0) }
    }

    /// What the talks say of operations, and the documents of the classes that all of them share.
    static let ids =
        (6...13).map { "V\($0)" } + (63...72).map { "T\($0)" } + (20...27).map { "N\($0)" }
        + (1...29).map { "8.\($0)" }

    @Test("Each sentence has one row, and each row one sentence")
    func complete() {
        let rows = Self.table.map(\.id)
        let missing = Self.ids.filter { !rows.contains($0) }
        #expect(missing.isEmpty)
        let unknown = rows.filter { !Self.ids.contains($0) }
        #expect(unknown.isEmpty)
        #expect(Set(rows).count == rows.count)
    }
}
