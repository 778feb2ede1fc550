// Owns the proof of the commands that look after a server, with the real binary.

import CloudletServer
import Foundation
import RecordsWire
import Testing

@Suite("cloudlet, looking after a server", .timeLimit(.minutes(2)))
struct ManagementTests {
    private let folder = FileManager.default.temporaryDirectory
        .appendingPathComponent("management-\(UUID().uuidString)").path

    private func cleanUp() { try? FileManager.default.removeItem(atPath: folder) }

    private func makeFolder() throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    private func run(_ arguments: String...) async throws -> Command.End {
        await (try Command(arguments)).end()
    }

    @Test("They open a folder that no server uses, and ask the server of one that is in use")
    func places() async throws {
        defer { cleanUp() }
        try makeFolder()
        let made = try await run("container", "create", "iCloud.org.example.one", "--data", folder)
        #expect(made.code == 0)
        #expect(made.output.hasPrefix("name     iCloud.org.example.one\ncreated  20"))
        #expect(made.errors == "cloudlet: created iCloud.org.example.one\n")
        let server = try Command(["serve", "--data", folder, "--port", "0"])
        let address = try await server.says("ready\n").split(separator: "\n")[0]
        let more = try await run("container", "create", "parties", "--data", folder)
        #expect(more.code == 0)
        #expect(more.errors.contains("warning: the name is no reverse-DNS name"))
        let local = try await run("container", "list", "--data", folder)
        #expect(local.output.contains("NAME"))
        #expect(local.output.contains("iCloud.org.example.one  20"))
        #expect(local.output.contains("parties"))
        let remote = try await run(
            "container", "list", "--server", String(address), "--operator-key-file", folder + "/operator.key")
        #expect(remote.output == local.output)
        server.send(SIGTERM)
        #expect(await server.end().code == 0)
        let later = try await run("container", "list", "--data", folder)
        #expect(later.output == local.output)
    }

    @Test("With --json they print what the server answers, and errors as JSON on standard error")
    func json() async throws {
        defer { cleanUp() }
        try makeFolder()
        let none = try await run("container", "list", "--json", "--data", folder)
        #expect(none.output == "{\"containers\":[]}\n")
        let empty = try await run("container", "list", "--data", folder)
        #expect(empty.output == "")
        #expect(empty.errors.contains("cloudlet container create iCloud.org.example.app"))
        let made = try await run("container", "create", "iCloud.org.example.one", "--data", folder, "--json")
        #expect(try JSON(Array(made.output.utf8))["name"] == "iCloud.org.example.one")
        let twice = try await run("container", "create", "iCloud.org.example.one", "--data", folder, "--json")
        #expect(twice.code == 5)
        #expect(twice.output == "")
        let error = try JSON(Array(twice.errors.utf8))["error"]
        #expect(error["code"] == "exists")
        #expect(error["culprit"] == "iCloud.org.example.one")
        #expect(error["remedy"].text != nil)
        let usage = try await run("container", "crate", "--json")
        #expect(usage.code == 2)
        #expect(try JSON(Array(usage.errors.utf8))["error"]["suggestions"] == ["container create"])
    }

    @Test("A server that cannot be reached, a wrong key and a missing folder are told apart")
    func unreachable() async throws {
        defer { cleanUp() }
        let missing = try await run("container", "list", "--data", folder)
        #expect(missing.code == 1)
        #expect(missing.errors.hasPrefix("cloudlet: there is no data folder at \(folder)"))
        #expect(!FileManager.default.fileExists(atPath: folder))
        try makeFolder()
        let keyFile = folder + "/key"
        try Data("wrong\n".utf8).write(to: URL(fileURLWithPath: keyFile))
        let world = try await ServerWorld.start(.socket)
        let address = try #require(world.server.url).absoluteString
        let refused = try await run("container", "list", "--server", address, "--operator-key-file", keyFile)
        #expect(refused.code == 4)
        #expect(refused.errors.contains("the operator's key is missing or wrong"))
        let keyless = try await run("container", "list", "--server", address)
        #expect(keyless.code == 2)
        await world.stop()
        let gone = try await run("container", "list", "--server", address, "--operator-key-file", keyFile)
        #expect(gone.code == 1)
        #expect(gone.errors.contains("cannot be reached"))
    }

    @Test("A container is deleted with --yes only, where nobody can be asked")
    func delete() async throws {
        defer { cleanUp() }
        try makeFolder()
        _ = try await run("container", "create", "iCloud.org.example.one", "--data", folder)
        let refused = try await run("container", "delete", "iCloud.org.example.one", "--data", folder)
        #expect(refused.code == 2)
        #expect(
            refused.errors.contains("delete iCloud.org.example.one, with 0 bytes, 0 private databases in dev")
        )
        #expect(try await run("container", "show", "iCloud.org.example.one", "--data", folder).code == 0)
        let deleted = try await run(
            "container", "delete", "iCloud.org.example.one", "--yes", "--data", folder)
        #expect(deleted.code == 0)
        #expect(deleted.errors.hasPrefix("cloudlet: deleted iCloud.org.example.one"))
        let gone = try await run("container", "show", "iCloud.org.example.one", "--data", folder)
        #expect(gone.code == 1)
        #expect(gone.errors.contains("the container is not known"))
    }

    @Test(
        "Mistyped commands are answered with what was meant",
        arguments: [
            (["contaner", "list"], "container"), (["container", "lst"], "container list"),
            (["servce"], "serve"), (["create", "x"], "container create"),
        ])
    func suggestions(words: [String], meant: String) async throws {
        let end = await (try Command(words)).end()
        #expect(end.code == 2)
        #expect(end.output == "")
        #expect(end.errors.contains("did you mean `cloudlet \(meant)`?"))
    }

    @Test(
        "Every spelling of help prints the same on standard output",
        arguments: [
            ["help", "container"], ["container", "--help"], ["container", "-h"], ["container", "help"],
        ])
    func help(words: [String]) async throws {
        let end = await (try Command(words)).end()
        #expect(end.code == 0)
        #expect(end.errors == "")
        #expect(end.output.contains("cloudlet container create iCloud.org.example.app"))
        #expect(end.output == (await (try Command(["help", "container"])).end()).output)
    }
}
