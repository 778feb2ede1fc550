import Testing

@Suite("Documented statements about operations", .serialized, .timeLimit(.minutes(30)))
struct OperationSentenceTests {
    static let table =
        life + queues + management + configuration + groups + quality + conditions + network + longLife
        + documents

    @Test("Each statement is true", arguments: table)
    func holds(_ sentence: Sentence) async throws {
        try await withFixture { try await sentence.check($0) }
    }
}
