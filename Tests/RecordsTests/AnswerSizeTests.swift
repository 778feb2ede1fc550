import Records
import Testing

@Suite("The size of records in answers")
struct AnswerSizeTests {
    private func record(_ name: String, parent: String? = nil) -> StoredRecord {
        StoredRecord(
            id: RecordID(name: name, zone: ZoneID(name: "Zone")), type: "Item",
            fields: FieldBytes(bytes: [0x7b, 0x7d], assetSlots: []),
            created: Stamp(at: Timestamp(milliseconds: 1), by: "_a"),
            modified: Stamp(at: Timestamp(milliseconds: 1), by: "_b", device: "phone"), sequence: 1,
            parent: parent)
    }

    @Test("Records with short names count with the bytes of their fields")
    func short() {
        let results = (0..<200).map { ItemResult.record(record("r\($0)", parent: "p")) }
        #expect(AnswerSize(results).encodingBytes == 400)
        #expect(AnswerSize(results).contentBytes == 400)
    }

    @Test("Long names count about equally in packed changes and in results, and in failures and deletions")
    func long() {
        let names = (100..<300).map { String(repeating: "n", count: 252) + "\($0)" }
        let records = names.map { record($0, parent: $0) }
        let packed = PackedChanges(records.map { Change.saved($0) }, zone: ZoneID(name: "Zone")).size
        let size = AnswerSize(records.map { ItemResult.record($0) })
        #expect(size.contentBytes == packed.contentBytes)
        let difference = packed.encodingBytes - size.encodingBytes
        // The head of a packed record has two times and a few lengths.
        #expect((0..<200 * 2 * 30).contains(difference), "\(difference)")
        #expect(size.encodingBytes > 200 * 400)
        let error = RecordError(.notFound, "none", culprit: String(repeating: "c", count: 255))
        let failures = AnswerSize(names.map { ItemResult.failure(RecordID(name: $0), error) })
        #expect(failures.encodingBytes > 200 * 400)
        let deletions = AnswerSize(names.map { ItemResult.deleted(RecordID(name: $0)) })
        #expect(deletions.metadataBytes > 200 * 900)
    }

    @Test("A failure counts with the fields of the server's record")
    func conflict() {
        var error = RecordError(.conflict, "changed")
        var there = Record(id: RecordID(name: "r"), type: "Item")
        there.fields = ["text": Field(.string(String(repeating: "x", count: 5000)))]
        error.serverRecord = there
        let size = AnswerSize([.failure(RecordID(name: "r"), error)])
        #expect(size.contentBytes == error.serverRecordBytes)
        #expect(size.encodingBytes >= 5000)
    }
}
