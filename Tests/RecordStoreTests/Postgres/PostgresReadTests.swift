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
