// Owns the proof that databases are opened once, kept while they are used, and closed when there are too
// many.

import Foundation
import Testing

@testable import CloudletServer

@Suite("The shelf of databases", .timeLimit(.minutes(3)))
struct ShelfTests {
    private typealias Plan = ShelfPlan<String, Int, String>

    /// What a plan says to somebody who wants a database.
    private static func answer(_ taking: Plan.Taking) -> String {
        switch taking {
        case .use(let database): "use \(database)"
        case .open: "open"
        case .wait: "wait"
        case .refuse: "refuse"
        }
    }

    /// A plan with these databases open and given back, in this order.
    private static func plan(limit: Int, open keys: String...) -> Plan {
        var plan = Plan(limit: limit)
        for (number, key) in keys.enumerated() {
            _ = plan.take(key)
            _ = plan.opened(key, number)
            _ = plan.giveBack(key)
        }
        return plan
    }

    @Test("Whoever comes first opens, the others wait and are told")
    func opening() {
        var plan = Plan(limit: 2)
        #expect(Self.answer(plan.take("a")) == "open")
        #expect(Self.answer(plan.take("a")) == "wait")
        #expect(plan.wait(for: "a", "second"))
        #expect(plan.opened("a", 1) == ["second"])
        #expect(Self.answer(plan.take("a")) == "use 1")
        #expect(!plan.wait(for: "a", "late"))
        #expect(plan.surplus() == nil)
    }

    @Test("When opening fails, those who waited try for themselves")
    func failing() {
        var plan = Plan(limit: 2)
        _ = plan.take("a")
        #expect(plan.wait(for: "a", "second"))
        #expect(plan.failed("a") == ["second"])
        #expect(Self.answer(plan.take("a")) == "open")
    }

    @Test("The longest unused is closed first, and nobody gets it meanwhile")
    func surplus() throws {
        var plan = Self.plan(limit: 2, open: "a", "b", "c")
        _ = plan.take("a")
        _ = plan.giveBack("a")
        let (key, database) = try #require(plan.surplus())
        #expect((key, database) == ("b", 1))
        #expect(plan.surplus() == nil)
        #expect(Self.answer(plan.take("b")) == "wait")
        #expect(plan.wait(for: "b", "again"))
        #expect(plan.closed("b") == ["again"])
        #expect(Self.answer(plan.take("b")) == "open")
    }

    @Test("What is in use is not closed, however many there are")
    func inUse() {
        var plan = Self.plan(limit: 1, open: "a")
        for key in ["a", "b", "c"] {
            if case .open = plan.take(key) { _ = plan.opened(key, 9) }
        }
        #expect(plan.surplus() == nil)
        _ = plan.giveBack("b")
        #expect(plan.surplus()?.key == "b")
        #expect(plan.surplus() == nil)
    }

    @Test("The end waits for the last user, and refuses new ones")
    func ending() {
        var plan = Self.plan(limit: 5, open: "a", "b")
        _ = plan.take("a")
        plan.end()
        #expect(Self.answer(plan.take("b")) == "refuse")
        #expect(plan.waitForEnd("owner"))
        #expect(plan.giveBack("a") == ["owner"])
        #expect(!plan.waitForEnd("owner"))
        var closed: Set<String> = []
        while let (key, _) = plan.surplus() {
            closed.insert(key)
            _ = plan.closed(key)
        }
        #expect(closed == ["a", "b"])
    }

    @Test("Random users never share a database that is closing, and all are closed at the end")
    func random() {
        for seed in UInt64(1)...20 {
            var random = SplitMix(state: seed)
            var plan = Plan(limit: 3)
            var (users, open): ([String: Int], Set<String>) = ([:], [])
            for step in 0..<2000 {
                let key = "k\(random.next() % 8)"
                if random.next() % 2 == 0, users[key, default: 0] > 0 {
                    _ = plan.giveBack(key)
                    users[key, default: 0] -= 1
                } else {
                    switch plan.take(key) {
                    case .use: #expect(open.contains(key), "seed \(seed), step \(step)")
                    case .open:
                        #expect(open.insert(key).inserted, "seed \(seed), step \(step)")
                        _ = plan.opened(key, step)
                    case .wait, .refuse: Issue.record("nothing is opening or closing; seed \(seed)")
                    }
                    users[key, default: 0] += 1
                }
                while let (key, _) = plan.surplus() {
                    #expect(users[key, default: 0] == 0, "seed \(seed), step \(step)")
                    open.remove(key)
                    _ = plan.closed(key)
                }
                #expect(open.count <= max(3, users.values.count { $0 > 0 }), "seed \(seed), step \(step)")
            }
        }
    }

    @Test("Many people share few open databases, and lose nothing", arguments: Way.allCases)
    func people(way: Way) async throws {
        try await played(way, { $0.limits.openDatabases = 2 }) { world in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<12 {
                    group.addTask {
                        let person = try await world.signIn("p\(number)")
                        for round in 0..<5 {
                            let saved = try await world.call(
                                "private/records/modify", batch([create("r\(round)")]), as: person
                            )
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

    @Test("An upload under way survives the closing of its database", arguments: Way.allCases)
    func uploads(way: Way) async throws {
        try await played(way, { $0.limits.openDatabases = 1 }) { world in
            let alice = try await world.signIn("alice")
            let bob = try await world.signIn("bob")
            let receipt = try await world.upload(
                Array("hers".utf8), record: "f1", database: "private", as: alice
            )
            try await world.call("private/records/modify", batch([create("his")]), as: bob)
            #expect(Self.openFiles(of: world).map { $0.contains(bob.recordName) } == [true])
            let saved = try await world.call(
                "private/records/modify", batch([world.photo("f1", receipt)]), as: alice
            )
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
