import PostgreSQLSupport
import RecordStore
import Records
import RecordsWire
import Testing

@testable import RecordStorePostgres
@testable import TestKit

@Suite("Plans of PostgreSQL, and what is kept between reads", .needsPostgres, .timeLimit(.minutes(5)))
struct PostgresPlanTests {
    @Test("A plan that was made for a small table is made again after a thousand statements")
    func newPlans() throws {
        let connection = try PostgresConnection(PostgresForTests.requiredAddress())
        // The server analyses no temporary table by itself.
        try connection.execute("CREATE TEMPORARY TABLE fruit (id bigint PRIMARY KEY, name text)")
        try connection.execute("INSERT INTO fruit VALUES (7, 'pear')")
        try connection.execute("VACUUM fruit")
        func plan() throws -> String {
            let known = "SELECT name FROM pg_prepared_statements WHERE statement LIKE '%FROM fruit%id%'"
            let name = try #require(connection.run(known, [], reuse: .none).first?.text(0))
            let lines = try connection.run("EXPLAIN EXECUTE \(name) (7)", [], reuse: .none)
            return lines.map { $0.text(0) }.joined()
        }
        _ = try connection.run("SELECT name FROM fruit WHERE id = $1", [.integer(7)])
        try connection.execute("INSERT INTO fruit SELECT n, 'apple' FROM generate_series(8, 20000) AS n")
        let first = try plan()
        #expect(first.contains("Seq Scan"))
        for _ in 1...1000 { try connection.send("SELECT 1", []) }
        let found = try connection.transaction(.writing, on: 1) { session in
            (true, try session.rows("SELECT $1::bigint").first?.integer(0))
        }
        #expect(found == 1)
        let later = try plan()
        #expect(later.contains("Index Scan"))
    }

    @Test("Records are found by the index of names within two bounds, also in tables without statistics")
    func namesWithoutStatistics() async throws {
        try await withNewSchema { address in
            let engine = try PostgresEngine(address: address, process: 2, connections: 1)
            let looks = [
                PostgresRecordReader.named.replacing("$3::text[]", with: "ARRAY['a', 'b']"),
                PostgresRecordReader.one.replacing("$3", with: "'a'"),
            ]
            for look in looks {
                let source = look.replacing("$1", with: "7").replacing("$2", with: "1")
                let plan = try await engine.texts("EXPLAIN SELECT r.* FROM \(source)", in: 7)
                // Both bounds: not even the statistics of an empty table make it read the rest of the zone.
                let bounds = ["name >= ", "name <= "]
                let scan = plan.first { line in
                    line.contains("Index Cond") && bounds.allSatisfy { line.contains($0) }
                }
                #expect(scan != nil, "\(plan)")
            }
            await engine.close()
        }
    }

    /// Adds 30,000 copies of a database's only record, with other values.
    private func multiply(in engine: PostgresEngine) async throws {
        let statements = [
            """
            INSERT INTO record (
                database, id, zone, type, sequence, created_at, modified_at, name, created_by, modified_by,
                parent, head, fields
            )
            SELECT database, id + n, zone, type, sequence + n, created_at, modified_at, name || n, created_by,
                modified_by, parent, head, fields
            FROM record, generate_series(1, 30000) AS n
            """,
            """
            INSERT INTO entry_integer (database, zone, field, record, value)
            SELECT database, zone, field, record + n, n % 1000
            FROM entry_integer, generate_series(1, 30000) AS n
            """,
            """
            INSERT INTO entry_bytes (database, zone, field, record, head, rest)
            SELECT database, zone, field, record + n, convert_to((n % 1000)::text, 'UTF8'), rest
            FROM entry_bytes, generate_series(1, 30000) AS n
            """,
        ]
        for statement in statements { _ = try await engine.texts(statement, in: 7) }
    }

    /// The fields of walks: a value, its arguments in SQL, and the conditions that find its entries.
    private static let walkedFields = [
        (field: "n", value: number(2), arguments: "2, 2", bounds: ["value >= $6", "value <= $7"]),
        (field: "text", value: text("2"), arguments: "'2', '2', ''", bounds: ["head >= $6", "head <= $7"]),
    ]

    @Test("Records with one value are found along its entries, whatever was known when the plan was made")
    func walks() async throws {
        try await withNewSchema { address in
            let engine = try PostgresEngine(address: address, process: 2, connections: 1)
            let store = try PostgresStore(in: engine, number: 7, newIdentity: 7, codec: FieldJSON())
            let world = World(store: store)
            try await world.commit([create("r", ["n": number(2), "text": text("2")])])
            let party = try await store.read { try PostgresCatalog($0, number: 0).types["Party"] }
            let type = try #require(party)
            var explanations: [(sql: String, bounds: [String])] = []
            for (field, value, arguments, bounds) in Self.walkedFields {
                let plan = try world.plan([Filter(.field(field), .equals, value.value)], limit: 200)
                let query = PostgresQuery(plan: plan, type: type, zone: 1)
                #expect(query.isWalk)
                let statement = try #require(query.statements(after: nil, bytes: 1_000_000).first)
                // Prepared without values, as it is kept.
                _ = try await engine.texts("PREPARE walk_\(field) AS \(statement.numbered)", in: 7)
                let id = try #require(type.indexed(field)).id
                explanations.append(
                    ("EXPLAIN EXECUTE walk_\(field) (7, 1000000, '', 1, \(id), \(arguments), 201)", bounds))
            }
            // The plans of one record stay when there are many.
            for change in ["one record", "many records", "DISCARD PLANS", "ANALYZE"] {
                switch change {
                case "one record": break
                case "many records": try await multiply(in: engine)
                default: _ = try await engine.texts(change, in: 7)
                }
                for (sql, bounds) in explanations {
                    let plan = try await engine.texts(sql, in: 7)
                    let conditions = plan.filter { $0.contains("Index Cond") }
                    for wanted in [bounds, ["id >= e.record", "id <= e.record"]] {
                        let scan = conditions.first { line in wanted.allSatisfy { line.contains($0) } }
                        #expect(scan != nil, "\(change): \(plan)")
                    }
                    let others = plan.filter { $0.contains("Sort  ") || $0.contains("Seq Scan") }
                    #expect(others == [], "\(change): \(plan)")
                }
            }
            await engine.close()
        }
    }

    @Test("Pages of records with one value follow each other in both directions, also for long texts")
    func walkedPages() async throws {
        try await withNewSchema { address in
            let engine = try PostgresEngine(address: address, process: 2, connections: 1)
            let store = try PostgresStore(in: engine, number: 7, newIdentity: 7, codec: FieldJSON())
            let world = World(store: store)
            // The second text differs from the first one only behind the part that the index has.
            let texts = ["a", "b"].map { String(repeating: "x", count: 600) + $0 }
            try await world.commit(
                (0..<12).map {
                    create("r\($0 + 10)", ["n": number(Int64($0 % 2)), "text": text(texts[$0 % 2])])
                })
            let expected = (0..<12).filter { !$0.isMultiple(of: 2) }.map { "r\($0 + 10)" }
            for filter in [
                Filter(.field("n"), .equals, .int64(1)), Filter(.field("text"), .equals, .string(texts[1])),
            ] {
                let found = try await world.find(filter, page: 2)
                #expect(found == expected)
                let newest = Sort(.system(.createdTimestamp), ascending: false)
                let reversed = try await world.find(filter, sort: [newest], page: 2)
                #expect(reversed == expected.reversed())
            }
            await engine.close()
        }
    }

    @Test("A zone and fields that another server has changed since the last query are read again")
    func changedElsewhere() async throws {
        try await withNewSchema { address in
            let engines = try [1, 2].map { try PostgresEngine(address: address, process: $0, connections: 1) }
            let stores = try engines.map {
                try PostgresStore(in: $0, number: 7, newIdentity: 7, codec: FieldJSON())
            }
            let (here, other) = (World(store: stores[0]), World(store: stores[1]))
            _ = try await here.store.createZone(named: "Z")
            try await here.commit([create("a", ["n": number(1)]), create("b", ["n": number(1)])], zone: "Z")
            let plan = try here.plan([Filter(.field("n"), .equals, .int64(1))], zone: "Z", limit: 9)
            for _ in 1...3 {
                #expect(try await here.store.query(plan).records.map(\.id.name) == ["a", "b"])
                #expect(try await here.names(in: "Z") == ["a", "b"])
                let found = try await here.store.records(named: ["b", "c"], in: "Z").map { $0?.id.name }
                #expect(found == ["b", nil])
            }
            let token = try await here.store.changes(ChangesRequest(zone: "Z", limit: 9)).token

            try await other.store.deleteZone(named: "Z")
            let error = await #expect(throws: RecordError.self) { try await here.store.query(plan) }
            #expect(error?.code == .zoneNotFound)
            _ = try await other.store.createZone(named: "Z")
            try await other.commit([create("c", ["n": number(1)]), create("d", ["n": number(2)])], zone: "Z")
            let expired = await #expect(throws: RecordError.self) {
                try await here.store.changes(ChangesRequest(zone: "Z", since: token, limit: 9))
            }
            #expect(expired?.code == .changeTokenExpired)
            for _ in 1...3 {
                #expect(try await here.store.query(plan).records.map(\.id.name) == ["c"])
                #expect(try await here.names(in: "Z") == ["c", "d"])
                let found = try await here.store.records(named: ["b", "c"], in: "Z").map { $0?.id.name }
                #expect(found == [nil, "c"])
            }

            _ = try await other.store.dropIndexes(notIn: Schema())
            for _ in 1...3 { #expect(try await here.store.query(plan).records.map(\.id.name) == ["c"]) }
            for engine in engines { await engine.close() }
        }
    }
}
