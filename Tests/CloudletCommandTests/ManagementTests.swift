import CloudletServer
import CloudletTesting
import Foundation
import RecordsWire
import Testing

@testable import ServerKit
@testable import TestKit

@Suite("Commands of cloudlet that administer a server", .timeLimit(.minutes(30)))
struct ManagementTests {
    private let folder = URL.unused().path

    private func cleanUp() { URL(fileURLWithPath: folder).remove() }

    private func makeFolder() throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    private func run(_ arguments: String...) async throws -> Program.End {
        try await Command(arguments).end()
    }

    @Test("The commands open a folder that is not in use, and call the server of one that is")
    func places() async throws {
        defer { cleanUp() }
        try makeFolder()
        let made = try await run("container", "create", "iCloud.org.example.one", "--data", folder)
        #expect(made.code == 0)
        #expect(made.output.hasPrefix("name     iCloud.org.example.one\ncreated  20"))
        #expect(made.errors == "cloudlet: created iCloud.org.example.one\n")
        let server = try Command(["serve", "--data", folder, "--port", "0"])
        let address = try await server.address().absoluteString
        let more = try await run("container", "create", "parties", "--data", folder)
        #expect(more.code == 0)
        #expect(more.errors.contains("warning: the name is no reverse-DNS name"))
        let local = try await run("container", "list", "--data", folder)
        #expect(local.output.contains("NAME"))
        #expect(local.output.contains("iCloud.org.example.one  20"))
        #expect(local.output.contains("parties"))
        let remote = try await run(
            "container", "list", "--server", address, "--operator-key-file", folder + "/operator.key")
        #expect(remote.output == local.output)
        #expect(await server.stop().code == 0)
        let later = try await run("container", "list", "--data", folder)
        #expect(later.output == local.output)
    }

    @Test("With --json the commands print the server's answer, and errors as JSON on standard error")
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

    @Test("An unreachable server, a wrong key and a missing folder have different errors")
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
        let port = try RefusingPort()
        let silent = port.url.absoluteString
        let gone = try await run("container", "list", "--server", silent, "--operator-key-file", keyFile)
        #expect(gone.code == 1)
        #expect(gone.errors.contains("cannot be reached"))
        withExtendedLifetime(port) {}
    }

    @Test("A command stops waiting for a server after the time in --timeout")
    func timeout() async throws {
        defer { cleanUp() }
        try makeFolder()
        let keyFile = folder + "/key"
        try Data("key\n".utf8).write(to: URL(fileURLWithPath: keyFile))
        let server = try StubServer { _ in nil }
        defer { server.stop() }
        let arguments = ["container", "list", "--server", server.address, "--operator-key-file", keyFile]
        let end = try await Command(arguments + ["--timeout", "1"]).end()
        #expect(end.code == 1)
        #expect(end.errors.contains("the server has not answered within 1 s"), "\(end.errors)")
        #expect(end.errors.contains("--timeout SECONDS"))
        #expect(server.received.count == 1)
        let wrong = try await Command(arguments + ["--timeout", "0"]).end()
        #expect(wrong.code == 2)
        #expect(wrong.errors.contains("--timeout takes 1 to 86400 seconds, not 0"), "\(wrong.errors)")
        #expect(server.received.count == 1)
    }

    @Test("A command says that a proxy answered, and exits with the code for later attempts")
    func proxy() async throws {
        defer { cleanUp() }
        try makeFolder()
        let keyFile = folder + "/key"
        try Data("key\n".utf8).write(to: URL(fileURLWithPath: keyFile))
        let server = try StubServer(status: 502, body: "<html>Bad gateway</html>")
        defer { server.stop() }
        let end = try await Command([
            "container", "list", "--server", server.address, "--operator-key-file", keyFile,
        ]).end()
        #expect(end.code == 6)
        #expect(end.errors.contains("a proxy answered with status 502"), "\(end.errors)")
        #expect(end.errors.contains("check that it runs"))
        #expect(!end.errors.contains("check that the address"))
    }

    @Test("Without a terminal, a container is deleted only with --yes")
    func delete() async throws {
        defer { cleanUp() }
        try makeFolder()
        _ = try await run("container", "create", "iCloud.org.example.one", "--data", folder)
        let refused = try await run("container", "delete", "iCloud.org.example.one", "--data", folder)
        #expect(refused.code == 2)
        #expect(
            refused.errors.contains("delete iCloud.org.example.one, with 0 B, 0 private databases in dev")
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

    @Test("The web page of a container's app is set, kept by later commands, and removed")
    func fallback() async throws {
        defer { cleanUp() }
        try makeFolder()
        let name = "iCloud.org.example.one"
        _ = try await run("container", "create", name, "--data", folder)
        let url = "https://app.example/open/"
        let set = try await run("container", "set-fallback", name, url, "--data", folder)
        #expect(set.output.contains("web page  " + url), "\(set)")
        #expect(set.errors == "cloudlet: the pages of shares in \(name) lead to \(url)\n")
        let shown = try await run("container", "show", name, "--data", folder)
        #expect(shown.output.contains(url))
        let wrong = try await run("container", "set-fallback", name, "javascript:alert(1)", "--data", folder)
        #expect(wrong.code == 1)
        #expect(wrong.errors.contains("write it as https://app.example/open/"))
        let unknown = try await run("container", "set-fallback", "iCloud.x.y.z", url, "--data", folder)
        #expect(unknown.errors.contains("the container is not known"))
        let reset = try await run("container", "set-fallback", name, "default", "--data", folder)
        #expect(reset.code == 0)
        #expect(!reset.output.contains("web page"))
    }

    @Test("An API token is created, shown once, listed by its id, and revoked")
    func token() async throws {
        defer { cleanUp() }
        try makeFolder()
        let unknown = try await run("token", "create", "iCloud.org.example.one", "--data", folder)
        #expect(unknown.code == 1)
        #expect(unknown.errors.contains("cloudlet container create iCloud.org.example.one"))
        _ = try await run("container", "create", "iCloud.org.example.one", "--data", folder)
        let made = try await run(
            "token", "create", "iCloud.org.example.one", "--environment", "production", "--origin",
            "https://app.example.org/", "--label", "web", "--callback", "myapp://signed-in", "--data", folder)
        #expect(made.output.wholeMatch(of: /[0-9a-f]{64}\n/) != nil)
        let id = try #require(made.errors.firstMatch(of: /token ([0-9a-f]+) for/)?.1)
        let list = try await run("token", "list", "iCloud.org.example.one", "--data", folder)
        #expect(list.output.contains("\(id)  production   web    https://app.example.org  myapp://signed-in"))
        #expect(!list.output.contains(made.output.dropLast()))
        #expect(try await run("token", "revoke", String(id), "--data", folder).code == 0)
        let twice = try await run("token", "revoke", String(id), "--data", folder)
        #expect(twice.code == 1)
        let json = try await run("token", "list", "iCloud.org.example.one", "--json", "--data", folder)
        #expect(try JSON(Array(json.output.utf8))["tokens"][0]["revokedAt"].number ?? 0 > 0)
        let bad = try await run(
            "token", "create", "iCloud.org.example.one", "--origin", "nonsense", "--data", folder)
        #expect(bad.code == 1)
        #expect(bad.errors.contains("an allowed origin is a scheme, a host and perhaps a port"))
    }

    @Test("A key pair is created with a private file for the private key; a public key can be registered")
    func key() async throws {
        defer { cleanUp() }
        try makeFolder()
        let container = "iCloud.org.example.one"
        _ = try await run("container", "create", container, "--data", folder)
        let file = folder + "/eckey.pem"
        let made = try await run("key", "create", container, "--out", file, "--data", folder)
        #expect(made.output.wholeMatch(of: /[0-9a-f]{64}\n/) != nil)
        let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        let again = try await run("key", "create", container, "--out", file, "--data", folder)
        #expect(again.code == 5)
        #expect(again.errors.contains("already exists"))
        let lost = try await run("key", "create", "iCloud.none", "--out", file + "2", "--data", folder)
        #expect(lost.code == 1)
        #expect(!FileManager.default.fileExists(atPath: file + "2"))
        let openssl = try Command(executable: "/usr/bin/env", ["openssl", "ec", "-in", file, "-pubout"])
        let text = await openssl.end().output
        let register = ["key", "register", container, "--public-key", "-", "--data", folder]
        let registered = try await Command(register + ["--label", "import"], input: text).end()
        #expect(registered.code == 0, "\(registered.errors)")
        let list = try await run("key", "list", container, "--json", "--data", folder)
        let keys = try JSON(Array(list.output.utf8))["keys"].elements
        #expect(keys.map { $0["id"].text.map { $0 + "\n" } } == [made.output, registered.output])
        #expect(keys[0]["userRecordName"] == keys[1]["userRecordName"])
        #expect(try await run("key", "revoke", String(made.output.dropLast()), "--data", folder).code == 0)
        let junk = try await Command(register, input: "junk").end()
        #expect(junk.code == 1)
        #expect(junk.errors.contains("not a public key on the curve P-256"))
    }

    @Test("People are added, shown, restricted, given passwords and deleted, and no password is ever shown")
    func user() async throws {
        defer { cleanUp() }
        try makeFolder()
        func said(_ input: String, _ arguments: String...) async throws -> Program.End {
            try await Command(arguments + ["--data", folder], input: input).end()
        }
        let secret = "correct horse battery staple"
        let added = try await said(
            secret + "\n", "user", "add", "paul", "--email", "Paul@Example.org", "--given-name", "Paul",
            "--password-stdin")
        #expect(added.code == 0, "\(added.errors)")
        #expect(added.output.contains("e-mail      paul@example.org"))
        #expect(added.output.contains("password    yes"))
        #expect(try await said("", "user", "add", "paul").code == 5)
        #expect(try await said("", "user", "add", "anna", "--password-stdin").code == 1)
        #expect(try await said("short\n", "user", "add", "anna", "--password-stdin").code == 1)
        let list = try await said("", "user", "list")
        #expect(list.output.contains("paul  paul@example.org  available  yes"))
        #expect(try await said("", "user", "set-status", "paul", "restricted").code == 0)
        #expect(try await said("", "user", "set-status", "paul", "nice").code == 2)
        #expect(try await said("", "user", "show", "paul@example.org").output.contains("restricted"))
        #expect(try await said("", "user", "set-quota", "paul", "20 GB").code == 0)
        #expect(try await said("", "user", "show", "paul").output.contains("20.0 GB"))
        #expect(try await said("", "user", "set-quota", "paul", "much").code == 2)
        #expect(try await said("", "user", "set-quota", "paul", "default").code == 0)
        #expect(try await said("", "user", "show", "paul").output.contains("own quota") == false)
        #expect(try await said(secret + "2\n", "user", "set-password", "paul").code == 0)
        let piped = try await said(secret + "3\n", "user", "set-password", "paul", "--password-stdin")
        #expect(piped.code == 0, "\(piped.errors)")
        let both = try await said("", "user", "set-password", "paul", "--password-stdin", "--none")
        #expect(both.code == 2)
        #expect(try await said("", "user", "sign-out", "paul").code == 0)
        #expect(try await said("", "user", "delete", "paul").code == 2)
        let deleted = try await said("", "user", "delete", "paul", "--yes")
        #expect(deleted.errors == "cloudlet: deleted paul, with the private data in 0 containers\n")
        #expect(try await said("", "user", "show", "paul").code == 1)
        for end in [added, list, deleted] {
            #expect(!(end.output + end.errors).contains(secret))
        }
    }

    @Test(
        "The error for a mistyped command suggests the right one",
        arguments: [
            (["contaner", "list"], "container"), (["container", "lst"], "container list"),
            (["servce"], "serve"), (["create", "x"], "container create"),
        ])
    func suggestions(words: [String], meant: String) async throws {
        let end = try await Command(words).end()
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
        let end = try await Command(words).end()
        #expect(end.code == 0)
        #expect(end.errors == "")
        #expect(end.output.contains("cloudlet container create iCloud.org.example.app"))
        #expect(end.output == (try await Program.cloudlet("help", "container")).output)
    }
}
