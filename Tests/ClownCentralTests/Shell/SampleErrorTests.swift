import Foundation
import Testing

@testable import CloudletShell
@testable import ClownCentral
@testable import CommandShell
@testable import ShellKit

@MainActor
@Suite("The sample handles the errors that it warns of")
struct SampleErrorTests {
    @Test("A token that is too old, or a zone that is gone, empties the cache: the next fetch begins anew")
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

    @Test("So does the cache in a file, which the next process reads")
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
                "expect count 1", "notifications", "expect none")
            #expect(outcomes.compactMap(\.shellError?.code) == ["serviceUnavailable"])
        }
    }
}
