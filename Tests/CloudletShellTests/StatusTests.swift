import CloudletServer
import Foundation
import Testing

@testable import CloudletShell
@testable import ClownCentral
@testable import CommandShell
@testable import ShellKit
@testable import TestKit

@Suite("Status and limits")
struct StatusTests {
    @Test("the status has pending changes, the size of private data, limits, faults and the release")
    func status() async throws {
        try await ShellWorld.run { world in
            let nobody = await world.type(
                "status", "expect pending = none", "expect privateData = none", "expect database = public",
                "expect limits.operationsPerRequest = 200", "expect release ~ Cloudlet")
            #expect(nobody.compactMap(\.shellError).isEmpty, "\(nobody.compactMap(\.shellError))")
            #expect(nobody[0].rendering.messages.contains("server: a test, at http://127.0.0.1:"))
            let devices = world.folder.appendingPathComponent("devices").path
            let outcomes = await world.type(
                "as alice", "status", "expect pending = 0", "expect privateData.used = 0",
                "expect privateData.limit = 5000000000")
            #expect(!FileManager.default.fileExists(atPath: devices), "looking makes no data")
            let later = await world.type(
                "note add Paint", "status", "expect pending = 1", "network off", "status",
                "expect online = false", "network on", "sync", "status", "expect pending = 0",
                "expect privateData.used > 0", "runaway 1", "fault add slow --on upload", "status",
                "expect faults = slow", "limits", "expect contains personBytes")
            #expect((outcomes + later).compactMap(\.shellError).isEmpty)
            #expect(await world.data("status --json").contains(#""limits":{"operationsPerRequest":200,"#))
        }
    }

    @Test("the limits include the server's rates and quota")
    func limits() async throws {
        try await ShellWorld.run { world in
            let outcomes = await world.type(
                "as alice", "request-rate 40 --seconds 10", "limits", "expect contains 'personRate'",
                "expect contains '40 requests in 10 s'", "expect contains 'quota.personBytes'", "status",
                "expect limits.personRate = '40 requests in 10 s'")
            #expect(outcomes.compactMap(\.shellError).isEmpty, "\(outcomes.compactMap(\.shellError))")
        }
    }

    @Test("a remote server shows people the size of their data without the operator's key")
    func elsewhere() async throws {
        let lines = "-c 'note add Paint' -c sync -c storage -c 'expect used[2] > 0' -c status"
        let end = try await Program.shell("$cloudlet exec -- sh -c \"$app --as alice \(lines)\"")
        #expect(end.code == 0, "\(end.errors)")
        #expect(end.output.contains("privateData"))
        #expect(end.errors.contains("server: http://127.0.0.1:"))
    }

    @Test("`use` sets the database of commands about records, which the prompt shows")
    func use() async throws {
        try await ShellWorld.run { world in
            let outcomes = await world.type(
                "as alice", "record save Memo a text=Public", "use private/Tricks",
                "record save Memo a text=Mine", "record show a", "expect text = Mine", "blame a",
                "expect by = you", "record find Memo", "expect count 1", "use private",
                "record save Memo b text=Default", "record show b", "expect text = Default",
                "record show a --zone Tricks", "expect text = Mine")
            #expect(outcomes.compactMap(\.shellError).isEmpty, "\(outcomes.compactMap(\.shellError))")
            #expect(await world.prompt == "development alice@phone private> ")
            await world.type("use private/Tricks")
            #expect(await world.prompt == "development alice@phone private/Tricks> ")
            let found = await world.names(of: .database, beginningWith: "")
            #expect(found.map(\.text) == ["public", "private", "private/Tricks"])
            let back = await world.type("use public", "record show a", "expect text = Public")
            #expect(back.compactMap(\.shellError).isEmpty)
            #expect(await world.prompt == "development alice@phone> ")
            #expect(await world.runner.run("use Tricks").shellError?.remedy == "use private/Tricks")
        }
    }
}
