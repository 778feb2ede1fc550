import Foundation
import Synchronization
import Testing

@testable import ServerKit
@testable import TestKit

@Suite("Tokens in answers with records")
struct SyncTokenTests {
    /// The minimum number of answers over each transport. The variable is the number for both together.
    private static let answers =
        (Int(ProcessInfo.processInfo.environment["CLOUDLET_ANSWERS"] ?? "") ?? 240) / Transport.allCases.count
    private static let wish = "getCurrentSyncToken=true"
    private static let zone: JSON = ["zoneName": "Notes"]
    private static let query: JSON = [
        "query": ["recordType": "Note"], "zoneID": zone, "resultsLimit": 40, "desiredKeys": [],
    ]

    /// An answer of the server: the tag under which it showed each record, and its token.
    private struct Seen: Sendable {
        var tags: [String: String]
        var token: String

        init(_ reply: Reply) throws {
            tags = SyncTokenTests.tags(reply.json["records"])
            token = try #require(reply.json["syncToken"].text)
        }
    }

    private static func tags(_ records: JSON) -> [String: String] {
        var tags: [String: String] = [:]
        for record in records.elements {
            if let name = record["recordName"].text { tags[name] = record["recordChangeTag"].text }
        }
        return tags
    }

    private static func allCreated(_ count: Int) -> [JSON] {
        (0..<count).map { create("n\($0)", type: "Note", ["n": number(0)]) }
    }

    @Test("Look-ups and queries lose no change of concurrent writers", arguments: Transport.allCases)
    func nothingIsLost(transport: Transport) async throws {
        var count = 0
        // A new server for each round, because a server's transcript keeps all answers in memory.
        while count < Self.answers {
            try await withServer(transport) { world in count += try await Self.round(world) }
        }
        print("\(transport): \(count) answers beside writers, no change lost")
    }

    /// Changes each record once, while readers send requests, and expects that no reader loses a change.
    /// Returns the number of answers.
    private static func round(_ world: ServerWorld) async throws -> Int {
        let alice = try await world.signIn("alice")
        try await world.call("private/zones/modify", zones(create: ["Notes"]), as: alice)
        try await world.call("private/records/modify", batch(allCreated(160), zone: "Notes"), as: alice)
        let writers = 2
        let finished = Finished()
        let answers = try await withThrowingTaskGroup(of: [Seen].self) { group in
            for writer in 0..<writers {
                group.addTask {
                    // A writer that fails ends the readers, too.
                    defer { finished.add() }
                    for number in stride(from: writer, to: 160, by: writers) {
                        try await change("n\(number)", world, alice)
                        // In one process, a change can end without a pause, and the readers would not begin.
                        await Task.yield()
                    }
                    return []
                }
            }
            for reader in 0..<6 {
                group.addTask {
                    var answers: [Seen] = []
                    // The limit is needed in one process, where readers could keep the writers waiting.
                    while finished.count < writers, answers.count < 40 {
                        answers.append(try await look(reader, answers.count, world, alice))
                    }
                    return answers
                }
            }
            return try await group.reduce(into: [Seen]()) { $0 += $1 }
        }
        let final = try await feed(since: nil, world, alice)
        #expect(final.count == 160)
        // A reader that saw a record before its change must find the change after its token.
        let stale = answers.filter { answer in answer.tags.contains { final[$0] != $1 } }
        for (token, answers) in Dictionary(grouping: stale, by: \.token) {
            let later = try await feed(since: token, world, alice)
            for answer in answers {
                let lost = answer.tags.filter { final[$0] != $1 && later[$0] == nil }
                #expect(lost.isEmpty, "an answer with \(token) lost \(lost)")
            }
        }
        return answers.count
    }

    private static func change(_ name: String, _ world: ServerWorld, _ person: Person) async throws {
        let update = operation("forceUpdate", name, type: "Note", ["n": number(1)])
        let reply = try await world.call(
            "private/records/modify", batch([update], zone: "Notes"), as: person, parameters: wish)
        #expect(reply.records == ["ok"])
    }

    private static func look(
        _ reader: Int, _ turn: Int, _ world: ServerWorld, _ person: Person
    ) async throws -> Seen {
        if reader.isMultiple(of: 2) {
            return try Seen(
                try await world.call("private/records/query", query, as: person, parameters: wish))
        }
        let items = (0..<20).map { JSON.object(["recordName": .string("n\((turn * 20 + $0) % 160)")]) }
        let body: JSON = ["records": .array(items), "zoneID": zone]
        return try Seen(try await world.call("private/records/lookup", body, as: person, parameters: wish))
    }

    /// The tags of all records that changed since a token.
    private static func feed(
        since token: String?, _ world: ServerWorld, _ person: Person
    ) async throws -> [String: String] {
        var (tags, token) = ([String: String](), token)
        while true {
            let feed: JSON = ["zones": [["zoneID": zone, "syncToken": JSON(token), "desiredKeys": []]]]
            let page = try await world.call("private/changes/zone", feed, as: person).json["zones"][0]
            tags.merge(Self.tags(page["records"])) { $1 }
            token = page["syncToken"].text
            if page["moreComing"] != .bool(true) { return tags }
        }
    }

    @Test("All pages of a query have the token of the first")
    func pages() async throws {
        try await serving { world in
            let alice = try await world.signIn("alice")
            try await world.call("private/zones/modify", zones(create: ["Notes"]), as: alice)
            try await world.call(
                "private/records/modify", batch(Self.allCreated(5), zone: "Notes"), as: alice)
            var body = Self.query.with(["resultsLimit": 2])
            let first = try await world.call(
                "private/records/query", body, as: alice, parameters: Self.wish)
            // A record of the first page changes before the second is asked for.
            try await Self.change("n0", world, alice)
            body = body.with(["continuationMarker": first.json["continuationMarker"]])
            let second = try await world.call(
                "private/records/query", body, as: alice, parameters: Self.wish)
            #expect(second.json["records"].texts("recordName") == ["n2", "n3"])
            #expect(second.json["syncToken"] == first.json["syncToken"])
            let token = try #require(second.json["syncToken"].text)
            #expect(try await Self.feed(since: token, world, alice).keys.sorted() == ["n0"])
            // A client that does not ask for the token gets none, and can still read the next page.
            let plain = try await world.call("private/records/query", body, as: alice)
            #expect(plain.json["syncToken"] == .null)
            #expect(plain.json["records"].texts("recordName") == ["n2", "n3"])
        }
    }

    @Test(
        "A batch returns the token of its commit, or an earlier one if an operation was refused first")
    func batches() async throws {
        try await serving { world in
            let alice = try await world.signIn("alice")
            try await world.call("private/zones/modify", zones(create: ["Notes"]), as: alice)
            let saved = try await world.call(
                "private/records/modify", batch(Self.allCreated(2), zone: "Notes"), as: alice,
                parameters: Self.wish)
            let token = try #require(saved.json["syncToken"].text)
            #expect(try await Self.feed(since: token, world, alice) == [:])
            // The type of the field is wrong, so the operation is refused before the commit.
            let wrong = operation("forceUpdate", "n1", type: "Note", ["n": text("no number")])
            let right = operation("forceUpdate", "n0", type: "Note", ["n": number(7)])
            let mixed = try await world.call(
                "private/records/modify", batch([wrong, right], zone: "Notes", atomic: false), as: alice,
                parameters: Self.wish)
            #expect(mixed.records.last == "ok")
            #expect(mixed.records.first != "ok")
            #expect(mixed.json["syncToken"].text == token)
            #expect(try await Self.feed(since: token, world, alice).keys.sorted() == ["n0"])
        }
    }
}

/// The number of writers that are done.
private final class Finished: Sendable {
    private let writers = Mutex(0)

    func add() { writers.withLock { $0 += 1 } }

    var count: Int { writers.withLock { $0 } }
}
