import Cloudlet
import Foundation
import Synchronization
import Testing

@testable import CloudletShell
@testable import ClownCentral
@testable import CommandShell
@testable import ShellKit
@testable import TestKit

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

    @Test("A record that arrives as a failure is not received; the next fetch begins before it")
    func failedRecord() async throws {
        let losses = FileLosses()
        try await ShellWorld.run(over: { LostFiles(base: $0, losses: losses) }) { world in
            await world.type("as alice")
            let database = await world.cloud.container.privateCloudDatabase
            let zone = try await database.save(CKRecordZone(zoneName: "Jokes")).zoneID
            let picture = world.folder.appendingPathComponent("picture")
            try Data([1, 2, 3]).write(to: picture)
            for name in ["a", "b", "c"] {
                let joke = CKRecord(
                    recordType: "Joke", recordID: CKRecord.ID(recordName: name, zoneID: zone))
                if name == "b" { joke["picture"] = CKAsset(fileURL: picture) }
                try await database.save(joke)
            }
            // The device must download the file.
            world.folder.appendingPathComponent("assets").remove()
            let fetcher = ZoneFetcher(database: database)
            let broken = await fetcher.fetch("Jokes", into: ZoneCache(), pageSize: 1)
            #expect((broken.error as? CKError)?.code == .assetNotAvailable)
            #expect(broken.cache.recordNames == ["a"])
            #expect(broken.cache.pageCount == 1)
            losses.end()
            let whole = await fetcher.fetch("Jokes", into: broken.cache, pageSize: 1)
            #expect(whole.error == nil)
            #expect(whole.cache.recordNames == ["a", "b", "c"])
            #expect(whole.cache.repeatedCount == 0)
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

/// Whether files cannot be downloaded.
private final class FileLosses: Sendable {
    private let isLossy = Mutex(true)

    func end() { isLossy.withLock { $0 = false } }

    var isOn: Bool { isLossy.withLock { $0 } }
}

/// Answers that there is no such file, as long as files are lost.
private struct LostFiles: CloudTransport {
    let base: any CloudTransport
    let losses: FileLosses

    func send(_ request: CloudRequest) async throws -> CloudResponse {
        let isDownload = request.method == .get && request.target.contains("/assets/")
        return isDownload && losses.isOn ? CloudResponse(status: 404) : try await base.send(request)
    }
}
