import Foundation
import Testing

@testable import ServerKit
@testable import TestKit

@Suite("Queries", .timeLimit(.minutes(30)))
struct QueryTests {
    private static func filter(_ name: String, _ comparator: String, _ value: JSON) -> JSON {
        ["fieldName": .string(name), "comparator": .string(comparator), "fieldValue": value]
    }

    private static func query(_ filters: [JSON] = [], sort: [JSON] = [], limit: Int64? = nil) -> JSON {
        let query: JSON = ["recordType": "Book", "filterBy": .array(filters), "sortBy": .array(sort)]
        let body: JSON = ["query": query]
        return limit.map { body.with(["resultsLimit": .integer($0)]) } ?? body
    }

    private static func stock(_ world: ServerWorld) async throws -> Person {
        let alice = try await world.signIn("alice")
        let books = (0..<25).map { number in
            create(
                "b\(number)", type: "Book",
                ["year": ServerKit.number(Int64(1990 + number % 10)), "title": text("Title \(number)")]
            )
        }
        _ = try await world.modify("public", books, as: alice)
        return alice
    }

    @Test("Pages contain each record once, even while others write")
    func pages() async throws {
        try await serving { world in
            let alice = try await Self.stock(world)
            var names: [String?] = []
            var body = Self.query(sort: [["fieldName": "year", "ascending": false]], limit: 7)
            while true {
                let page = try await world.call("public/records/query", body)
                names += page.json["records"].texts("recordName")
                guard let marker = page.json["continuationMarker"].text else { break }
                #expect(Data(base64Encoded: marker) != nil)
                body = body.with(["continuationMarker": .string(marker)])
                let noise = create("x\(names.count)", type: "Book", ["year": number(2020)])
                _ = try await world.modify("public", [noise], as: alice)
            }
            #expect(names.count == 25)
            #expect(Set(names).count == 25)
            #expect(names.prefix(2) == ["b19", "b9"])
        }
    }

    @Test("Markers of another query, truncated markers and other bytes are refused")
    func markers() async throws {
        try await serving { world in
            _ = try await Self.stock(world)
            let page = try await world.call("public/records/query", Self.query(limit: 2))
            let marker = try #require(page.json["continuationMarker"].text)
            let other = Self.query([Self.filter("year", "EQUALS", number(1991))], limit: 2)
            for (body, text) in [
                (other, marker), (Self.query(limit: 2), String(marker.prefix(8))),
                (Self.query(limit: 2), "????"),
                (Self.query(limit: 2), "AAAA"),
            ] {
                let reply = try await world.call(
                    "public/records/query", body.with(["continuationMarker": .string(text)])
                )
                #expect(reply.status == 400, "\(text)")
                #expect(reply.json["serverErrorCode"] == "BAD_REQUEST", "\(text)")
            }
            let none = try await world.call(
                "public/records/query", Self.query(limit: 2).with(["continuationMarker": ""])
            )
            #expect(none.bytes == page.bytes)
        }
    }

    @Test("Conditions select records; a single condition needs no list")
    func conditions() async throws {
        try await serving { world in
            _ = try await Self.stock(world)
            func found(_ body: JSON) async throws -> [String?] {
                try await world.call("public/records/query", body).json["records"].texts("recordName").sorted
                {
                    ($0 ?? "") < ($1 ?? "")
                }
            }
            let equal = Self.filter("year", "EQUALS", number(1991))
            #expect(try await found(Self.query([equal])) == ["b1", "b11", "b21"])
            #expect(
                try await found(["query": ["recordType": "Book", "filterBy": equal]]) == ["b1", "b11", "b21"])
            let late = Self.filter("year", "GREATER_THAN", number(1997))
            let begins = Self.filter("title", "BEGINS_WITH", text("Title 1"))
            #expect(try await found(Self.query([late, begins])) == ["b18", "b19"])
            let among = Self.filter("year", "IN", ["value": [1990, 1995], "type": "INT64_LIST"])
            #expect(try await found(Self.query([among])) == ["b0", "b10", "b15", "b20", "b5"])
            #expect(try await found(Self.query([Self.filter("year", "EQUALS", number(1900))])) == [])
        }
    }

    @Test("An invalid query fails with CloudKit's text")
    func refusals() async throws {
        try await serving { world in
            _ = try await Self.stock(world)
            let cases: [(JSON, String)] = [
                (["query": ["recordType": "Nothing"]], "404 NOT_FOUND: Did not find record type: Nothing"),
                (
                    Self.query([Self.filter("nothing", "EQUALS", number(1))]),
                    "400 BAD_REQUEST: Did not find field: 'nothing' in type: 'Book'"
                ),
                (
                    Self.query(sort: [["fieldName": "nothing"]]),
                    "400 BAD_REQUEST: Did not find field: 'nothing' in type: 'Book'"
                ),
                (
                    Self.query([Self.filter("year", "EQUALS", text("x"))]),
                    "400 BAD_REQUEST: Field 'year' has a value type of INT64 and cannot be queried using "
                        + "filter value type STRING"
                ),
            ]
            for (body, failure) in cases {
                let reply = try await world.call("public/records/query", body)
                #expect(reply.failure.hasPrefix(failure), "\(body)")
            }
            for body: JSON in [
                [:], ["query": [:]], ["query": "Book"], ["query": ["recordType": 3]],
                Self.query([["fieldName": "year"]]), Self.query([Self.filter("year", "INVENTED", number(1))]),
                Self.query().with(["continuationMarker": 3]), Self.query().with(["zoneID": 5]),
            ] {
                let reply = try await world.call("public/records/query", body)
                #expect(reply.status == 400, "\(body)")
                #expect(reply.json["serverErrorCode"] == "BAD_REQUEST", "\(body)")
            }
        }
    }

    @Test("A zone-wide query finds records in every zone of the private database")
    func zoneWide() async throws {
        try await serving { world in
            let alice = try await world.signIn("alice")
            _ = try await world.call("private/zones/modify", zones(create: ["A", "B"]), as: alice)
            for zone in ["A", "B", "_defaultZone"] {
                let save = batch([create("in-\(zone)", type: "Book")], zone: zone)
                _ = try await world.call("private/records/modify", save, as: alice)
            }
            let wide = try await world.call(
                "private/records/query", Self.query().with(["zoneWide": true]), as: alice
            )
            let zones = wide.json["records"].elements.map { $0["zoneID"]["zoneName"].text ?? "" }
            #expect(zones.sorted() == ["A", "B", "_defaultZone"])
            let one = try await world.call(
                "private/records/query", Self.query().with(["zoneWide": true, "zoneID": ["zoneName": "B"]]),
                as: alice
            )
            #expect(one.json["records"].texts("recordName") == ["in-B"])
            let home = try await world.call("private/records/query", Self.query(), as: alice)
            #expect(home.json["records"].texts("recordName") == ["in-_defaultZone"])
        }
    }

    @Test("On request, an answer contains the present token of its zone")
    func syncTokens() async throws {
        try await serving { world in
            let alice = try await world.signIn("alice")
            _ = try await world.call("private/zones/modify", zones(create: ["Notes"]), as: alice)
            let wish = "getCurrentSyncToken=true"
            let saved = try await world.call(
                "private/records/modify", batch([create("n", type: "Book")], zone: "Notes"), as: alice,
                parameters: wish
            )
            let token = saved.json["syncToken"]
            let zone: JSON = ["zoneName": "Notes"]
            let query = Self.query().with(["zoneID": zone])
            let found = try await world.call("private/records/query", query, as: alice, parameters: wish)
            #expect(found.json["syncToken"] == token)
            let feed: JSON = ["zones": [["zoneID": zone, "syncToken": token]]]
            let changes = try await world.call("private/changes/zone", feed, as: alice).json["zones"][0]
            #expect(changes["records"] == [])
            let list = try await world.get("private/zones/list", as: alice)
            #expect(list.json["zones"][1]["syncToken"] == token)
        }
    }
}
