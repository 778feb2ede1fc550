import Records
import RecordsWire
import Testing

@testable import TestKit

@Suite("Stored fields in the form of answers")
struct FieldJSONTests {
    let codec = FieldJSON()
    let fields: Fields = [
        "title": Field(.string("x")),
        "cover": Field(.asset(Asset(fileChecksum: "AQ=", size: 5, receipt: "r", downloadURL: "u"))),
        "count": Field(.int64(3), isEncrypted: true),
        "scans": Field(
            .list(
                .asset,
                [
                    .asset(Asset(fileChecksum: "B", size: 1, wrappingKey: "w")),
                    .asset(Asset(fileChecksum: "C", size: 2)),
                ]
            )
        ),
    ]

    @Test("Names are sorted by their bytes, and receipts and URLs are not stored")
    func canonicalForm() {
        let stored = codec.encode(fields)
        #expect(
            text(stored.bytes) == #"{"count":{"value":3,"type":"INT64","isEncrypted":true},"#
                + #""cover":{"value":{"fileChecksum":"AQ=","size":5},"type":"ASSETID"},"#
                + #""scans":{"value":[{"fileChecksum":"B","size":1,"wrappingKey":"w"},"#
                + #"{"fileChecksum":"C","size":2}],"type":"ASSETID_LIST"},"#
                + #""title":{"value":"x","type":"STRING"}}"#
        )
        #expect(stored.assetSlots.map(\.fileChecksum) == ["AQ=", "B", "C"])
        #expect(stored.assetSlots.map(\.fieldName) == ["cover", "scans", "scans"])
        #expect(stored.assetSlots.allSatisfy { stored.bytes[$0.offset] == UInt8(ascii: "}") })
    }

    @Test("URLs of assets are inserted into the stored bytes")
    func splice() throws {
        var json = JSONWriter()
        codec.splice(codec.encode(fields), into: &json) { slot in
            slot.fileChecksum == "C" ? nil : "https://h/\(slot.fieldName)/\(slot.fileChecksum)"
        }
        let answer = try JSONDocument(json.bytes).root
        #expect(answer["cover"]?["value"]?["downloadURL"]?.stringValue == "https://h/cover/AQ=")
        let scans = answer["scans"]?["value"]?.elements.map { $0["downloadURL"]?.stringValue }
        #expect(scans == ["https://h/scans/B", nil])
        #expect(answer["scans"]?["value"]?.elements.map { $0["size"]?.int64Value } == [1, 2])
    }

    @Test("No fields are encoded as an empty object")
    func empty() throws {
        #expect(text(codec.encode(Fields()).bytes) == "{}")
        #expect(try codec.decode(FieldBytes(bytes: Array("{}".utf8))).isEmpty)
        #expect(
            try codec.project(codec.encode(Fields()), keeping: DesiredKeys(["a"])).bytes == Array("{}".utf8))
    }

    @Test(
        "Random fields are decoded unchanged, and encoded to equal bytes",
        arguments: [11, 12, 13] as [UInt64])
    func roundTrip(seed: UInt64) throws {
        var random = SeededNumbers(seed: seed)
        for _ in 0..<1000 {
            let fields = random.fields()
            let stored = codec.encode(fields)
            let read = try codec.decode(stored)
            #expect(read == fields, "seed \(seed)")
            #expect(codec.encode(read) == stored, "seed \(seed)")
            #expect(try codec.decode(codec.encode(fields, numbersAsStrings: true)) == fields, "seed \(seed)")
        }
    }

    @Test(
        "Projecting stored bytes equals decoding, selecting and encoding", arguments: [14, 15] as [UInt64])
    func projection(seed: UInt64) throws {
        var random = SeededNumbers(seed: seed)
        for _ in 0..<1000 {
            let fields = random.fields()
            let wanted = fields.names.filter { _ in Bool.random(using: &random) } + ["unknown"]
            var chosen = Fields()
            for (name, field) in fields where wanted.contains(name) { chosen[name] = field }
            let projected = try codec.project(codec.encode(fields), keeping: DesiredKeys(wanted))
            #expect(projected == codec.encode(chosen), "seed \(seed)")
        }
    }

    @Test(
        "Damaged stored bytes cause an internal error",
        arguments: ["", "[]", "{", "nonsense", #"{"a":{"value":1"#])
    func damaged(json: String) {
        let bytes = FieldBytes(bytes: Array(json.utf8))
        let decoding = #expect(throws: RecordError.self) { try codec.decode(bytes) }
        #expect(decoding?.code == .internalError)
        guard json != "[]" else { return }
        let projecting = #expect(throws: RecordError.self) {
            try codec.project(bytes, keeping: DesiredKeys(["a"]))
        }
        #expect(projecting?.code == .internalError)
    }

    @Test("Invalid asset slots cause no crash")
    func wrongSlots() {
        var stored = codec.encode(fields)
        stored.assetSlots = [10_000, 5, 3, -1].map { .init(offset: $0, fieldName: "f", fileChecksum: "c") }
        var json = JSONWriter()
        codec.splice(stored, into: &json) { _ in nil }
        #expect(json.bytes == stored.bytes)
    }
}
