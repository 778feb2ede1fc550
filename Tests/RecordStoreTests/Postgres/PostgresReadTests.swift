import Dispatch
import Foundation
import PostgreSQLSupport
import RecordStore
import Records
import RecordsWire
import Synchronization
import Testing

@testable import RecordStorePostgres
@testable import TestKit

@Suite("Reads from PostgreSQL that take long", .needsPostgres, .timeLimit(.minutes(5)))
struct PostgresReadTests {
    /// Counts without an end.
    private static let endless = """
        WITH RECURSIVE number (n) AS (SELECT 1::bigint UNION ALL SELECT n + 1 FROM number)
        SELECT COUNT(*) FROM number
        """

    /// A moment that a test chooses, and a count of the reads that have begun before it.
    private final class Signal: Sendable {
        private let flag = Atomic(false)
        private let count = Atomic(0)
        var isOver: Bool { flag.load(ordering: .relaxed) }
        var begun: Int { count.load(ordering: .relaxed) }
        func end() { flag.store(true, ordering: .relaxed) }
        func begin() { count.wrappingAdd(1, ordering: .relaxed) }
    }

    /// Runs a test with a database in an engine of its own.
    private func withEngine(
        connections: Int, _ body: (PostgresStore) async throws -> Void
    ) async throws {
        let address = try PostgresForTests.requiredAddress()
        try await withFolder { folder in
            let engine = try PostgresEngine(address: address, process: 2, connections: connections)
            let store = try PostgresStore(
                in: engine, number: PostgresKind.number(of: folder), newIdentity: 7, codec: FieldJSON())
            try await body(store)
            try await store.close()
            await engine.close()
        }
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

    /// The number of the server's process that serves a connection.
    private func process(_ session: PostgresSession) throws -> Int64 {
        try session.connection.run("SELECT pg_backend_pid()", []).first?.integer(0) ?? 0
    }

    @Test(
        "A read is cancelled when its budget is used up, and its connection stays open",
        arguments: [false, true])
    func cancelled(isAwaited: Bool) async throws {
        try await withEngine(connections: 1) { store in
            let before = try await store.read { try process($0) }
            let signal = Signal()
            await #expect(throws: ReadBudget.Exceeded.self) {
                try await ReadBudget.$current.withValue(ReadBudget(isOver: { signal.isOver })) {
                    try await store.read { session in
                        try session.enqueue(Self.endless)
                        try session.connection.flush()
                        signal.end()
                        // Without the wait, the next statement is refused while the first one runs.
                        if isAwaited { try session.connection.finish() }
                        try session.enqueue("SELECT 1")
                    }
                }
            }
            #expect(try await store.read { try process($0) } == before)
            let world = World(store: store)
            try await world.create("next")
            #expect(try await world.names() == ["next"])
        }
    }

    @Test("The server ends the statements of a node that has died")
    func abandoned() async throws {
        let engine = try PostgresKind.engine.get()
        #expect(try await engine.texts("SHOW client_connection_check_interval", in: 1) == ["2s"])
    }

    @Test("A read whose budget is used up before it gets a connection does not begin")
    func late() async throws {
        try await withEngine(connections: 1) { store in
            await #expect(throws: ReadBudget.Exceeded.self) {
                try await ReadBudget.$current.withValue(ReadBudget(isOver: { true })) {
                    try await store.read { _ -> Void in Issue.record("it began") }
                }
            }
        }
    }

    @Test("A read within its budget gives the result of one without")
    func within() async throws {
        try await withEngine(connections: 1) { store in
            let world = World(store: store)
            try await world.create("a", ["n": number(1)])
            let names = try await ReadBudget.$current.withValue(ReadBudget(isOver: { false })) {
                try await world.names()
            }
            #expect(names == ["a"])
            let error = await #expect(throws: RecordError.self) {
                try await ReadBudget.$current.withValue(ReadBudget(isOver: { false })) {
                    try await store.heads(named: ["a"], in: "missing")
                }
            }
            #expect(error?.code == .zoneNotFound)
        }
    }

    @Test("While a person has many slow reads, others read, slowly too, and write")
    func share() async throws {
        try await withEngine(connections: 8) { store in
            let world = World(store: store)
            try await world.create("a", ["n": number(1)])
            let signal = Signal()
            let (starts, start) = AsyncStream.makeStream(of: Void.self)
            try await withThrowingTaskGroup(of: Void.self) { group in
                defer { signal.end() }
                for _ in 1...20 {
                    group.addTask {
                        let budget = ReadBudget(payer: 1, isSlow: true) { signal.isOver }
                        await #expect(throws: ReadBudget.Exceeded.self) {
                            try await ReadBudget.$current.withValue(budget) {
                                try await store.read { session in
                                    signal.begin()
                                    start.yield()
                                    try session.connection.execute(Self.endless)
                                }
                            }
                        }
                    }
                }
                // Two of the eight connections are the share of one person.
                var count = 0
                for await _ in starts {
                    count += 1
                    if count == 2 { break }
                }
                for number in 1...20 {
                    try await world.create("b\(number)")
                    #expect(try await world.names().count == number + 1)
                    let slow = try await ReadBudget.$current.withValue(ReadBudget(payer: 2, isSlow: true)) {
                        try await store.heads(named: ["a"], in: ZoneID.defaultName)
                    }
                    #expect(slow.first??.id.name == "a")
                }
                #expect(signal.begun == 2)
                signal.end()
                try await group.waitForAll()
            }
        }
    }

    @Test("Pages of large records take the memory of a page, and have all records in order")
    func largeRecords() async throws {
        try await withEngine(connections: 1) { store in
            let world = World(store: store)
            world.declare { schema in
                var type = TypeSchema(name: "Party")
                type.fields["b"] = FieldSchema(
                    type: .scalar(.bytes), isEncrypted: false, indexes: [.queryable, .sortable])
                schema.types["Party"] = type
            }
            let names = (1...40).map { String(format: "r%02d", $0) }
            var (lacking, having) = ([String](), [String]())
            for (index, name) in names.enumerated() {
                // Some of them lack the field by which they are sorted.
                var fields: Fields = ["b": bytes([UInt8](repeating: 7, count: 100_000))]
                if index % 4 == 0 { lacking.append(name) } else { having.append(name) }
                if index % 4 != 0 { fields["n"] = number(Int64(index)) }
                try await world.create(name, fields)
            }
            let one = try await store.records(named: ["r01"], in: ZoneID.defaultName)[0]?.fields.bytes.count
            let record = try #require(one)
            let largest = { try await store.read { $0.connection.largestResultBytes } }
            #expect(try await largest() < 2 * record)
            // Each page has three records.
            let page = 2 * record + 1

            var (request, changed) = (
                ChangesRequest(zone: ZoneID.defaultName, limit: 200, bytes: page), [[String]]()
            )
            while true {
                let found = try await store.changes(request)
                changed.append(Self.names(found.packed))
                request.since = found.token
                if !found.moreComing { break }
            }
            #expect(changed.flatMap(\.self) == names)
            #expect(changed.allSatisfy { $0.count <= 3 })

            let orders: [([Sort], [String])] = [
                ([], names), ([ascending("n")], lacking + having),
                ([descending("n")], having.reversed() + lacking.reversed()),
                // The value by which they are sorted is large, too.
                ([ascending("b"), ascending("n")], lacking + having),
            ]
            for (sort, expected) in orders {
                var plan = try world.plan(sort: sort, limit: 200)
                plan.bytes = page
                #expect(try await world.pages(of: plan).map(\.id.name) == expected)
            }

            let error = await #expect(throws: RecordError.self) {
                _ = try await store.lookup(names, in: ZoneID.defaultName, atMost: page, wantsToken: false) {
                    _ in
                }
            }
            #expect(error == .answerTooLarge(limit: page))
            // Twice because of the values of the sort.
            #expect(try await largest() < 8 * record)
        }
    }

    private static func names(_ changes: PackedChanges) -> [String] {
        var names: [String] = []
        changes.forEach { names.append(String(decoding: $0.name, as: UTF8.self)) }
        return names
    }

    @Test("However many reads run and wait, a write has a connection")
    func writers() async throws {
        try await withEngine(connections: 4) { store in
            let world = World(store: store)
            let gate = DispatchSemaphore(value: 0)
            let (starts, start) = AsyncStream.makeStream(of: Void.self)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for payer in 1...12 {
                    group.addTask {
                        try await ReadBudget.$current.withValue(ReadBudget(payer: payer)) {
                            try await store.read { _ in
                                start.yield()
                                gate.wait()
                            }
                        }
                    }
                }
                defer { for _ in 1...12 { gate.signal() } }
                var count = 0
                for await _ in starts {
                    count += 1
                    if count == 3 { break }
                }
                try await world.create("a")
            }
            #expect(try await world.names() == ["a"])
        }
    }
}
