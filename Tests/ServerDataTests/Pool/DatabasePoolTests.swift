import CloudService
import Foundation
import RecordStore
import Records
import Testing

@testable import CloudletServer
@testable import ServerData
@testable import ServerKit
@testable import TestKit

@Suite("The pool of databases", .timeLimit(.minutes(30)))
struct DatabasePoolTests {
    /// Wraps a plan, so that a test can call its mutating methods in an expectation.
    private final class Pool {
        private var plan: PoolPlan<String, Int, String>

        /// Creates a plan, and opens and gives back these databases, in this order.
        init(limit: Int, open keys: String...) {
            plan = PoolPlan(limit: limit)
            for (number, key) in keys.enumerated() {
                _ = plan.take(key)
                _ = plan.opened(key, number)
                _ = plan.giveBack(key)
            }
        }

        func take(_ key: String) -> String {
            switch plan.take(key) {
            case .use(let database): "use \(database)"
            case .open: "open"
            case .wait: "wait"
            case .refuse: "refuse"
            }
        }

        func wait(for key: String, _ waiter: String) -> Bool { plan.wait(for: key, waiter) }
        func opened(_ key: String, _ database: Int) -> [String] { plan.opened(key, database) }
        func failed(_ key: String) -> [String] { plan.failed(key) }
        func giveBack(_ key: String) -> [String] { plan.giveBack(key) }
        func surplus() -> String? { plan.surplus()?.key }
        func closed(_ key: String) -> [String] { plan.closed(key) }
        func evict(_ keys: Set<String>) -> String {
            switch plan.evict(keys.contains) {
            case .close(let key, _): "close \(key)"
            case .wait: "wait"
            case .done: "done"
            }
        }
        func waitForIdle(_ keys: Set<String>, _ waiter: String) -> Bool {
            plan.waitForIdle(keys.contains, waiter)
        }
        func end() { plan.end() }
        func waitForEnd(_ waiter: String) -> Bool { plan.waitForEnd(waiter) }
    }

    @Test("The first caller opens a database, and the others wait until they are resumed")
    func opening() {
        let plan = Pool(limit: 2)
        #expect(plan.take("a") == "open")
        #expect(plan.take("a") == "wait")
        #expect(plan.wait(for: "a", "second"))
        #expect(plan.opened("a", 1) == ["second"])
        #expect(plan.take("a") == "use 1")
        #expect(!plan.wait(for: "a", "late"))
        #expect(plan.surplus() == nil)
    }

    @Test("Databases to remove are closed when they are no longer in use; others stay open")
    func eviction() {
        let plan = Pool(limit: 9, open: "a", "b", "c")
        _ = plan.take("a")
        #expect(plan.take("new") == "open")
        #expect(plan.evict(["a", "b", "new"]) == "close b")
        #expect(plan.evict(["a", "b", "new"]) == "wait")
        #expect(plan.waitForIdle(["a", "b", "new"], "remover"))
        #expect(plan.closed("b") == ["remover"])
        #expect(plan.waitForIdle(["a", "new"], "remover"))
        #expect(plan.giveBack("a") == ["remover"])
        #expect(plan.evict(["a", "new"]) == "close a")
        #expect(plan.closed("a") == [])
        #expect(plan.waitForIdle(["new"], "remover"))
        #expect(plan.failed("new") == ["remover"])
        #expect(!plan.waitForIdle(["new"], "late"))
        #expect(plan.evict(["a", "b", "new"]) == "done")
        #expect(plan.take("c") == "use 2")
    }

    @Test("If opening fails, the waiting callers try again themselves")
    func failing() {
        let plan = Pool(limit: 2)
        _ = plan.take("a")
        #expect(plan.wait(for: "a", "second"))
        #expect(plan.failed("a") == ["second"])
        #expect(plan.take("a") == "open")
    }

    @Test("The least recently used database is closed first, and not handed out meanwhile")
    func surplus() {
        let plan = Pool(limit: 2, open: "a", "b", "c")
        _ = plan.take("a")
        _ = plan.giveBack("a")
        #expect(plan.surplus() == "b")
        #expect(plan.surplus() == nil)
        #expect(plan.take("b") == "wait")
        #expect(plan.wait(for: "b", "again"))
        #expect(plan.closed("b") == ["again"])
        #expect(plan.take("b") == "open")
    }

    @Test("Using many databases once does not close those that are used repeatedly")
    func walk() {
        let plan = Pool(limit: 4, open: "a", "b")
        for key in ["a", "b"] {
            _ = plan.take(key)
            _ = plan.giveBack(key)
        }
        var closed: [String] = []
        for number in 0..<9 {
            _ = plan.take("walked \(number)")
            _ = plan.opened("walked \(number)", number)
            _ = plan.giveBack("walked \(number)")
            while let key = plan.surplus() {
                closed.append(key)
                _ = plan.closed(key)
            }
        }
        #expect(closed == (0..<7).map { "walked \($0)" })
        #expect(plan.take("a") == "use 0")
    }

    @Test("A new database replaces a reused one if most of the open databases are reused")
    func newcomer() {
        let plan = Pool(limit: 4, open: "a", "b", "c", "d")
        for key in ["a", "b", "c", "d"] {
            _ = plan.take(key)
            _ = plan.giveBack(key)
        }
        #expect(plan.take("new") == "open")
        _ = plan.opened("new", 9)
        _ = plan.giveBack("new")
        #expect(plan.surplus() == "a")
        #expect(plan.take("new") == "use 9")
    }

    @Test("Databases in use are not closed, even above the limit")
    func inUse() {
        let plan = Pool(limit: 1, open: "a")
        for key in ["a", "b", "c"] {
            if plan.take(key) == "open" { _ = plan.opened(key, 9) }
        }
        #expect(plan.surplus() == nil)
        _ = plan.giveBack("b")
        #expect(plan.surplus() == "b")
        #expect(plan.surplus() == nil)
    }

    @Test("Closing the pool waits for the last use, and refuses new ones")
    func ending() {
        let plan = Pool(limit: 5, open: "a", "b")
        _ = plan.take("a")
        plan.end()
        #expect(plan.take("b") == "refuse")
        #expect(plan.waitForEnd("owner"))
        #expect(plan.giveBack("a") == ["owner"])
        #expect(!plan.waitForEnd("owner"))
        var closed: Set<String> = []
        while let key = plan.surplus() {
            closed.insert(key)
            _ = plan.closed(key)
        }
        #expect(closed == ["a", "b"])
    }

    @Test("Random callers never use a database that is closing, and all databases are closed at the end")
    func random() {
        for seed in UInt64(1)...20 {
            var random = SeededNumbers(seed: seed)
            let plan = Pool(limit: 3)
            var (users, open): ([String: Int], Set<String>) = ([:], [])
            for step in 0..<2000 {
                let key = "k\(random.next() % 8)"
                if random.next() % 2 == 0, users[key, default: 0] > 0 {
                    _ = plan.giveBack(key)
                    users[key, default: 0] -= 1
                } else {
                    let isNew = open.insert(key).inserted
                    #expect((plan.take(key) == "open") == isNew, "seed \(seed), step \(step)")
                    if isNew { _ = plan.opened(key, step) }
                    users[key, default: 0] += 1
                }
                while let key = plan.surplus() {
                    #expect(users[key, default: 0] == 0, "seed \(seed), step \(step)")
                    open.remove(key)
                    _ = plan.closed(key)
                }
                #expect(open.count <= max(3, users.values.count { $0 > 0 }), "seed \(seed), step \(step)")
            }
        }
    }

    @Test(
        "No data is lost if more people are active than databases can be open",
        arguments: Transport.allCases)
    func people(transport: Transport) async throws {
        try await withServer(transport, { $0.limits.openDatabases = 2 }) { world in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<12 {
                    group.addTask {
                        let person = try await world.signIn("p\(number)")
                        for round in 0..<5 {
                            let saved = try await world.modify("private", [create("r\(round)")], as: person)
                            #expect(saved.records == ["ok"])
                        }
                        let query: JSON = ["query": ["recordType": "Party"]]
                        let found = try await world.call("private/records/query", query, as: person)
                        #expect(found.json["records"].elements.count == 5)
                    }
                }
                try await group.waitForAll()
            }
            #expect(Self.openFiles(of: world).count <= 2)
        }
    }

    @Test("A database that is opened after the writes were interrupted refuses writes at once")
    func interrupted() async throws {
        try await withServer(.socket) { world in
            let pool = world.server.composition.databases
            func key(_ owner: String) -> DatabaseKey {
                DatabaseKey(container: "iCloud.org.example.stop", environment: .development, owner: owner)
            }
            let early = try await pool.lease(key("_early"))
            _ = try await early.records.createZone(named: "Z")
            pool.interruptWrites()
            let late = try await pool.lease(key("_late"))
            for database in [early, late] {
                let error = await #expect(throws: RecordError.self) {
                    try await database.records.createZone(named: "Y")
                }
                #expect(error?.code == .tryAgainLater)
                await pool.giveBack(database.key)
            }
        }
    }

    @Test("A pending upload survives the closing of its database", arguments: Transport.allCases)
    func uploads(transport: Transport) async throws {
        try await withServer(transport, { $0.limits.openDatabases = 1 }) { world in
            let alice = try await world.signIn("alice")
            let bob = try await world.signIn("bob")
            let receipt = try await world.upload(
                Array("hers".utf8), record: "f1", database: "private", as: alice
            )
            try await world.modify("private", [create("his")], as: bob)
            #expect(Self.openFiles(of: world).map { $0.contains(bob.recordName) } == [true])
            let saved = try await world.modify("private", [world.photo("f1", receipt)], as: alice)
            #expect(saved.records == ["ok"])
            #expect(world.contentFiles.count == 1)
        }
    }

    /// The database files of this server that the process has open.
    private static func openFiles(of world: ServerWorld) -> Set<String> {
        let folder = world.server.dataFolder.appendingPathComponent("containers").path
        let descriptors = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        let paths = descriptors.compactMap {
            try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
        }
        return Set(paths.filter { $0.hasPrefix(folder) && $0.hasSuffix(".sqlite") })
    }
}
