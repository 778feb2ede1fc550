import Records
import RecordsWire
import Testing

@testable import TestKit

@Suite("Decoding of requests, and errors with paths")
struct RequestTests {
    private func bytes(_ json: String) -> [UInt8] { Array(json.utf8) }

    @Test("An empty body counts as an empty object")
    func emptyBody() throws {
        _ = try ZonesListRequest(bytes: [])
        #expect(try ChangesDatabaseRequest(bytes: []) == ChangesDatabaseRequest())
        let error = #expect(throws: RecordError.self) { try RecordsQueryRequest(bytes: []) }
        #expect(error?.culprit == "query")
        #expect(throws: RecordError.self) { try ZonesListRequest(bytes: bytes("[]")) }
    }

    @Test("Unknown members of requests are ignored")
    func extras() throws {
        let request = try RecordsModifyRequest(
            bytes: bytes(
                """
                {"operations":[{"operationType":"forceUpdate","recordType":"Odd","record":{"recordName":"a",
                "recordType":"Note","recordChangeTag":null,"created":{"timestamp":1},"modified":null,
                "deleted":false,"pluginFields":{},"fields":null}}],"atomic":null,"zoneID":null,"more":[{}]}
                """
            )
        )
        #expect(
            request
                == RecordsModifyRequest(
                    ModifyRequest([.init(.forceUpdate, recordName: "a", recordType: "Note")])))
    }

    @Test("A client change token has the same form in requests and answers, and is decoded unchanged")
    func clientChange() throws {
        let change = ClientChange(token: [1, 255], exceptions: ["b", "a"])
        let request = RecordsModifyRequest(
            ModifyRequest([.init(.forceDelete, recordName: "a")], clientChange: change))
        let json = String(decoding: request.encoded(), as: UTF8.self)
        #expect(json.contains(#""clientChangeToken":"Af8=","clientChangeExceptions":["a","b"]"#))
        #expect(try RecordsModifyRequest(bytes: request.encoded()) == request)
        let plain = RecordsModifyRequest(ModifyRequest([.init(.forceDelete, recordName: "a")]))
        #expect(!String(decoding: plain.encoded(), as: UTF8.self).contains("clientChange"))
        let error = #expect(throws: RecordError.self) {
            try RecordsModifyRequest(bytes: bytes(#"{"operations":[],"clientChangeToken":"?"}"#))
        }
        #expect(error?.culprit == "clientChangeToken")
        for last in [change, ClientChange.nothing, nil] {
            var answer = ChangesZoneWriter(AnswerContext(uuid: "U"))
            answer.begin(ZoneID(name: "Z"))
            answer.end(token: ChangeToken(bytes: [7]), moreComing: false, lastBatch: last)
            answer.finish()
            let feeds = try ChangesZoneAnswer(bytes: answer.json.bytes).zones
            guard case .page(let page)? = feeds.first else { Issue.record("\(feeds)"); return }
            #expect(page.lastBatch == last)
        }
    }

    @Test("A single filter or sort criterion needs no array")
    func singleFilter() throws {
        let request = try RecordsQueryRequest(
            bytes: bytes(
                """
                {"query":{"recordType":"T","filterBy":{"fieldName":"a","comparator":"EQUALS",
                "fieldValue":{"value":1}},"sortBy":{"systemFieldName":"creationDate"}},
                "continuationMarker":""}
                """
            )
        )
        #expect(request.question.query.filters == [Filter(.field("a"), .equals, .int64(1))])
        #expect(request.question.query.sorts == [Sort(.system(.createdTimestamp))])
        #expect(request.question.marker == nil)
    }

    @Test(
        "System fields are recognised in every spelling, and values are converted to their type",
        arguments: [
            (
                #""fieldName":"___createTime""#, #"{"value":5}"#, SystemField.createdTimestamp,
                FieldValue.timestamp(Timestamp(milliseconds: 5))
            ),
            (
                #""systemFieldName":"modificationDate""#, #"{"value":[5]}"#, .modifiedTimestamp,
                .list(.timestamp, [.timestamp(Timestamp(milliseconds: 5))])
            ),
            (
                #""fieldName":"recordName""#, #"{"value":"a"}"#, .recordName,
                .reference(Reference(recordName: "a"))
            ),
            (
                #""systemFieldName":"parent""#, #"{"value":{"recordName":"a"}}"#, .parent,
                .reference(Reference(recordName: "a"))
            ),
        ]
    )
    func systemFields(key: String, value: String, field: SystemField, expected: FieldValue) throws {
        let body =
            #"{"query":{"recordType":"T","filterBy":{\#(key),"comparator":"EQUALS","fieldValue":\#(value)}}}"#
        let filter = try RecordsQueryRequest(bytes: bytes(body)).question.query.filters[0]
        #expect(filter == Filter(.system(field), .equals, expected))
    }

    @Test("An app's fields may be named parent or share")
    func ordinaryWords() throws {
        let body = #"{"query":{"recordType":"T","sortBy":[{"fieldName":"parent"},{"fieldName":"share"}]}}"#
        let sorts = try RecordsQueryRequest(bytes: bytes(body)).question.query.sorts
        #expect(sorts.map(\.key) == [.field("parent"), .field("share")])
    }

    @Test("Random queries are decoded unchanged", arguments: [21, 22] as [UInt64])
    func queries(seed: UInt64) throws {
        var random = SeededNumbers(seed: seed)
        for _ in 0..<500 {
            let request = RecordsQueryRequest(
                QueryRequest(
                    random.query(),
                    zone: Bool.random(using: &random) ? random.zone() : nil,
                    isZoneWide: Bool.random(using: &random),
                    limit: Bool.random(using: &random) ? 20 : nil,
                    marker: Bool.random(using: &random) ? [1] + random.bytes() : nil),
                desiredKeys: Bool.random(using: &random) ? [random.name()] : nil,
                numbersAsStrings: Bool.random(using: &random)
            )
            #expect(try RecordsQueryRequest(bytes: request.encoded()) == request, "seed \(seed)")
        }
    }

    @Test("Random operations are decoded unchanged", arguments: [23, 24] as [UInt64])
    func operations(seed: UInt64) throws {
        var random = SeededNumbers(seed: seed)
        for _ in 0..<500 {
            let kind = RecordOperation.Kind.allCases.randomElement(using: &random) ?? .create
            let fields = random.fields()
            let operation = RecordOperation(
                kind,
                recordName: "r" + random.name(),
                recordType: Bool.random(using: &random) ? random.name() : nil,
                changeTag: Bool.random(using: &random) ? ChangeTag(sequence: 77) : nil,
                fields: fields,
                removedFields: Bool.random(using: &random) ? ["~" + random.name()] : [],
                parent: [.keep, .remove, .set("p")].randomElement(using: &random) ?? .keep,
                zone: Bool.random(using: &random) ? random.zone() : nil
            )
            let request = RecordsModifyRequest(
                ModifyRequest([operation], isAtomic: Bool.random(using: &random)))
            let read = try RecordsModifyRequest(bytes: request.encoded())
            #expect(read == request, "seed \(seed)")
        }
    }

    static let refused: [(json: String, culprit: String)] = [
        (#"{"operations":{}}"#, "operations"),
        (#"{"operations":[1]}"#, "operations[0]"),
        (#"{"operations":[{"record":{}}]}"#, "operations[0].operationType"),
        (#"{"operations":[{"operationType":"upsert","record":{}}]}"#, "operations[0].operationType"),
        (#"{"operations":[{"operationType":"create"}]}"#, "operations[0].record"),
        (#"{"operations":[{"operationType":"create","record":[]}]}"#, "operations[0].record"),
        (#"{"operations":[{"operationType":"delete","record":{}}]}"#, "operations[0].record.recordName"),
        (
            #"{"operations":[{"operationType":"create","record":{"recordName":5}}]}"#,
            "operations[0].record.recordName"
        ),
        (#"{"operations":[],"atomic":"no"}"#, "atomic"),
        (#"{"operations":[],"desiredKeys":["a",1]}"#, "desiredKeys[1]"),
        (#"{"operations":[],"zoneID":5}"#, "zoneID"),
        (#"{"operations":[],"zoneID":{"zoneName":{}}}"#, "zoneID.zoneName"),
        (#"{"operations":[],"numberAsStrings":1}"#, "numberAsStrings"),
    ]

    @Test("An invalid modify request is refused with the path of the invalid value", arguments: refused)
    func refusal(json: String, culprit: String) {
        let error = #expect(throws: RecordError.self) { try RecordsModifyRequest(bytes: bytes(json)) }
        #expect(error?.code == .badRequest)
        #expect(error?.culprit == culprit)
    }

    static let refusedQueries: [(json: String, culprit: String)] = [
        (#"{"query":{}}"#, "query.recordType"),
        (
            #"{"query":{"recordType":"T","filterBy":[{"fieldName":"a","fieldValue":{"value":1}}]}}"#,
            "query.filterBy[0].comparator"
        ),
        (#"{"query":{"recordType":"T","filterBy":[{"comparator":"LIKE"}]}}"#, "query.filterBy[0].comparator"),
        (
            #"{"query":{"recordType":"T","filterBy":[{"comparator":"EQUALS"}]}}"#,
            "query.filterBy[0].fieldName"
        ),
        (
            #"{"query":{"recordType":"T","filterBy":[{"comparator":"EQUALS","fieldName":"a"}]}}"#,
            "query.filterBy[0].fieldValue"
        ),
        (
            #"{"query":{"recordType":"T","filterBy":{"comparator":"IN","fieldName":"a","fieldValue":{}}}}"#,
            "query.filterBy.fieldValue.value"
        ),
        (
            #"{"query":{"recordType":"T","filterBy":[{"comparator":"NEAR","fieldName":"a","#
                + #""fieldValue":{"value":{"latitude":1,"longitude":1}}}]}}"#, "query.filterBy[0].distance"
        ),
        (
            #"{"query":{"recordType":"T","filterBy":[{"comparator":"EQUALS","systemFieldName":"title"}]}}"#,
            "query.filterBy[0].systemFieldName"
        ),
        (#"{"query":{"recordType":"T","sortBy":[{}]}}"#, "query.sortBy[0].fieldName"),
        (#"{"query":{"recordType":"T"},"resultsLimit":1.5}"#, "resultsLimit"),
        (#"{"query":{"recordType":"T"},"continuationMarker":"no!"}"#, "continuationMarker"),
    ]

    @Test("An invalid query is refused with the path of the invalid value", arguments: refusedQueries)
    func queryRefusal(json: String, culprit: String) {
        let error = #expect(throws: RecordError.self) { try RecordsQueryRequest(bytes: bytes(json)) }
        #expect(error?.code == .badRequest)
        #expect(error?.culprit == culprit)
    }

    @Test("Zones are decoded in all forms, and aliases of the current user become a nil owner")
    func zones() throws {
        let body =
            #"{"zones":[{"zoneName":"A"},{"zoneID":{"zoneName":"B","ownerRecordName":"_defaultOwner"}},"#
            + #""C",{},{"zoneName":"D","ownerRecordName":"_77"}]}"#
        let request = try ZonesLookupRequest(bytes: bytes(body))
        #expect(
            request.zones == [
                ZoneID(name: "A"), ZoneID(name: "B"), ZoneID(name: "C"), .default,
                ZoneID(name: "D", owner: "_77"),
            ]
        )
    }

    @Test("Options beside the list of zones apply to the zones without their own")
    func feedDefaults() throws {
        let body =
            #"{"zones":[{"zoneID":"A","syncToken":""},{"zoneID":"B","resultsLimit":5,"reverse":false}],"#
            + #""resultsLimit":9,"reverse":true,"desiredKeys":["x"],"numberAsStrings":true}"#
        let zones = try ChangesZoneRequest(bytes: bytes(body)).zones
        #expect(zones.map(\.resultsLimit) == [9, 5])
        #expect(zones.map(\.isReversed) == [true, false])
        #expect(zones.map(\.desiredKeys) == [["x"], ["x"]])
        #expect(zones.map(\.numbersAsStrings) == [true, true])
        #expect(zones.map(\.token) == [nil, nil])
    }

    @Test("A token that is not base64 does not affect other zones")
    func garbageToken() throws {
        let body = #"{"zones":[{"zoneID":"A","syncToken":"not base64!"},{"zoneID":"B","syncToken":"AQ=="}]}"#
        let zones = try ChangesZoneRequest(bytes: bytes(body)).zones
        #expect(zones.map(\.token?.bytes) == [Array("not base64!".utf8), [1]])
    }

    @Test("Nesting beyond the limit is refused, and the limit can be lowered")
    func nesting() {
        var limits = Limits()
        limits.nesting = 2
        let body = bytes(#"{"operations":[{}]}"#)
        #expect(throws: RecordError.self) { try RecordsModifyRequest(bytes: body, limits: limits) }
    }
}
