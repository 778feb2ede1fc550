import RecordStore
import Records
import Testing

@testable import TestKit

@Suite("Contract: order and paging")
struct OrderTests {
    @Test("Without a sort, records come in the order of their creation", arguments: StoreKind.allCases)
    func plain(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            for name in ["c", "a", "b"] { try await world.create(name) }
            try await world.create("x", type: "Clown")
            #expect(try await world.find() == ["c", "a", "b"])
            #expect(try await world.find(type: "Clown") == ["x"])
            #expect(try await world.store.query(QueryPlan(recordType: "Unknown", limit: 5)).records == [])
        }
    }

    @Test(
        """
        A sort orders by value in both directions, missing values first when ascending and last when \
        descending
        """,
        arguments: StoreKind.allCases, ["s", "i", "d", "t", "b"])
    func oneKey(kind: StoreKind, key: String) async throws {
        let values: [String: [Field]] = [
            "s": [text(""), text("B"), text("a"), text("é")],
            "i": [number(.min), number(-1), number(2), number(.max)],
            "d": [real(-1e300), real(-0.5), real(0.25), real(7)],
            "t": [time(-9), time(0), time(5), time(1 << 50)],
            "b": [bytes([]), bytes([0]), bytes([0, 1]), bytes([255])],
        ]
        let ordered = try #require(values[key])
        try await withWorld(kind) { world in
            if key == "b" {
                world.declare { schema in
                    let field = FieldSchema(type: .scalar(.bytes), indexes: [.queryable, .sortable])
                    schema.types["Party"] = TypeSchema(name: "Party", fields: ["b": field])
                }
            }
            try await world.create("none1")
            for index in [2, 0, 3, 1] { try await world.create("v\(index)", [key: ordered[index]]) }
            try await world.create("none2")
            let up = ["none1", "none2", "v0", "v1", "v2", "v3"]
            for page in [1, 2, 3, 10] {
                #expect(try await world.find(sort: [ascending(key)], page: page) == up)
                #expect(try await world.find(sort: [descending(key)], page: page) == up.reversed())
            }
        }
    }

    @Test("Several sort keys apply one after the other, each in its direction", arguments: StoreKind.allCases)
    func severalKeys(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            let rows: [(String, String?, Int64?)] = [
                ("a", "x", 2), ("b", "y", 1), ("c", "x", 1), ("d", nil, 5), ("e", "x", nil), ("f", "y", 1),
                ("g", nil, nil),
            ]
            for (name, key, rank) in rows {
                var fields = Fields()
                fields["key"] = key.map { text($0) }
                fields["rank"] = rank.map { number($0) }
                try await world.create(name, fields)
            }
            let orders: [([Sort], String)] = [
                ([ascending("key"), ascending("rank")], "gdecabf"),
                ([ascending("key"), descending("rank")], "dgaceFb"),
                ([descending("key"), ascending("rank")], "bfecagd"),
                ([descending("rank"), ascending("key")], "dacbfge"),
                ([descending("rank"), descending("key")], "dafbceg"),
                ([ascending("rank"), descending("key")], "egFbcad"),
            ]
            for (sort, expected) in orders {
                for page in [1, 2, 10] {
                    let found = try await world.find(sort: sort, page: page).joined()
                    #expect(found == expected.lowercased(), "\(sort)")
                }
            }
        }
    }

    @Test("System fields order records too", arguments: StoreKind.allCases)
    func systemKeys(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            let c = try await world.create("c", by: "_1")
            try await world.create("a", by: "_3")
            try await world.create("x", type: "Clown", by: "_1")
            try await world.save(create("b", parent: "x"), by: "_2")
            try await world.save(create("d", parent: "c"), by: "_2")
            let old = try #require(try await world.store.records(named: [c.id.name], in: "_defaultZone")[0])
            try await world.save(update(old), by: "_4")
            let orders: [(SystemField, String)] = [
                (.recordName, "abcd"), (.createdTimestamp, "cabd"), (.modifiedTimestamp, "abdc"),
                (.createdUserRecordName, "cbda"), (.modifiedUserRecordName, "bdac"), (.parent, "cadb"),
            ]
            for (key, expected) in orders {
                for page in [1, 2, 9] {
                    let up = try await world.find(sort: [Sort(.system(key))], page: page)
                    let down = try await world.find(sort: [Sort(.system(key), ascending: false)], page: page)
                    #expect(up.joined() == expected)
                    #expect(down == up.reversed())
                }
            }
        }
    }

    @Test(
        """
        The order of a query is total; its cursor continues exactly after the last record, whatever was \
        written in between, also after a restart
        """,
        arguments: StoreKind.allCases)
    func stable(kind: StoreKind) async throws {
        try await withFolder { folder in
            var world = World(store: try kind.open(in: folder))
            for index in 0..<8 { try await world.create("r\(index)", ["n": number(Int64(index / 2))]) }
            var plan = try world.plan(sort: [descending("n")], limit: 3)
            let first = try await world.store.query(plan)
            #expect(first.records.map(\.id.name) == ["r7", "r6", "r5"])
            let marker = try #require(first.cursor).marker(for: plan)

            try await world.create("before", ["n": number(9)])
            try await world.create("tie", ["n": number(2)])
            try await world.create("after", ["n": number(1)])
            try await world.commit([delete("r5"), delete("r2")])
            if StoreKind.lasting.contains(kind) {
                try await world.finish()
                world = World(store: try kind.open(in: folder), schema: world.schema)
            }
            plan = try world.plan(sort: [descending("n")], limit: 3)
            plan.cursor = try QueryCursor(marker: marker, for: plan)
            let rest = try await world.pages(of: plan).map(\.id.name)
            #expect(rest == ["r4", "after", "r3", "r1", "r0"])
            try await world.finish()
        }
    }

    @Test(
        "A page holds as many records as asked, and the last page has no cursor",
        arguments: StoreKind.allCases)
    func pages(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            for index in 0..<4 { try await world.create("r\(index)") }
            let full = try await world.store.query(world.plan(limit: 4))
            #expect(full.records.count == 4 && full.cursor == nil)
            let part = try await world.store.query(world.plan(limit: 3))
            #expect(part.records.count == 3 && part.cursor != nil)
        }
    }

    @Test(
        "A page ends with the record that brings its bytes to the limit",
        arguments: StoreKind.allCases)
    func pagesOfBytes(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            for index in 0..<5 { try await world.create("r\(index)", ["n": number(Int64(index))]) }
            var plan = try world.plan(limit: 4)
            let one = try await world.store.query(plan).records[0].fields.bytes.count
            var sizes: [Int] = []
            plan.bytes = one + 1
            for _ in 0..<9 {
                let page = try await world.store.query(plan)
                sizes.append(page.records.count)
                plan.cursor = page.cursor
                if plan.cursor == nil { break }
            }
            #expect(sizes == [2, 2, 1])
            plan.bytes = 0
            #expect(try await world.store.query(plan).records.map(\.id.name) == ["r0"])
        }
    }

    @Test("A query in all zones finds the records of each, in one order", arguments: StoreKind.allCases)
    func allZones(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            for zone in ["Y", "Z"] { _ = try await world.store.createZone(named: zone) }
            for (index, zone) in ["Z", "_defaultZone", "Y", "Z", "_defaultZone"].enumerated() {
                try await world.create("r\(index)", ["n": number(Int64(5 - index % 3))], zone: zone)
            }
            #expect(try await world.find(zone: nil) == ["r0", "r1", "r2", "r3", "r4"])
            #expect(
                try await world.find(sort: [ascending("n")], zone: nil) == ["r2", "r1", "r4", "r0", "r3"])
            #expect(try await world.find(system(.recordName, .equals, link("r3")), zone: nil) == ["r3"])
            let records = try await world.pages(of: world.plan(zone: nil, limit: 2))
            #expect(records.map(\.id.zone.name) == ["Z", "_defaultZone", "Y", "Z", "_defaultZone"])
            #expect(try await world.find(zone: "Z") == ["r0", "r3"])
        }
    }
}
