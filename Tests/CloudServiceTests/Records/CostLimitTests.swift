import CloudletServer
import Logging
import RecordsWire
import Synchronization
import Testing

@testable import ServerKit
@testable import TestKit

/// A list in a request, with its maximum number of elements.
private struct BoundedList: Sendable, CustomTestStringConvertible {
    var endpoint: String
    var path: [String]
    var limit: Int
    /// The body that contains the list.
    var body: JSON

    init(_ endpoint: String, _ path: String..., limit: Int = 3, in body: JSON = [:]) {
        self.endpoint = endpoint
        self.path = path
        self.limit = limit
        self.body = body
    }

    var testDescription: String { "\(endpoint) \(path.joined(separator: "."))" }

    /// The body with a list of `count` invalid elements.
    func filled(_ count: Int) -> JSON {
        func put(_ rest: ArraySlice<String>, in body: JSON) -> JSON {
            guard let name = rest.first else { return .array(Array(repeating: false, count: count)) }
            return (body == .null ? [:] : body).with([name: put(rest.dropFirst(), in: body[name])])
        }
        return put(path[...], in: body)
    }

    private static let zone: JSON = ["zoneID": ["zoneName": "Notes"]]
    private static let query: JSON = ["query": ["recordType": "Party"]]

    static let all: [BoundedList] = [
        BoundedList("public/records/query", "query", "filterBy", in: query),
        BoundedList("public/records/query", "query", "sortBy", in: query),
        BoundedList("public/records/query", "desiredKeys", in: query),
        BoundedList("public/records/lookup", "records"),
        BoundedList("public/records/lookup", "desiredKeys", in: ["records": []]),
        BoundedList("public/records/modify", "operations"),
        BoundedList("public/records/modify", "desiredKeys", in: ["operations": []]),
        BoundedList(
            "public/records/modify", "clientChangeExceptions",
            in: ["operations": [], "clientChangeToken": "AAAA"]),
        BoundedList("private/records/changes", "desiredKeys", in: zone),
        BoundedList("private/records/changes", "desiredRecordTypes", in: zone),
        BoundedList("private/changes/zone", "zones"),
        BoundedList("private/changes/zone", "desiredKeys", in: ["zones": [zone]]),
        BoundedList("private/changes/zone", "desiredRecordTypes", in: ["zones": [zone]]),
        BoundedList("private/zones/lookup", "zones"),
        BoundedList("private/zones/modify", "operations"),
        BoundedList("private/subscriptions/lookup", "subscriptions"),
        BoundedList("private/subscriptions/modify", "operations"),
        BoundedList("public/assets/upload", "tokens"),
        BoundedList("public/assets/rereference", "assets"),
        BoundedList("public/users/discover", "lookupInfos"),
        BoundedList("public/users/lookup/email", "users"),
        BoundedList("public/users/lookup/id", "users"),
    ]
}

@Suite("Costs of requests", .timeLimit(.minutes(30)))
struct CostLimitTests {
    private static let lowered: @Sendable (inout ServerConfiguration) -> Void = { configuration in
        configuration.limits.operationsPerRequest = 3
        configuration.limits.recordsPerResponse = 3
        configuration.limits.tokensPerRequest = 3
        configuration.limits.zonesPerRequest = 3
        configuration.limits.filtersPerQuery = 3
        configuration.limits.listElements = 3
        configuration.limits.subscriptions = 3
        configuration.limits.sortsPerQuery = 3
        configuration.limits.keysPerRequest = 3
        configuration.limits.timesPerQuery = 2
        configuration.limits.searchCharacters = 20
        configuration.limits.searchWords = 2
    }

    @Test(
        "The length of every list in a request is checked before its elements are decoded",
        arguments: BoundedList.all)
    fileprivate func counted(list: BoundedList) async throws {
        try await withServer(.loopback, Self.lowered) { world in
            let alice = try await world.signIn("alice")
            let fitting = try await world.call(list.endpoint, list.filled(list.limit), as: alice)
            #expect(fitting.failure == "400 BAD_REQUEST: BadRequestException: Unexpected input")
            let longer = try await world.call(list.endpoint, list.filled(list.limit + 1), as: alice)
            #expect(longer.status == 400)
            let reason = longer.json["reason"].text ?? ""
            #expect(
                reason.contains("contains 4 items which is more than the maximum")
                    || reason.hasPrefix("more than 3 "), "\(reason)")
        }
    }

    @Test("The numbers of notifications to mark and of values in a condition are checked before decoding")
    func others() async throws {
        try await withServer(.loopback, Self.lowered) { world in
            let alice = try await world.signIn("alice")
            func mark(_ count: Int) async throws -> String {
                let ids = JSON.array(Array(repeating: false, count: count))
                return try await world.device("notifications/read", ["notificationIDs": ids], as: alice)
                    .failure
            }
            #expect(try await mark(3) == "400 BAD_REQUEST: BadRequestException: Unexpected input")
            #expect(try await mark(4).contains("contains 4 items"))
            func find(_ count: Int) async throws -> String {
                let filter: JSON = [
                    "fieldName": "n", "comparator": "IN",
                    "fieldValue": [
                        "value": .array(Array(repeating: false, count: count)), "type": "INT64_LIST",
                    ],
                ]
                let body: JSON = ["query": ["recordType": "Party", "filterBy": filter]]
                return try await world.call("public/records/query", body).failure
            }
            #expect(try await find(3).contains("Invalid value, expected type INT64"))
            #expect(try await find(4) == "400 BAD_REQUEST: more than 3 values in one query")
        }
    }

    @Test("The elements of all lists of a batch are counted together before they are decoded")
    func elements() async throws {
        try await serving({ $0.limits.elementsPerRequest = 5 }) { world in
            let alice = try await world.signIn("alice")
            func list(_ count: Int, of element: JSON = 7) -> JSON {
                ["value": .array(Array(repeating: element, count: count)), "type": "INT64_LIST"]
            }
            func save(_ operations: JSON...) async throws -> Reply {
                try await world.modify("public", operations, as: alice)
            }
            let refusal =
                "400 BAD_REQUEST: the lists of one request have more than 5 elements together "
                + "(elementsPerRequest), where a person of a share counts as 5"
            #expect(try await save(create("a", ["l": list(2)]), create("b", ["l": list(3)])).status == 200)
            #expect(
                try await save(create("c", ["l": list(3)]), create("d", ["l": list(3)])).failure == refusal)
            #expect(try await save(create("e", ["l": list(3), "m": list(3)])).failure == refusal)
            #expect(try await save(create("f", ["l": list(6, of: false)])).failure == refusal)
            #expect(try await save(create("f", ["l": list(5, of: false)])).failure.contains("expected type"))
            let bare = JSON.array(Array(repeating: 7, count: 6))
            #expect(try await save(create("g", ["l": bare])).failure == refusal)
            for member in ["participants", "requesters", "blocked"] {
                let share: JSON = ["recordName": "s", "recordType": "Crowd", member: [false, false]]
                #expect(try await save(["operationType": "create", "record": share]).failure == refusal)
            }
            let others = (0..<20).map { create("s\($0)", ["n": number(1), "l": list(0)]) }
            let saved = try await world.modify("public", others, as: alice)
            #expect(saved.records == Array(repeating: "ok", count: 20))
            let found = try await world.lookup("public", "a", "b", "c", "e", "g")
            #expect(found.records.map { $0 == "ok" } == [true, true, false, false, false])
            #expect(try await world.send("GET", "/limits").json["elementsPerRequest"] == 5)
        }
    }

    @Test("The searchable texts that a batch changes are counted together, and one record always fits")
    func searchableTexts() async throws {
        try await serving({ $0.limits.searchableBytesPerRequest = 1000 }) { world in
            let alice = try await world.signIn("alice")
            let long = text(String(repeating: "word ", count: 120))
            func save(_ operations: JSON...) async throws -> String {
                let reply = try await world.modify("public", operations, as: alice)
                return reply.status == 200 ? reply.records.joined(separator: " ") : reply.failure
            }
            let refusal =
                "400 BAD_REQUEST: the records that one request saves or deletes have more than 1000 bytes of "
                + "searchable texts (searchableBytesPerRequest) together"
            #expect(try await save(create("a", ["t": long, "u": long])) == "ok")
            #expect(try await save(create("b", ["t": long]), create("c", ["t": long])) == refusal)
            #expect(try await world.lookup("public", "b").records == ["NOT_FOUND: Record not found"])
            #expect(try await save(create("b", ["t": long])) == "ok")
            func change(_ fields: JSON) async throws -> String {
                try await save(operation("forceUpdate", "a", fields), operation("forceUpdate", "b", fields))
            }
            #expect(try await change(["n": number(1)]) == "ok ok")
            #expect(try await change(["t": long]) == "ok ok")
            // The words of both texts may have to be written again.
            #expect(try await change(["u": text("short")]) == refusal)
            // Removing words costs as much.
            #expect(try await change(["t": text("short")]) == refusal)
            #expect(try await save(forceDelete("a"), forceDelete("b")) == refusal)
            #expect(try await world.lookup("public", "a", "b").records == ["ok", "ok"])
            #expect(try await save(forceDelete("a")) == "ok")
            #expect(try await world.send("GET", "/limits").json["searchableBytesPerRequest"] == 1000)
        }
    }

    @Test("The keys of single records of a look-up are counted together")
    func lookupKeys() async throws {
        try await serving(Self.lowered) { world in
            let alice = try await world.signIn("alice")
            let fields: JSON = ["a": number(1), "b": number(2)]
            _ = try await world.modify("public", [create("r", fields)], as: alice)
            func lookup(_ keys: [JSON]) async throws -> Reply {
                let items = keys.map { JSON.object(["recordName": "r", "desiredKeys": $0]) }
                return try await world.call("public/records/lookup", ["records": .array(items)])
            }
            let fitting = try await lookup([["a", "b"], ["b"], []])
            #expect(fitting.json["records"].elements.map { $0["fields"].keys } == [["a", "b"], ["b"], []])
            #expect(try await lookup([["a", "b"], ["a", "b"]]).failure.contains("contains 4 items"))
        }
    }

    @Test("The numbers of sort keys, times and search words of a query are limited")
    func queries() async throws {
        try await serving(Self.lowered) { world in
            let alice = try await world.signIn("alice")
            let fields: JSON = ["a": number(1), "b": number(2), "c": number(3), "t": text("red nose")]
            _ = try await world.modify("public", [create("r", fields)], as: alice)
            func find(_ filters: [JSON] = [], sort: [JSON] = []) async throws -> String {
                let query: JSON = [
                    "recordType": "Party", "filterBy": .array(filters), "sortBy": .array(sort),
                ]
                return try await world.call("public/records/query", ["query": query]).failure
            }
            func times(_ times: JSON...) -> JSON {
                [
                    "systemFieldName": "createdTimestamp", "comparator": "IN",
                    "fieldValue": ["value": .array(times), "type": "TIMESTAMP_LIST"],
                ]
            }
            func search(_ words: String) -> JSON {
                ["fieldName": "t", "comparator": "CONTAINS_ANY_TOKENS", "fieldValue": text(words)]
            }
            let fine = "200 -: -"
            let sorts = ["a", "b", "c", "t"].map { JSON.object(["fieldName": .string($0)]) }
            #expect(try await find(sort: Array(sorts.prefix(3))) == fine)
            #expect(try await find(sort: sorts).hasSuffix("more than 3 sort criteria in one query"))
            #expect(try await find([times(1, 2)]) == fine)
            #expect(
                try await find([times(1, 2, 3)])
                    .hasSuffix("more than 2 creation and modification times in one query"))
            #expect(try await find([search("red noses")]) == fine)
            #expect(try await find([search("a red nose")]).hasSuffix("more than 2 words to search for"))
            #expect(try await find([search(String(repeating: "x", count: 20))]) == fine)
            #expect(
                try await find([search(String(repeating: "x", count: 21))])
                    .hasSuffix("more than 20 characters to search for"))
        }
    }

    @Test("The zones of a database are limited and listed in pages")
    func zones() async throws {
        try await serving {
            $0.limits.zonesPerDatabase = 4
            $0.limits.zonesPerResponse = 2
        } _: { world in
            let alice = try await world.signIn("alice")
            let made = try await world.call(
                "private/zones/modify", ServerKit.zones(create: ["A", "B", "C", "D", "E", "A"]), as: alice)
            #expect(made.items("zones").map { $0 == "ok" } == [true, true, true, true, false, true])
            #expect(
                made.items("zones")[4] == "BAD_REQUEST: the database has 4 zones, and may have no more than 4"
            )
            func names(_ reply: Reply) -> [String?] {
                reply.json["zones"].elements.map { $0["zoneID"]["zoneName"].text }
            }
            for (limit, pages) in [
                (JSON.null, [["_defaultZone", "A"], ["B", "C"], ["D"]]),
                (100, [["_defaultZone", "A"], ["B", "C"], ["D"]]),
                (1, [["_defaultZone"], ["A"], ["B"], ["C"], ["D"]]),
                (0, [["_defaultZone"], ["A"], ["B"], ["C"], ["D"]]),
            ] {
                var marker = JSON.null
                for (index, page) in pages.enumerated() {
                    let body: JSON = ["resultsLimit": limit, "continuationMarker": marker]
                    let reply = try await world.call("private/zones/list", body, as: alice)
                    #expect(names(reply) == page)
                    marker = reply.json["continuationMarker"]
                    #expect((marker == .null) == (index == pages.count - 1))
                }
            }
            let wrong = try await world.call(
                "private/zones/list", ["continuationMarker": "QQ=="], as: alice)
            #expect(wrong.failure == "400 BAD_REQUEST: Invalid continuation format")
        }
    }

    @Test("A record that is named several times is read once, but answered and counted each time")
    func repeats() async throws {
        try await serving({ $0.limits.lookupBytes = 1000 }) { world in
            let alice = try await world.signIn("alice")
            let saves = ["a", "b"].map { create($0, ["text": text(String(repeating: "x", count: 400))]) }
            _ = try await world.modify("public", saves, as: alice)
            let twice = try await world.lookup("public", "a", "none", "a", "none")
            #expect(twice.json["records"].texts("recordName") == ["a", "none", "a", "none"])
            #expect(twice.records.map { $0 == "ok" } == [true, false, true, false])
            let thrice = try await world.lookup("public", "a", "a", "a")
            #expect(thrice.failure.contains("more than 1000 bytes of fields"))
            try await world.call("private/zones/modify", ServerKit.zones(create: ["Z"]), as: alice)
            let zone: JSON = ["zoneName": "Z"]
            let absent: JSON = ["zoneName": "none"]
            let zones = try await world.call(
                "private/zones/lookup", ["zones": [zone, absent, zone, absent]], as: alice)
            #expect(zones.items("zones").map { $0 == "ok" } == [true, false, true, false])
        }
    }

    @Test("The log has the engine's error text, the client only learns that the store failed")
    func engine() async throws {
        let notebook = LogRecorder()
        try await withServer(.loopback) {
            $0.limits.filtersPerQuery = 3000
            $0.logger = Logger(label: "test") { _ in LogRecorder.Writer(notebook: notebook) }
        } _: { world in
            let alice = try await world.signIn("alice")
            _ = try await world.modify("public", [create("r", ["n": number(1)])], as: alice)
            let filter: JSON = ["fieldName": "n", "comparator": "EQUALS", "fieldValue": number(1)]
            let query: JSON = [
                "recordType": "Party", "filterBy": .array(Array(repeating: filter, count: 2500)),
            ]
            let reply = try await world.call(
                "public/records/query", ["query": query], headers: ["X-Cloudlet-Details": "1"])
            #expect(reply.failure == "500 INTERNAL_ERROR: the store failed")
            #expect(!reply.text.contains("depth"))
        }
        #expect(notebook.lines.withLock { $0.contains { $0.contains("Expression tree is too large") } })
    }
}
