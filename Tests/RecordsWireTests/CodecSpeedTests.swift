import Records
import RecordsWire
import Testing

@Suite("The codec's speed is known")
struct CodecSpeedTests {
    @Test("Megabytes a second, printed (debug builds are some twenty times slower than release)")
    func speed() throws {
        let codec = FieldJSON()
        var random = SeededGenerator(seed: 51)
        let operations = (0..<200).map { number in
            RecordOperation(.create, recordName: "r\(number)", recordType: "T", fields: random.fields())
        }
        let request = RecordsModifyRequest(ModifyRequest(operations))
        let body = request.encoded()
        let stored = operations.map { operation in
            StoredRecord(
                id: RecordID(name: operation.recordName ?? ""), type: "T",
                fields: codec.encode(operation.fields),
                created: Stamp(at: Timestamp(milliseconds: 0), by: "_0"),
                modified: Stamp(at: Timestamp(milliseconds: 0), by: "_0"), sequence: 1
            )
        }
        let writer = RecordAnswerWriter(AnswerContext(uuid: "U"))
        let runs = PackedChanges.runs(of: stored)
        let answer = writer.answer(runs, continuationMarker: nil)
        try measure("scan", body.count) { _ = try JSONDocument(body) }
        try measure("decode records/modify", body.count) { _ = try RecordsModifyRequest(bytes: body) }
        try measure("encode records/modify", body.count) { _ = request.encoded() }
        try measure("write answer", answer.count) { _ = writer.answer(runs, continuationMarker: nil) }
        try measure("read answer", answer.count) { _ = try RecordsAnswer(bytes: answer) }
    }

    private func measure(_ name: String, _ bytes: Int, _ body: () throws -> Void) throws {
        let clock = ContinuousClock()
        var best = Duration.seconds(3600)
        for _ in 0..<5 { best = min(best, try clock.measure(body)) }
        let speed = Double(bytes) / (best / .seconds(1)) / 1e6
        print("codec speed: \(name): \(Int(speed)) MB/s over \(bytes) bytes")
        #expect(best > .zero)
    }
}
