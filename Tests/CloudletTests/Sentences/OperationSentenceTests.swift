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
}
