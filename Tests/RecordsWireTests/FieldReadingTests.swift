import Records
import RecordsWire
import Testing

@Suite("Fields in the forms that clients send")
struct FieldReadingTests {
    /// Decodes one field of an update in the zone Notes.
    private func operation(_ field: String) throws(RecordError) -> RecordOperation {
        let body = """
            {"zoneID":{"zoneName":"Notes"},"operations":[{"operationType":"update",
            "record":{"recordName":"n","fields":{"f":\(field)}}}]}
            """
        return try RecordsModifyRequest(bytes: Array(body.utf8)).batch.operations[0]
    }

    static let understood: [(json: String, value: Field)] = [
        (#"{"value":"x"}"#, Field(.string("x"))),
        (#"{"value":"x","type":null}"#, Field(.string("x"))),
        (#"{"value":7}"#, Field(.int64(7))),
        (#"{"value":7.5}"#, Field(.double(7.5))),
        (#"{"value":{"recordName":"a"}}"#, Field(.reference(Reference(recordName: "a")))),
        (#"{"value":{"latitude":1,"longitude":2}}"#, Field(.location(Location(latitude: 1, longitude: 2)))),
        (#"{"value":{"fileChecksum":"A","size":3}}"#, Field(.asset(Asset(fileChecksum: "A", size: 3)))),
        (#"{"value":{"receipt":"r"}}"#, Field(.asset(Asset(fileChecksum: "", size: 0, receipt: "r")))),
        (#"{"value":["a","b"]}"#, Field(.list(.string, [.string("a"), .string("b")]))),
        (#"{"value":[1,2.5]}"#, Field(.list(.double, [.double(1), .double(2.5)]))),
        (#"{"value":[]}"#, Field(.list(.string, []))),
        (#"{"value":[],"type":"UNKNOWN_LIST"}"#, Field(.list(.string, []))),
        (#"{"value":[3],"type":"UNKNOWN_LIST"}"#, Field(.list(.int64, [.int64(3)]))),
        (#"{"value":"7","type":"INT64"}"#, Field(.int64(7))),
        (#"{"value":"-7.5","type":"DOUBLE"}"#, Field(.double(-7.5))),
        (#"{"value":7,"type":"DOUBLE"}"#, Field(.double(7))),
        (#"{"value":7,"type":"NUMBER_INT64"}"#, Field(.int64(7))),
        (#"{"value":7,"type":"NUMBER_DOUBLE"}"#, Field(.double(7))),
        (#"{"value":{"fileChecksum":"A"},"type":"ASSET"}"#, Field(.asset(Asset(fileChecksum: "A", size: 0)))),
        (#"{"value":"AA==","type":"ENCRYPTED_BYTES"}"#, Field(encryptedBytes: [0])),
        (#"{"value":"AA==","type":"ENCRYPTED_BYTES","isEncrypted":true}"#, Field(encryptedBytes: [0])),
        (#"{"value":"x","type":"STRING","isEncrypted":true}"#, Field(.string("x"), isEncrypted: true)),
        (#"{"value":5.0,"type":"TIMESTAMP"}"#, Field(.timestamp(Timestamp(milliseconds: 5)))),
        (#"{"type":"STRING","extra":[1],"value":"x","value":"y"}"#, Field(.string("y"))),
        (#""bare""#, Field(.string("bare"))),
        ("[1]", Field(.list(.int64, [.int64(1)]))),
        (
            #"{"recordName":"a","action":"DELETE_SELF"}"#,
            Field(.reference(Reference(recordName: "a", action: .deleteSelf)))
        ),
    ]

    @Test(
        "Type tags may be missing or unusual; the type is then inferred from the value",
        arguments: understood)
    func tolerance(json: String, value: Field) throws {
        let operation = try operation(json)
        #expect(operation.fields["f"] == value)
        #expect(operation.removedFields.isEmpty)
    }

    @Test(
        "A field is cleared by all known forms",
        arguments: [
            "null", "{}", #"{"value":null}"#, #"{"value":null,"type":"TIMESTAMP"}"#, #"{"type":"STRING"}"#,
        ]
    )
    func clearing(json: String) throws {
        let operation = try operation(json)
        #expect(operation.fields.isEmpty)
        #expect(operation.removedFields == ["f"])
    }

    static let refused: [(json: String, reason: String, place: String)] = [
        (#"{"value":1.5,"type":"TIMESTAMP"}"#, "Invalid value, expected type TIMESTAMP.", ".value"),
        (#"{"value":5,"type":"STRING"}"#, "Invalid value, expected type STRING.", ".value"),
        (
            #"{"value":["a"],"type":"STRING"}"#,
            "BadRequestException: Invalid value, expected type STRING but actual value was a list", ".value"
        ),
        (#"{"value":"a","type":"STRING_LIST"}"#, "Invalid value, expected type STRING_LIST.", ".value"),
        (#"{"value":[1,"a"],"type":"INT64_LIST"}"#, "Invalid value, expected type INT64.", ".value[1]"),
        (#"{"value":[1,"a"]}"#, "Invalid value, expected type INT64.", ".value[1]"),
        (#"{"value":["a",null]}"#, "BadRequestException: Unexpected input", ".value[1]"),
        (#"{"value":[[1]]}"#, "BadRequestException: Unexpected input", ".value[0]"),
        (#"{"value":9223372036854775808}"#, "Invalid value, expected type INT64.", ".value"),
        (#"{"value":"nan","type":"DOUBLE"}"#, "Invalid value, expected type DOUBLE.", ".value"),
        (#"{"value":"A","type":"BYTES"}"#, "Invalid value, expected type BYTES.", ".value"),
        (#"{"value":"x","type":"DATETIME"}"#, "BadRequestException: Unexpected input", ".type"),
        (#"{"value":"x","type":5}"#, "BadRequestException: Unexpected input", ".type"),
        (#"{"value":true}"#, "BadRequestException: Unexpected input", ".value"),
        (#"{"value":{"who":1}}"#, "BadRequestException: Unexpected input", ".value"),
        (
            #"{"value":{"recordName":"a","action":"None"}}"#, "BadRequestException: Unexpected input",
            ".value.action"
        ),
        (#"{"value":{},"type":"REFERENCE"}"#, "BadRequestException: Unexpected input", ".value.recordName"),
        (#"{"value":"a","type":"REFERENCE"}"#, "Invalid value, expected type REFERENCE.", ".value"),
        (
            #"{"value":{"latitude":91,"longitude":0}}"#, "Invalid value, expected type LOCATION.",
            ".value.latitude"
        ),
        (
            #"{"value":{"latitude":1},"type":"LOCATION"}"#, "BadRequestException: Unexpected input",
            ".value.longitude"
        ),
        (
            #"{"value":{"fileChecksum":"A","size":-1}}"#, "Invalid value, expected type ASSETID.",
            ".value.size"
        ),
        (#"{"value":"x","isEncrypted":"yes"}"#, "BadRequestException: Unexpected input", ".isEncrypted"),
    ]

    @Test("Invalid fields are refused with their path", arguments: refused)
    func refusal(json: String, reason: String, place: String) {
        let error = #expect(throws: RecordError.self) { try operation(json) }
        #expect(error?.code == .badRequest)
        #expect(error?.reason == reason)
        #expect(error?.culprit == "operations[0].record.fields.f\(place)")
    }

    @Test("A reference is stored without its zone only if this is the record's own zone")
    func referenceZones() throws {
        let own = try operation(#"{"value":{"recordName":"a","zoneID":{"zoneName":"Notes"}}}"#)
        #expect(own.fields["f"] == Field(.reference(Reference(recordName: "a"))))
        let alias = try operation(
            #"{"recordName":"a","zoneID":{"zoneName":"Notes","ownerRecordName":"__defaultOwner__"}}"#
        )
        #expect(alias == own)
        let other = try operation(#"{"value":{"recordName":"a","zoneID":{"zoneName":"Trips"}}}"#)
        #expect(
            other.fields["f"] == Field(.reference(Reference(recordName: "a", zone: ZoneID(name: "Trips")))))
    }

    @Test("If a name occurs twice, the last entry counts")
    func duplicates() throws {
        let body =
            #"{"operations":[{"operationType":"create","record":{"fields":"#
            + #"{"a":1,"a":null,"b":null,"b":2,"c":null,"c":null}}}]}"#
        let operation = try RecordsModifyRequest(bytes: Array(body.utf8)).batch.operations[0]
        #expect(operation.fields == ["b": Field(.int64(2))])
        #expect(operation.removedFields == ["a", "c"])
    }
}
