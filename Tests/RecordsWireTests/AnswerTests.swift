import Records
import RecordsWire
import Testing

@testable import TestKit

@Suite("Answers contain the members that clients require")
struct AnswerTests {
    let context = AnswerContext(owner: "_me", uuid: "U") { id, slot in
        "https://h/\(id.name)/\(slot.fileChecksum)"
    }
    let stored = StoredRecord(
        id: RecordID(name: "a", zone: ZoneID(name: "Notes")),
        type: "Note",
        fields: FieldJSON().encode([
            "count": Field(.int64(7)), "file": Field(.asset(Asset(fileChecksum: "C", size: 1))),
            "ratio": Field(.list(.double, [.double(0.5)])),
        ]),
        created: Stamp(at: Timestamp(milliseconds: 1), by: "_me"),
        modified: Stamp(at: Timestamp(milliseconds: 2), by: "_you", device: "phone"),
        sequence: 36,
        parent: "p"
    )

    private func written(
        _ writer: RecordAnswerWriter, _ write: (RecordAnswerWriter, inout JSONWriter) -> Void
    )
        -> String
    {
        var json = JSONWriter()
        write(writer, &json)
        return text(json.bytes)
    }

    @Test("A record has all documented keys")
    func record() {
        #expect(
            written(RecordAnswerWriter(context)) { $0.write(stored, to: &$1) }
                == #"{"recordName":"a","recordType":"Note","fields":{"count":{"value":7,"type":"INT64"},"#
                + #""file":{"value":{"fileChecksum":"C","size":1,"downloadURL":"https://h/a/C"},"#
                + #""type":"ASSETID"},"ratio":{"value":[0.5],"type":"DOUBLE_LIST"}},"pluginFields":{},"#
                + #""recordChangeTag":"10","#
                + #""created":{"timestamp":1,"userRecordName":"_me","deviceID":"iCloud"},"#
                + #""modified":{"timestamp":2,"userRecordName":"_you","deviceID":"phone"},"deleted":false,"#
                + #""zoneID":{"zoneName":"Notes","ownerRecordName":"_me","zoneType":"REGULAR_CUSTOM_ZONE"},"#
                + #""parent":{"recordName":"p"}}"#
        )
    }

    @Test("Only the desired fields are written; without any, an empty object")
    func desiredKeys() throws {
        for (keys, names) in [(["file", "nothing"], ["file"]), ([], [])] {
            let json = written(RecordAnswerWriter(context, desiredKeys: keys)) { $0.write(stored, to: &$1) }
            #expect(try node(json)["fields"]?.members.map { $0.key.stringValue } == names)
        }
    }

    @Test("Numbers become strings on request, and download URLs stay")
    func numbersAsStrings() throws {
        let json = written(RecordAnswerWriter(context, numbersAsStrings: true)) { $0.write(stored, to: &$1) }
        let fields = try node(json)["fields"]
        #expect(fields?["count"]?["value"]?.compact == #""7""#)
        #expect(fields?["ratio"]?["value"]?.compact == #"["0.5"]"#)
        #expect(fields?["file"]?["value"]?["downloadURL"]?.stringValue == "https://h/a/C")
    }

    @Test("Damaged fields cause an error for their record only")
    func damagedRecord() throws {
        var broken = stored
        broken.fields = FieldBytes(bytes: Array("{\"a\":".utf8))
        let writer = RecordAnswerWriter(context, desiredKeys: ["a"])
        let answer = try RecordsAnswer(
            bytes: writer.answer(PackedChanges.runs(of: [broken, stored]), continuationMarker: nil))
        guard case .failure(let id, let error) = answer.records[0] else {
            Issue.record("no failure: \(answer.records[0])")
            return
        }
        #expect(id?.name == "a")
        #expect(error.code == .internalError)
        guard case .record = answer.records[1] else {
            Issue.record("no record: \(answer.records[1])")
            return
        }
    }

    @Test("A client decodes the record that the server wrote", arguments: [31, 32] as [UInt64])
    func journey(seed: UInt64) throws {
        var random = SeededNumbers(seed: seed)
        let codec = FieldJSON()
        for _ in 0..<500 {
            var record = stored
            record.id = RecordID(name: random.name(), zone: ZoneID(name: "Z", owner: "_" + random.name()))
            record.fields = codec.encode(random.fields())
            record.sequence = random.int() & .max
            var expected = try record.decoded(by: codec)
            expected.fields = expected.fields.withAddresses(of: record.id)
            let bytes = RecordAnswerWriter(context).answer([.record(record), .deleted(record.id)])
            let answer = try RecordsAnswer(bytes: bytes, zone: record.id.zone)
            #expect(answer.records == [.record(expected), .deleted(record.id, nil)], "seed \(seed)")
        }
    }

    @Test("Unreadable entries become failures of these entries only")
    func unreadableEntries() throws {
        let body =
            #"{"records":[5,{"recordName":"a"},{"recordName":"b","recordType":"T","fields":"#
            + #"{"x":{"value":1,"type":"FUTURE"}}},{"deleted":true}]}"#
        let answer = try RecordsAnswer(bytes: Array(body.utf8))
        let names = answer.records.map { entry in
            if case .failure(let id, let error) = entry, error.code == .internalError {
                id?.name
            } else {
                "?"
            }
        }
        #expect(names == [nil, "a", "b", nil])
    }

    @Test(
        "A body that is not an answer causes an internal error",
        arguments: ["", "<html>", "[]", "{}", #"{"records":5}"#, #"{"zones":{}}"#]
    )
    func unreadableBodies(json: String) {
        let bytes = Array(json.utf8)
        let reads: [() throws -> Void] = [
            { _ = try RecordsAnswer(bytes: bytes) }, { _ = try ZonesAnswer(bytes: bytes) },
            { _ = try ChangesZoneAnswer(bytes: bytes) }, { _ = try ChangesDatabaseAnswer(bytes: bytes) },
            { _ = try AssetsUploadAnswer(bytes: bytes) }, { _ = try AssetsRereferenceAnswer(bytes: bytes) },
            { _ = try SingleFileAnswer(bytes: bytes) }, { _ = try UserIdentity(bytes: bytes) },
        ]
        for read in reads {
            let error = #expect(throws: RecordError.self) { try read() }
            #expect(error?.code == .internalError)
        }
    }

    @Test("A refused token fails the whole upload request")
    func refusedToken() {
        let body = #"{"tokens":[{"serverErrorCode":"ACCESS_DENIED","reason":"no"}]}"#
        let error = #expect(throws: RecordError.self) { try AssetsUploadAnswer(bytes: Array(body.utf8)) }
        #expect(error?.code == .accessDenied)
        #expect(error?.reason == "no")
    }

    @Test("Users are decoded from all forms of answers")
    func identities() throws {
        let person = UserIdentity(
            userRecordName: "_me", givenName: "A", familyName: "B", lookupInfo: .email("e"))
        let list = Array("{\"users\":[".utf8) + person.encoded() + Array("]}".utf8)
        for body in [person.encoded(), person.encodedAsUserDictionary(), list] {
            #expect(try UserIdentity(bytes: body) == person)
        }
    }
}

extension Fields {
    /// The fields as a client receives them, with the asset URLs that `AnswerTests.context` creates.
    fileprivate func withAddresses(of id: RecordID) -> Fields {
        var fields = self
        for (name, field) in self {
            let elements = field.value.elements.map { value -> FieldValue in
                guard case .asset(var asset) = value else { return value }
                asset.downloadURL = "https://h/\(id.name)/\(asset.fileChecksum)"
                return .asset(asset)
            }
            let value = field.value.type.isList ? .list(field.value.type.element, elements) : elements[0]
            fields[name] = Field(value, isEncrypted: field.isEncrypted)
        }
        return fields
    }
}
