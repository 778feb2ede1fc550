import Cloudlet
import Foundation
import Testing

@testable import CloudletShell
@testable import ClownCentral
@testable import CommandShell
@testable import ShellKit

@MainActor
@Suite("The sample's handling of errors")
struct SampleErrorTests {
    @Test("An expired token or a deleted zone empties the cache: the next fetch starts from the beginning")
    func endedCache() async throws {
        try await ShellWorld.run { world in
            let outcomes = await world.type(
                "as alice", "zone fill Jokes 3", "zone fetch Jokes", "expect kept = 3",
                "fault add token-expired --times 1", "zone fetch Jokes", "expect error changeTokenExpired",
                "expect kept = 0", "zone fetch Jokes", "expect from = \"the beginning\"", "expect new = 3",
                "expect twice = 0", "zone purge Jokes", "zone fetch Jokes", "expect error userDeletedZone",
                "expect kept = 0")
            #expect(outcomes.compactMap(\.shellError?.code) == ["changeTokenExpired", "userDeletedZone"])
        }
    }

    @Test("An expired token empties a cache file, too, which the next process reads")
    func endedCacheFile() async throws {
        try await ShellWorld.run { world in
            let file = world.folder.appendingPathComponent("jokes.json")
            let fetch = "zone fetch Jokes --keep \(file.path)"
            await world.type(
                "as alice", "zone fill Jokes 3", fetch, "fault add token-expired --times 1", fetch)
            let cache = try ZoneCacheFile(url: file).read()
            #expect(cache.recordNames.isEmpty)
            #expect(cache.token == nil)
            let outcomes = await world.type(fetch, "expect new = 3")
            #expect(outcomes.compactMap(\.shellError).isEmpty)
        }
    }

    @Test("Another error leaves the cache as it is")
    func keptCache() async throws {
        try await ShellWorld.run { world in
            let outcomes = await world.type(
                "as alice", "zone fill Jokes 3", "zone fetch Jokes",
                "fault add unavailable --on changes/zone --times 1", "zone fetch Jokes",
                "expect error serviceUnavailable", "expect kept = 3")
            #expect(outcomes.compactMap(\.shellError?.code) == ["serviceUnavailable"])
        }
    }

    @Test("Notifications that could not be marked as read are shown again, because the token is kept last")
    func notificationToken() async throws {
        try await ShellWorld.run { world in
            let outcomes = await world.type(
                "as alice", "party create Tea", "subscribe parties", "as bob", "party create Ball",
                "as alice",
                "fault add unavailable --on notifications/read --times 1", "notifications --read",
                "expect error serviceUnavailable", "clock advance 5s", "notifications --read",
                "expect count 1")
            #expect(outcomes.compactMap(\.shellError?.code) == ["serviceUnavailable"])
        }
    }

    @Test("A record that was deleted while the server answered hides no other record of a list")
    func deletedMeanwhile() async throws {
        try await ShellWorld.run(over: { RefusedRecord($0, in: "records/query", "NOT_FOUND") }) { world in
            let outcomes = await world.type(
                "as alice", "party create A", "party create B", "party list --sort name", "expect count 1",
                "expect name = B")
            #expect(outcomes.compactMap(\.shellError).isEmpty)
        }
    }

    @Test("Another error of a record is reported", arguments: ["party list", "tree save Show"])
    func refusedRecord(line: String) async throws {
        let endpoint = line.hasPrefix("tree") ? "records/lookup" : "records/query"
        try await ShellWorld.run(over: { RefusedRecord($0, in: endpoint, "ACCESS_DENIED") }) { world in
            await world.type("as alice", "party create A")
            #expect(await world.runner.run(line).shellError?.code == "permissionFailure")
        }
    }
}

/// Replaces the first record of each answer of an endpoint by an error.
private struct RefusedRecord: CloudTransport {
    private let base: any CloudTransport
    private let endpoint: String
    private let code: String

    init(_ base: any CloudTransport, in endpoint: String, _ code: String) {
        self.base = base
        self.endpoint = endpoint
        self.code = code
    }

    func send(_ request: CloudRequest) async throws -> CloudResponse {
        var response = try await base.send(request)
        guard request.target.contains(endpoint),
            var body = try JSONSerialization.jsonObject(with: Data(response.bytes)) as? [String: Any],
            var records = body["records"] as? [[String: Any]], let name = records.first?["recordName"]
        else { return response }
        records[0] = ["recordName": name, "serverErrorCode": code, "reason": "as the test wants it"]
        body["records"] = records
        response.body = .bytes(Array(try JSONSerialization.data(withJSONObject: body)))
        return response
    }
}
