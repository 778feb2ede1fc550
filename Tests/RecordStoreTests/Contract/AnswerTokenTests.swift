import RecordStore
import Records
import Synchronization
import Testing

@Suite("Contract: tokens that come with answers", .timeLimit(.minutes(30)))
struct AnswerTokenTests {
    @Test(
        "The records of one look-up, and the token with them, are read as of one moment",
        arguments: StoreKind.allCases)
    func together(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            _ = try await world.store.createZone(named: "Notes")
            for name in ["a", "b"] { try await world.create(name, zone: "Notes") }
            let present = try await world.store.zones(named: ["Notes"])[0]?.syncToken
            var found: [String?] = []
            let token = try await world.store.lookup(["b", "c", "a", "b"], in: "Notes", wantsToken: true) {
                found.append($0?.id.name)
            }
            #expect(found == ["b", nil, "a", "b"])
            #expect(token != nil)
            #expect(token == present)
            let unwanted = try await world.store.lookup(["a"], in: "Notes", wantsToken: false) { _ in }
            #expect(unwanted == nil)
            let home = try await world.store.lookup([], in: ZoneID.defaultName, wantsToken: true) { _ in }
            #expect(home == nil)
            var count = 0
            let enough = RecordError(.limitExceeded, "enough")
            let ended = await #expect(throws: RecordError.self) {
                _ = try await world.store.lookup(["a", "b"], in: "Notes", wantsToken: true) { _ in
                    count += 1
                    throw enough
                }
            }
            #expect(ended == enough)
            #expect(count == 1)
            let error = await #expect(throws: RecordError.self) {
                _ = try await world.store.lookup(["a"], in: "Gone", wantsToken: true) { _ in }
            }
            #expect(error?.code == .zoneNotFound)
        }
    }

    @Test("A batch that is undone has the token of before it", arguments: StoreKind.allCases)
    func undone(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            _ = try await world.store.createZone(named: "Notes")
            try await world.create("a", zone: "Notes")
            let before = try await world.store.zones(named: ["Notes"])[0]?.syncToken
            let operations = ["b", "a"].map { RecordOperation(.create, recordName: $0, recordType: "Party") }
            var batch = WriteBatch(
                zone: "Notes", operations: operations, isAtomic: true,
                stamp: Stamp(at: Timestamp(milliseconds: 9000), by: "_alice"), schema: world.schema)
            batch.wantsToken = true
            let undone = try await world.store.apply(batch)
            #expect(undone.results.map(\.brief) == ["b: atomicFailure", "a: conflict"])
            #expect(undone.token == before)
            batch.isAtomic = false
            let done = try await world.store.apply(batch)
            #expect(done.results.map(\.brief) == ["b", "a: conflict"])
            #expect(done.token == (try await world.store.zones(named: ["Notes"])[0]?.syncToken))
            #expect(done.token != before)
        }
    }

    @Test(
        "A token with an answer is no newer than the answer: every change that the answer lacks follows it",
        arguments: StoreKind.allCases)
    func nothingIsLost(kind: StoreKind) async throws {
        try await withWorld(kind) { world in
            _ = try await world.store.createZone(named: "Notes")
            let crowd = AnswerCrowd(store: world.store)
            try await crowd.run()
            #expect(crowd.answers.count >= 6000)
            #expect(crowd.losses() == [])
        }
    }
}

/// Writers that repeatedly change a few records, and readers that request a token with each answer.
private final class AnswerCrowd: Sendable {
    /// An answer: the sequence number of each record in it, 0 for a missing one, and the number in the token.
    struct Answer: Sendable {
        var asked: String
        var seen: [String: Int64]
        var token: Int64
    }

    private struct State: Sendable {
        var answers: [Answer] = []
        /// The numbers of all changes of each record.
        var changes: [String: [Int64]] = [:]
        var isOver = false
    }

    private let store: any RecordStore
    private let state = Mutex(State())
    private static let names = (0..<12).map { "r\($0)" }
    private static let lateNames = (0..<400).map { "late-\($0)" }

    init(store: any RecordStore) {
        self.store = store
    }

    var answers: [Answer] { state.withLock { $0.answers } }

    func run() async throws {
        try await withThrowingTaskGroup(of: Void.self) { writers in
            for writer in 0..<4 { writers.addTask { try await self.write(as: writer) } }
            try await withThrowingTaskGroup(of: Void.self) { readers in
                readers.addTask { for _ in 0..<2000 { try await self.lookUp() } }
                readers.addTask { for _ in 0..<2000 { try await self.query("Note", Self.names) } }
                readers.addTask { try await self.queryLateTypes() }
                try await readers.waitForAll()
            }
            state.withLock { $0.isOver = true }
            try await writers.waitForAll()
        }
    }

    /// The answers that miss a change which the feed after their token does not contain either.
    func losses() -> [String] {
        let (answers, changes) = state.withLock { ($0.answers, $0.changes.mapValues { $0.sorted() }) }
        return answers.flatMap { answer in
            answer.seen.compactMap { name, seen in
                guard let next = changes[name]?.first(where: { $0 > seen }), next <= answer.token else {
                    return nil
                }
                return "\(answer.asked): \(name) as of \(seen), token \(answer.token), change \(next)"
            }
        }
    }

    private func write(as writer: Int) async throws {
        var turn = 0
        while !state.withLock({ $0.isOver }) {
            turn += 1
            let number = turn * 4 + writer
            var operations = [1, 5].map { step in
                operation("Note", Self.names[(number * step) % Self.names.count], Int64(number))
            }
            // A record of a type that other tasks already query is created.
            if number % 3 == 0, number / 3 < Self.lateNames.count {
                let name = Self.lateNames[number / 3]
                operations.append(operation(name.replacing("-", with: "_"), name, Int64(number)))
            }
            var batch = WriteBatch(
                zone: "Notes", operations: operations, isAtomic: number % 2 == 0,
                stamp: Stamp(at: Timestamp(milliseconds: Int64(turn)), by: "_writer"), schema: Self.schema)
            batch.wantsToken = true
            let answer = try await store.apply(batch)
            var seen: [String: Int64] = [:]
            for case .record(let record) in answer.results { seen[record.id.name] = record.sequence }
            state.withLock { [seen] state in
                for (name, sequence) in seen { state.changes[name, default: []].append(sequence) }
            }
            try note("batch", seen, answer.token)
            await Task.yield()
        }
    }

    private func operation(_ type: String, _ name: String, _ number: Int64) -> RecordOperation {
        RecordOperation(
            .forceUpdate, recordName: name, recordType: type, fields: ["n": Field(.int64(number))])
    }

    private func lookUp() async throws {
        var seen = Dictionary(uniqueKeysWithValues: Self.names.map { ($0, Int64(0)) })
        let token = try await store.lookup(Self.names, in: "Notes", wantsToken: true) { record in
            if let record { seen[record.id.name] = record.sequence }
        }
        try note("look-up", seen, token)
        await Task.yield()
    }

    private func query(_ type: String, _ names: [String]) async throws {
        var plan = QueryPlan(recordType: type, zone: "Notes", limit: 100, schema: Self.schema.types[type])
        plan.wantsToken = true
        let page = try await store.query(plan)
        var seen = Dictionary(uniqueKeysWithValues: names.map { ($0, Int64(0)) })
        for record in page.records { seen[record.id.name] = record.sequence }
        try note("query", seen, page.token)
        await Task.yield()
    }

    private func queryLateTypes() async throws {
        for name in Self.lateNames {
            for _ in 0..<5 { try await query(name.replacing("-", with: "_"), [name]) }
        }
    }

    private func note(_ asked: String, _ seen: [String: Int64], _ token: ChangeToken?) throws {
        let position = try FeedPosition(try #require(token))
        let answer = Answer(asked: asked, seen: seen, token: position.sequence)
        state.withLock { $0.answers.append(answer) }
    }

    private static let schema: Schema = {
        let types = ["Note"] + lateNames.map { $0.replacing("-", with: "_") }
        return Schema(
            types: Dictionary(
                uniqueKeysWithValues: types.map { name in
                    let field = FieldSchema(type: .scalar(.int64), indexes: [.queryable])
                    return (name, TypeSchema(name: name, fields: ["n": field]))
                }))
    }()
}
