import RecordStore
import RecordStoreSQLite
import Records
import Testing

/// A query and whether its plan may sort the rows.
struct PlannedQuery: Sendable, CustomTestStringConvertible {
    var title: String
    var filters: [Filter]
    var sorts: [Sort]
    /// Whether the index returns the rows in the requested order.
    var isInOrder: Bool

    init(_ title: String, _ filters: [Filter] = [], sort: [Sort] = [], inOrder: Bool = false) {
        self.title = title
        self.filters = filters
        sorts = sort
        isInOrder = inOrder
    }

    var testDescription: String { title }
}

private let newestFirst = Sort(.system(.createdTimestamp), ascending: false)
private let here = Location(latitude: 37, longitude: -122)

private let plannedQueries: [PlannedQuery] = [
    PlannedQuery("everything", inOrder: true),
    PlannedQuery("everything, newest first", sort: [newestFirst], inOrder: true),
    PlannedQuery(
        "everything, last changed first", sort: [Sort(.system(.modifiedTimestamp), ascending: false)],
        inOrder: true),
    PlannedQuery("everything by name", sort: [Sort(.system(.recordName))], inOrder: true),
    PlannedQuery("everything by its creator", sort: [Sort(.system(.createdUserRecordName))], inOrder: true),
    PlannedQuery("everything by a field", sort: [ascending("s")], inOrder: true),
    PlannedQuery("everything by a field, descending", sort: [descending("i")], inOrder: true),
    PlannedQuery("equality of text", [field("s", .equals, text("x"))], inOrder: true),
    PlannedQuery("equality of a number", [field("i", .equals, number(1))], inOrder: true),
    PlannedQuery("equality of bytes", [field("b", .equals, bytes([1]))], inOrder: true),
    PlannedQuery("equality of a time", [field("t", .equals, time(1))], inOrder: true),
    PlannedQuery(
        "a reference, newest first", [field("r", .equals, link("x"))], sort: [newestFirst], inOrder: true),
    PlannedQuery("a range", [field("i", .greaterThan, number(1)), field("i", .lessThan, number(5))]),
    PlannedQuery(
        "a range in its order", [field("d", .greaterThan, real(1))], sort: [ascending("d")], inOrder: true),
    PlannedQuery("a prefix", [field("s", .beginsWith, text("x"))]),
    PlannedQuery(
        "a prefix in its order", [field("s", .beginsWith, text("x"))], sort: [ascending("s")], inOrder: true),
    PlannedQuery("membership", [field("s", .isIn, texts("x", "y", "z"))]),
    PlannedQuery("membership of many", [field("i", .isIn, numbers(1, 2, 3, 4, 5, 6, 7, 8, 9, 10))]),
    PlannedQuery("near", [field("at", .near, Field(.location(here)), within: 1000)]),
    PlannedQuery("nearest first", sort: [Sort(.field("at"), relativeTo: here)]),
    PlannedQuery("farthest first", sort: [Sort(.field("at"), ascending: false, relativeTo: here)]),
    PlannedQuery(
        "near, nearest first", [field("at", .near, Field(.location(here)), within: 1000)],
        sort: [Sort(.field("at"), relativeTo: here)]
    ),
    PlannedQuery("words of a field", [field("s", .containsAllTokens, text("tea time"))]),
    PlannedQuery("words anywhere", [Filter(nil, .containsAnyTokens, .string("tea time"))]),
    PlannedQuery("an element", [field("l", .listContains, text("x"))]),
    PlannedQuery("any element", [field("l", .listContainsAny, texts("x", "y"))]),
    PlannedQuery("all elements", [field("l", .listContainsAll, texts("x", "y"))]),
    PlannedQuery("an element with a prefix", [field("l", .listMemberBeginsWith, text("x"))]),
    PlannedQuery("a record by name", [system(.recordName, .equals, link("x"))]),
    PlannedQuery("records by name", [system(.recordName, .isIn, links("x", "y"))]),
    PlannedQuery("records of a parent", [system(.parent, .equals, link("x"))]),
    PlannedQuery(
        "records by their creator", [system(.createdUserRecordName, .equals, link("x"))], inOrder: true),
    PlannedQuery(
        "records by who changed them", [system(.modifiedUserRecordName, .equals, link("x"))], inOrder: true),
    PlannedQuery("records of a time", [system(.createdTimestamp, .greaterThan, time(5))], inOrder: true),
    PlannedQuery(
        "records changed since", [system(.modifiedTimestamp, .greaterThan, time(5))],
        sort: [Sort(.system(.modifiedTimestamp))], inOrder: true
    ),
]

/// Selective conditions, each with sort orders of another index. The plan must use the condition's index.
private let selectiveQueries: [PlannedQuery] = {
    let conditions: [(String, [Filter])] = [
        ("equality", [field("r", .equals, link("x"))]),
        ("membership", [field("r", .isIn, links("x", "y", "z"))]),
        ("a prefix", [field("s", .beginsWith, text("x"))]),
        ("a range", [field("d", .greaterThan, real(1)), field("d", .lessThan, real(2))]),
        ("near", [field("at", .near, Field(.location(here)), within: 1000)]),
        ("words of a field", [field("s", .containsAllTokens, text("tea time"))]),
        ("words anywhere", [Filter(nil, .containsAnyTokens, .string("tea time"))]),
        ("an element", [field("l", .listContains, text("x"))]),
        ("any element", [field("l", .listContainsAny, texts("x", "y"))]),
        ("all elements", [field("l", .listContainsAll, texts("x", "y"))]),
        ("a name", [system(.recordName, .equals, link("x"))]),
        ("a parent", [system(.parent, .equals, link("x"))]),
        ("a creator", [system(.createdUserRecordName, .equals, link("x"))]),
    ]
    let orders: [(String, [Sort])] = [
        ("by a number", [ascending("i")]), ("by a time, descending", [descending("t")]),
        ("by name", [Sort(.system(.recordName))]),
        ("last changed first", [Sort(.system(.modifiedTimestamp), ascending: false)]),
    ]
    return conditions.flatMap { condition in
        orders.map { order in
            PlannedQuery("\(condition.0), \(order.0)", condition.1, sort: order.1)
        }
    }
}()

@Suite("Query plans")
struct QueryPlanTests {
    private let fields: Fields = [
        "s": text("x y"), "i": number(1), "d": real(1), "t": time(1), "b": bytes([1]), "r": link("x"),
        "l": texts("x"), "at": place(1, 2),
    ]

    private func withRecords(_ body: (World, SQLiteStore) async throws -> Void) async throws {
        try await withWorld(.sqlite) { world in
            _ = try await world.store.createZone(named: "Z")
            for name in ["a", "b", "c"] { try await world.create(name, fields) }
            try await body(world, #require(world.store as? SQLiteStore))
        }
    }

    @Test("A query on a declared index never scans a type", arguments: plannedQueries)
    func neverScans(query: PlannedQuery) async throws {
        try await withRecords { world, sqlite in
            for zone in [ZoneID.defaultName, nil] {
                let plan = try world.plan(query.filters, sort: query.sorts, zone: zone, limit: 20)
                let steps = try await sqlite.explain(plan)
                #expect(!steps.isEmpty)
                #expect(steps.filter(Self.isScan) == [], "zone \(zone ?? "any"): \(steps)")
                if query.isInOrder, zone != nil {
                    #expect(steps.filter { $0.contains("TEMP B-TREE") } == [], "\(steps)")
                }
            }
        }
    }

    @Test(
        "A statement that sorts selects ids and keys; one along an index selects whole rows",
        arguments: plannedQueries)
    func sortsKeys(query: PlannedQuery) async throws {
        try await withRecords { world, sqlite in
            for zone in [ZoneID.defaultName, nil] {
                let plan = try world.plan(query.filters, sort: query.sorts, zone: zone, limit: 20)
                let isSorted = try await sqlite.explain(plan).contains { $0.contains("TEMP B-TREE") }
                for text in try await sqlite.statementTexts(plan) {
                    #expect(text.contains("r.fields") != isSorted, "\(text)")
                }
            }
        }
    }

    @Test("Large records in an order without an index are returned page by page, each once")
    func sortedPages() async throws {
        try await withRecords { world, _ in
            let large = String(repeating: "x", count: 50_000)
            for index in 0..<12 {
                try await world.create(
                    "large\(index)", type: "Large",
                    ["i": number(1), "s": text("\(index * 7 % 12) \(large)")])
            }
            var plan = try world.plan(
                [field("i", .isIn, numbers(1, 2))], sort: [ascending("s")], type: "Large", limit: 5)
            plan.bytes = 120_000
            var found: [String] = []
            repeat {
                let page = try await world.store.query(plan)
                #expect(page.records.count <= 3)
                #expect(page.records.allSatisfy { $0.fields.bytes.count > 50_000 })
                found += page.records.map(\.id.name)
                plan.cursor = page.cursor
            } while plan.cursor != nil
            let order = (0..<12).sorted { "\($0 * 7 % 12)" < "\($1 * 7 % 12)" }
            #expect(found == order.map { "large\($0)" })
        }
    }

    @Test("A page after a cursor is found by an index search", arguments: plannedQueries)
    func laterPages(query: PlannedQuery) async throws {
        try await withRecords { world, sqlite in
            for index in 0..<3 { try await world.create("empty\(index)") }
            var plan = try world.plan(query.filters, sort: query.sorts, limit: 1)
            while let cursor = try await world.store.query(plan).cursor {
                plan.cursor = cursor
                let steps = try await sqlite.explain(plan)
                #expect(steps.filter(Self.isScan) == [], "\(steps)")
                if query.isInOrder {
                    #expect(steps.filter { $0.contains("TEMP B-TREE") } == [], "\(steps)")
                }
            }
        }
    }

    @Test("A record that is one among many is found by an index of its own condition")
    func selective() async throws {
        try await withRecords { world, sqlite in
            let steps = try await sqlite.explain(
                world.plan([field("r", .equals, link("x"))], sort: [newestFirst]))
            #expect(
                steps.contains { $0.contains("SEARCH t USING") && $0.contains("(zone=? AND f") }, "\(steps)")
            let all = try await sqlite.explain(world.plan(sort: [ascending("i")]))
            #expect(all.contains(where: Self.isWalk), "\(all)")
            let near = try await sqlite.explain(world.plan(sort: [Sort(.field("at"), relativeTo: here)]))
            #expect(near.contains { $0.contains("place_") && $0.contains("VIRTUAL TABLE INDEX") }, "\(near)")
            #expect(
                near.contains { $0.contains("SEARCH t USING PRIMARY KEY (zone=? AND record=?)") }, "\(near)")
        }
    }

    @Test(
        "A selective condition is answered by its index, whatever the order", arguments: selectiveQueries)
    func selects(query: PlannedQuery) async throws {
        try await withRecords { world, sqlite in
            for zone in [ZoneID.defaultName, nil] {
                let plan = try world.plan(query.filters, sort: query.sorts, zone: zone, limit: 20)
                let steps = try await sqlite.explain(plan)
                #expect(steps.filter { Self.isScan($0) || Self.isWalk($0) } == [], "\(steps)")
            }
        }
    }

    /// Whether a step of the plan reads all rows of a zone through an index of the type.
    private static func isWalk(_ step: String) -> Bool {
        step.hasPrefix("SEARCH t ") && step.hasSuffix("(zone=?)")
    }

    /// Whether a step of the plan scans a whole table: of a type, of records, of list elements. Scans inside
    /// the spatial and full-text indexes and of the small zone table do not count.
    private static func isScan(_ step: String) -> Bool {
        guard step.hasPrefix("SCAN ") else { return false }
        return !step.contains("VIRTUAL TABLE INDEX") && !step.hasPrefix("SCAN zone")
            && !step.hasPrefix("SCAN v")
    }
}
