import CloudletServer
import Synchronization
import Testing

@testable import ServerKit
@testable import TestKit

@Suite("Slow reads", .timeLimit(.minutes(30)))
struct SlowReadTests {
    /// A query that scans half of all notes, whichever index it uses, and finds none.
    private static let slowQuestion: JSON = [
        "query": [
            "recordType": "Note",
            "filterBy": [
                [
                    "fieldName": "isOdd", "comparator": "EQUALS",
                    "fieldValue": ["value": 1, "type": "INT64"],
                ],
                [
                    "fieldName": "isEven", "comparator": "EQUALS",
                    "fieldValue": ["value": 1, "type": "INT64"],
                ],
            ],
        ]
    ]

    private static func stock(_ world: ServerWorld) async throws {
        let alice = try await world.signIn("alice")
        // The first save creates the type. A save that adds to the schema first looks its records up, which
        // is slow for many records.
        let first = create("first", type: "Note", ["isOdd": number(1), "isEven": number(0)])
        #expect(try await world.call("public/records/modify", batch([first]), as: alice).status == 200)
        for start in [0, 200] {
            let notes = (start..<start + 200).map {
                let isOdd = Int64($0 % 2)
                return create("n\($0)", type: "Note", ["isOdd": number(isOdd), "isEven": number(1 - isOdd)])
            }
            let saved = try await world.modify("public", notes, as: alice)
            #expect(saved.status == 200)
        }
    }

    @Test("While a slow query waits for a thread, other people are answered", arguments: Transport.allCases)
    func others(transport: Transport) async throws {
        let gate = GatedExecutor()
        try await withServer(transport) {
            $0.threads = gate.threads
            $0.limits.readSteps = 1000
        } _: { world in
            try await Self.stock(world)
            let mallory = try await world.signIn("mallory")
            let bob = try await world.signIn("bob")
            async let slow = world.call("public/records/query", Self.slowQuestion, as: mallory)
            // Opens the gate also after a failure, so that no task waits forever.
            defer { gate.open() }
            await gate.waitForWork()
            for _ in 1...20 {
                let found = try await world.lookup("public", "n7", as: bob)
                #expect(found.records == ["ok"])
                let saved = try await world.modify("private", [create("mine", type: "Memo")], as: bob)
                #expect(saved.status == 200)
            }
            gate.open()
            let answer = try await slow
            #expect(answer.status == 200)
            #expect(answer.json["records"].elements.isEmpty)
        }
    }

    @Test(
        "While the types of the records of a save are looked up, other people are answered",
        arguments: Transport.allCases)
    func types(transport: Transport) async throws {
        let gate = GatedExecutor()
        try await withServer(transport) {
            $0.threads = gate.threads
            $0.limits.readSteps = 500
        } _: { world in
            try await Self.stock(world)
            let (alice, bob) = (try await world.signIn("alice"), try await world.signIn("bob"))
            let updates = (0..<200).map { operation("forceUpdate", "n\($0)", ["isOdd": number(7)]) }
            async let slow = world.call("public/records/modify", batch(updates), as: alice)
            // Opens the gate also after a failure, so that no task waits forever.
            defer { gate.open() }
            await gate.waitForWork()
            let saved = try await world.call(
                "private/records/modify", batch([create("mine", type: "Memo")]), as: bob)
            #expect(saved.status == 200)
            gate.open()
            let records = try await slow.json["records"].elements
            #expect(records.count == 200)
            #expect(records.allSatisfy { $0["recordType"] == "Note" })
        }
    }

    @Test(
        "While a file of very many records is looked up for an upload, other people are answered",
        arguments: Transport.allCases)
    func sharedFile(transport: Transport) async throws {
        let gate = GatedExecutor()
        try await withServer(transport) {
            $0.threads = gate.threads
            $0.limits.readSteps = 500
        } _: { world in
            let (alice, bob) = (try await world.signIn("alice"), try await world.signIn("bob"))
            let receipt = try await world.upload([7], record: "p", as: alice)
            let first = try await world.modify("public", [world.photo("p", receipt)], as: alice)
            #expect(first.records == ["ok"])
            let photos = (0..<200).map { world.photo("p\($0)", receipt) }
            #expect(try await world.modify("public", photos, as: alice).status == 200)
            let mallory = try await world.signIn("mallory")
            let token: JSON = [
                "recordType": "Photo", "fieldName": "file", "fileChecksum": receipt["fileChecksum"],
                "size": 1,
            ]
            async let slow = world.call("public/assets/upload", ["tokens": [token]], as: mallory)
            // Opens the gate also after a failure, so that no task waits forever.
            defer { gate.open() }
            await gate.waitForWork()
            #expect(try await world.lookup("public", "p7", as: bob).records == ["ok"])
            gate.open()
            let answer = try await slow
            #expect(answer.json["tokens"][0]["url"].text != nil)
            #expect(answer.json["tokens"][0]["singleFile"] == .null)
        }
    }

    @Test(
        "While the many shares of a person are looked up for a save, other people are answered",
        arguments: Transport.allCases)
    func manyShares(transport: Transport) async throws {
        let gate = GatedExecutor()
        try await withServer(transport) {
            $0.threads = gate.threads
            $0.limits.readSteps = 500
        } _: { world in
            let story = try await SharingStory.begin(world)
            for start in stride(from: 0, to: 100, by: 10) {
                let notes = (start..<start + 10).flatMap { Self.sharedNote($0, with: story.bob) }
                let saved = try await world.modify("private", notes, zone: "Notes", as: story.alice)
                let shares = saved.json["records"].elements.filter { $0["recordType"] == "cloudkit.share" }
                #expect(shares.count == 10)
                for guid in shares.compactMap({ $0["shortGUID"].text }) {
                    let entry = try await story.link("accept", as: story.bob, guid)
                    #expect(entry["participantStatus"] == "ACCEPTED")
                }
            }
            let change = operation("forceUpdate", "n0", type: "Note", ["title": text("new")])
            async let slow = story.save([change], as: story.bob)
            // Opens the gate also after a failure, so that no task waits forever.
            defer { gate.open() }
            await gate.waitForWork()
            let other = try await world.call("private/zones/list", as: story.carol)
            #expect(other.status == 200)
            gate.open()
            let records = try await slow.records
            #expect(records == ["ok"])
        }
    }

    /// Creates a note, and a share of it for a person.
    private static func sharedNote(_ number: Int, with person: Person) -> [JSON] {
        let member: JSON = [
            "permission": "READ_WRITE", "userIdentity": ["userRecordName": .string(person.recordName)],
        ]
        return [
            create("n\(number)", type: "Note", ["title": text("Alps")]),
            operation(
                "create", "s\(number)", type: "cloudkit.share", [:],
                [
                    "publicPermission": "NONE", "participants": [member],
                    "forRecord": ["recordName": .string("n\(number)")],
                ]),
        ]
    }

    @Test("A query within the budget is answered on the request's own thread", arguments: Transport.allCases)
    func quickQuestions(transport: Transport) async throws {
        let gate = GatedExecutor()
        try await withServer(transport) {
            $0.threads = gate.threads
        } _: { world in
            try await Self.stock(world)
            let answer = try await world.call("public/records/query", Self.slowQuestion)
            #expect(answer.status == 200)
        }
    }

    @Test(
        "A read that exceeds the time limit is interrupted and fails with `limitExceeded`",
        arguments: Transport.allCases)
    func deadline(transport: Transport) async throws {
        let time = Mutex(Duration.zero)
        let step = Mutex(Duration.seconds(6))
        try await withServer(transport) {
            $0.limits.readSteps = 1000
            $0.limits.readSeconds = 10
            // Each reading advances the clock by six seconds: the first is the beginning, the second the
            // first piece of the work, the third the end.
            $0.uptime = {
                time.withLock { time in
                    time += step.withLock { $0 }
                    return time
                }
            }
        } _: { world in
            try await Self.stock(world)
            let answer = try await world.call("public/records/query", Self.slowQuestion)
            #expect(answer.failure == "400 BAD_REQUEST: the request took longer than 10 seconds")
            step.withLock { $0 = .zero }
            let found = try await world.lookup("public", "n7")
            #expect(found.records == ["ok"])
        }
    }

    @Test("A query with a long list of values begins on a thread for slow reads, a short one does not")
    func longLists() async throws {
        let gate = GatedExecutor()
        try await withServer(.loopback, { $0.threads = gate.threads }) { world in
            try await Self.stock(world)
            let alice = try await world.signIn("alice")
            defer { gate.open() }
            let question = { @Sendable (count: Int) -> JSON in
                let values = (0..<count).map { JSON.integer(Int64($0)) }
                let filter: JSON = [
                    "fieldName": "isOdd", "comparator": "IN",
                    "fieldValue": ["value": .array(values), "type": "INT64_LIST"],
                ]
                return ["query": ["recordType": "Note", "filterBy": [filter]], "resultsLimit": 1]
            }
            let short = try await world.call("public/records/query", question(256), as: alice)
            #expect(short.records == ["ok"])
            async let long = world.call("public/records/query", question(257), as: alice)
            await gate.waitForWork()
            gate.open()
            #expect(try await long.records == ["ok"])
        }
    }

    @Test("Large bodies are decoded on threads of their own")
    func largeBodies() async throws {
        let gate = GatedExecutor()
        try await withServer(.socket) {
            $0.bodyThreads = gate.threads
        } _: { world in
            let alice = try await world.signIn("alice")
            let bob = try await world.signIn("bob")
            let large = create(
                "large", type: "Memo", ["text": text(String(repeating: "x", count: 600_000))])
            async let saved = world.modify("private", [large], as: alice)
            // Opens the gate also after a failure, so that no task waits forever.
            defer { gate.open() }
            await gate.waitForWork()
            let other = try await world.call("private/zones/list", as: bob)
            #expect(other.status == 200)
            gate.open()
            #expect(try await saved.records == ["ok"])
            let found = try await world.lookup("private", "large", as: alice)
            #expect(found.records == ["ok"])
        }
    }

    @Test("Large answers are encoded on threads of their own")
    func largeAnswers() async throws {
        let gate = GatedExecutor()
        try await withServer(.socket) {
            $0.bodyThreads = gate.threads
        } _: { world in
            let alice = try await world.signIn("alice")
            let bob = try await world.signIn("bob")
            // Each save is small, and only the answer with both records is large.
            for name in ["a", "b"] {
                let memo = create(name, type: "Memo", ["text": text(String(repeating: "x", count: 50_000))])
                let saved = try await world.modify("private", [memo], as: alice)
                #expect(saved.records == ["ok"])
            }
            async let found = world.lookup("private", "a", "b", as: alice)
            // Opens the gate also after a failure, so that no task waits forever.
            defer { gate.open() }
            await gate.waitForWork()
            let other = try await world.call("private/zones/list", as: bob)
            #expect(other.status == 200)
            gate.open()
            let records = try await found.records
            #expect(records == ["ok", "ok"])
        }
    }

    @Test(
        "Long names count for the size of an answer, to a look-up as to a save",
        arguments: ["records/lookup", "records/modify"])
    func longNames(call: String) async throws {
        let gate = GatedExecutor()
        try await withServer(.socket) {
            $0.bodyThreads = gate.threads
        } _: { world in
            let alice = try await world.signIn("alice")
            let zone = String(repeating: "z", count: 255)
            _ = try await world.call("private/zones/modify", zones(create: [zone]), as: alice)
            // No request is large, and the records have no fields.
            let names = (100..<250).map { String(repeating: "n", count: 252) + "\($0)" }
            var body: [String: JSON] = ["zoneID": ["zoneName": .string(zone)]]
            if call == "records/modify" {
                body["operations"] = .array(names.map { create($0, type: "Memo") })
            } else {
                body["records"] = .array(names.map { name -> JSON in ["recordName": .string(name)] })
                for start in [0, 50, 100] {
                    let memos = names[start..<start + 50].map { create($0, type: "Memo") }
                    let saved = try await world.modify("private", memos, zone: zone, as: alice)
                    #expect(saved.status == 200)
                }
            }
            let question = JSON.object(body)
            async let answer = world.call("private/\(call)", question, as: alice)
            // Opens the gate also after a failure, so that no task waits forever.
            defer { gate.open() }
            await gate.waitForWork()
            gate.open()
            let records = try await answer.records
            #expect(records == Array(repeating: "ok", count: 150))
        }
    }

    @Test("Many assets of a save are checked on threads of their own")
    func manyAssets() async throws {
        let gate = GatedExecutor()
        try await withServer(.socket) {
            $0.bodyThreads = gate.threads
        } _: { world in
            let alice = try await world.signIn("alice")
            let bob = try await world.signIn("bob")
            let file: JSON = ["fileChecksum": "AAAA", "size": 1]
            let files: JSON = ["value": .array(Array(repeating: file, count: 2000)), "type": "ASSETID_LIST"]
            let album = batch([create("album", type: "Album", ["files": files])])
            async let saved = world.call("private/records/modify", album, as: alice)
            // Opens the gate also after a failure, so that no task waits forever.
            defer { gate.open() }
            await gate.waitForWork()
            let other = try await world.call("private/zones/list", as: bob)
            #expect(other.status == 200)
            gate.open()
            #expect(try await saved.records == ["BAD_REQUEST: bad upload receipt (did_not_validate)"])
        }
    }

    @Test("While two people use all threads for slow reads, a third person's large save is answered")
    func largeSaveAmongSlowReads() async throws {
        let gate = GatedExecutor()
        try await withServer(.socket) {
            $0.threads = gate.threads
            $0.limits.readSteps = 1000
        } _: { world in
            try await Self.stock(world)
            let (mallory, eve) = (try await world.signIn("mallory"), try await world.signIn("eve"))
            let bob = try await world.signIn("bob")
            async let one = world.call("public/records/query", Self.slowQuestion, as: mallory)
            async let two = world.call("public/records/query", Self.slowQuestion, as: eve)
            // Opens the gate also after a failure, so that no task waits forever.
            defer { gate.open() }
            await gate.waitForWork(2)
            let large = create(
                "large", type: "Memo", ["text": text(String(repeating: "x", count: 600_000))])
            let saved = try await world.modify("private", [large], as: bob)
            #expect(saved.records == ["ok"])
            gate.open()
            #expect(try await [one.status, two.status] == [200, 200])
        }
    }
}
