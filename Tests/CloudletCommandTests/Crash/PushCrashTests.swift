import CloudletServer
import Foundation
import RecordsWire
import Synchronization
import Testing

@testable import ServerKit
@testable import TestKit

@Suite("A crash while pushes are delivered", .timeLimit(.minutes(30)))
struct PushCrashTests {
    private static let rounds = 8
    private static let seed: UInt64 = 87

    @Test("A server that is killed between commit and delivery keeps one entry for each record, and no other")
    func killed() async throws {
        let folder = URL.unused()
        folder.remove()
        defer { folder.remove() }
        var random = SeededNumbers(seed: Self.seed)
        var scenario = PushScenario()
        var acknowledged: Set<String> = []
        for round in 1...Self.rounds {
            let server = try Command("serve", "--data", folder.path, "--port", "0", "--open")
            let http = try RawHTTP(try await server.address())
            if round == 1 { try await scenario.setUp(http) }
            try await scenario.check(http, has: acknowledged, round: round)
            let enough = Int.random(in: 1...20, using: &random)
            acknowledged.formUnion(await scenario.save(http, round: round, until: enough, thenKill: server))
        }
        let server = try Command("serve", "--data", folder.path, "--port", "0", "--open")
        let http = try RawHTTP(try await server.address())
        try await scenario.check(http, has: acknowledged, round: Self.rounds + 1)
        // The phone, which was offline all the time, gets a push that tells it to fetch.
        let push = try JSON(try await http.send("GET", scenario.courier, [:], []).bytes)
        #expect(push["aps"] == ["content-available": 1])
        #expect(await server.stop().code == 0)
        print("killed \(Self.rounds) times amid pushes, seed \(Self.seed), \(acknowledged.count) saves kept")
    }
}

/// The names of the records whose saves were acknowledged in one run of the server.
private final class Acknowledged: Sendable {
    private let names = Mutex<Set<String>>([])

    var all: Set<String> { names.withLock { $0 } }

    /// Adds a name and returns the number of names.
    func add(_ name: String) -> Int {
        names.withLock { names in
            names.insert(name)
            return names.count
        }
    }
}

/// Alice, who saves records, and Bob, who is subscribed to them.
private struct PushScenario {
    private var alice = ""
    private var bob = ""
    private(set) var courier = ""

    private static func path(_ endpoint: String, _ token: String) -> String {
        "/database/1/iCloud.org.example.crash/development/public/\(endpoint)?ckWebAuthToken=\(token)"
    }

    private static func post(_ http: RawHTTP, _ target: String, _ body: JSON) async throws -> JSON {
        try JSON(try await http.send("POST", target, [:], try body.encoded()).bytes)
    }

    mutating func setUp(_ http: RawHTTP) async throws {
        var tokens: [String] = []
        for name in ["alice", "bob"] {
            let reply = try await Self.post(http, "/dev/sign-in", ["name": .string(name)])
            tokens.append(try #require(reply["ckWebAuthToken"].text))
        }
        (alice, bob) = (tokens[0], tokens[1])
        _ = try await Self.post(http, Self.path("records/modify", alice), batch([create("first")]))
        let subscription = subscription("all", on: ["create"])
        let operation: JSON = ["operationType": "create", "subscription": subscription]
        let made = try await Self.post(
            http, Self.path("subscriptions/modify", bob), ["operations": [operation]])
        #expect(made["subscriptions"][0]["subscriptionID"] == "all")
        let target = "/device/1/iCloud.org.example.crash/development/tokens/create?ckWebAuthToken=\(bob)"
        let token = try await Self.post(http, target, ["clientId": "phone"])
        let url = try #require(token["webcourierURL"].text.flatMap { URLComponents(string: $0) })
        courier = url.path + "?" + (url.percentEncodedQuery ?? "")
    }

    /// Four writers save until `enough` saves are acknowledged. Then the server is killed during their
    /// requests. Returns the acknowledged names.
    func save(
        _ http: RawHTTP, round: Int, until enough: Int, thenKill server: Command
    ) async -> Set<String> {
        let acknowledged = Acknowledged()
        let token = alice
        let (reached, gate) = AsyncStream.makeStream(of: Never.self)
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                await withTaskGroup(of: Void.self) { writers in
                    for writer in 0..<4 {
                        writers.addTask {
                            for number in 0... {
                                let name = "r\(round)-\(writer)-\(number)"
                                guard await Self.save(name, http, token) else { return }
                                if acknowledged.add(name) == enough { gate.finish() }
                            }
                        }
                    }
                }
                // All writers have ended: there is nothing to wait for.
                gate.finish()
            }
            for await _ in reached {}
            _ = await server.stop(SIGKILL)
        }
        return acknowledged.all
    }

    /// Whether the save of a record is acknowledged.
    private static func save(_ name: String, _ http: RawHTTP, _ token: String) async -> Bool {
        let reply = try? await post(http, path("records/modify", token), batch([create(name)]))
        return reply?["records"][0]["recordChangeTag"].text != nil
    }

    /// The notification collection names exactly the stored records, and no acknowledged record is
    /// missing.
    func check(_ http: RawHTTP, has acknowledged: Set<String>, round: Int) async throws {
        var records: [String] = []
        var marker = JSON.null
        repeat {
            let page = try await Self.post(
                http, Self.path("records/query", alice),
                ["query": ["recordType": "Party"], "continuationMarker": marker])
            records += page["records"].elements.compactMap { $0["recordName"].text }
            marker = page["continuationMarker"]
        } while marker != .null
        var told = ["first"]
        var token = JSON.null
        var isMore = true
        let target = "/device/1/iCloud.org.example.crash/development/notifications/changes"
        while isMore {
            let page = try await Self.post(http, "\(target)?ckWebAuthToken=\(bob)", ["syncToken": token])
            told += page["notifications"].elements.compactMap { $0["ck"]["qry"]["rid"].text }
            token = page["syncToken"]
            isMore = page["moreComing"] == true
        }
        #expect(told == records, "round \(round)")
        #expect(acknowledged.isSubset(of: told), "round \(round)")
    }
}
