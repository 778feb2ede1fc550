import CloudletServer
import Foundation
import RecordsWire
import Testing

@Suite("cloudlet", .timeLimit(.minutes(2)))
struct CommandTests {
    private static func temporaryFolder() -> URL {
        FileManager.default.temporaryDirectory.appendingPathComponent("command-\(UUID().uuidString)")
    }

    @Test(
        "serve prints its address and ready, answers, and ends in order when told to",
        arguments: [SIGINT, SIGTERM])
    func serve(signal: Int32) async throws {
        let folder = Self.temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let ready = folder.appendingPathComponent("ready").path
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let data = folder.appendingPathComponent("data").path
        let command = try Command("serve", "--data", data, "--port", "0", "--open", "--ready-file", ready)
        let text = try await command.says("ready\n")
        let lines = text.split(separator: "\n").map(String.init)
        #expect(lines.count == 2)
        let url = try #require(URL(string: lines[0]))
        #expect(url.host == "127.0.0.1")
        #expect(url.port != 0 && url.port != 8080)
        #expect(try String(contentsOfFile: ready, encoding: .utf8) == lines[0] + "\n")
        let reply = try await RawHTTP(url).send("GET", ServerWorld.target("public/zones/list"), [:], [])
        #expect(reply.status == 200)
        command.send(signal)
        let end = await command.end()
        #expect(end.code == 0)
        #expect(end.output == text)
        #expect(end.errors.contains(data))
        #expect(FileManager.default.fileExists(atPath: data + "/directory.sqlite"))
    }

    @Test("A second process on a folder is refused with one line that names the first")
    func folderInUse() async throws {
        let folder = Self.temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let first = try Command("serve", "--data", folder.path, "--port", "0")
        _ = try await first.says("ready\n")
        let second = try Command("serve", "--data", folder.path, "--port", "0")
        let end = await second.end()
        #expect(end.code == 1)
        #expect(end.output == "")
        #expect(end.errors.hasPrefix("cloudlet: the data folder \(folder.path) is in use by the server with"))
        #expect(end.errors.split(separator: "\n").count == 1)
        first.send(SIGTERM)
        #expect(await first.end().code == 0)
    }

    @Test("An ephemeral server leaves nothing behind, nor does one whose ready file cannot be written")
    func ephemeral() async throws {
        let command = try Command("serve", "--ephemeral", "--port", "0")
        _ = try await command.says("ready\n")
        let talk = try await command.complains("to stop\n")
        let path = try #require(talk.firstMatch(of: /data in (\S+);/)?.1)
        #expect(FileManager.default.fileExists(atPath: String(path)))
        command.send(SIGINT)
        #expect(await command.end().code == 0)
        #expect(!FileManager.default.fileExists(atPath: String(path)))
        let folder = Self.temporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let blind = try Command(
            "serve", "--data", folder.path, "--port", "0", "--ready-file", "/nowhere/at/all"
        )
        let end = await blind.end()
        #expect(end.code == 1)
        #expect(end.errors.contains("cannot write the ready file /nowhere/at/all"))
        let next = try Command("serve", "--data", folder.path, "--port", "0")
        _ = try await next.says("ready\n")
        next.send(SIGTERM)
        #expect(await next.end().code == 0)
    }

    @Test("A port that is taken is refused with one line")
    func portTaken() async throws {
        let world = try await ServerWorld.start(.socket)
        let port = try #require(world.server.url?.port)
        let end = await (try Command("serve", "--ephemeral", "--port", String(port))).end()
        #expect(end.code == 1)
        #expect(
            end.errors
                == "cloudlet: cannot listen on 127.0.0.1:\(port): another program listens there already; "
                + "choose another port, or 0 for a free one\n")
        let elsewhere = await (try Command("serve", "--ephemeral", "--host", "192.0.2.1", "--port", "0"))
            .end()
        #expect(elsewhere.errors.contains("192.0.2.1 is not an address of this machine; choose an address"))
        let nowhere = await (try Command("serve", "--ephemeral", "--host", "a..b", "--port", "0")).end()
        #expect(nowhere.errors.contains("there is no host a..b; choose an address"))
        await world.stop()
    }

    @Test("Options that exclude each other are refused with their usage")
    func usage() async throws {
        let folder = Self.temporaryFolder().path
        let end = await (try Command("serve", "--data", folder, "--ephemeral")).end()
        #expect(end.code == 2)
        #expect(end.errors.contains("exclude each other"))
        #expect(!FileManager.default.fileExists(atPath: folder))
        let bare = await (try Command("exec")).end()
        #expect(bare.code == 2)
        #expect(bare.errors.contains("cloudlet exec -- swift test"))
    }

    @Test("exec gives its command a server, and passes its exit code on")
    func exec() async throws {
        let script = "test -n \"$CLOUDLET_URL\" && echo \"$CLOUDLET_URL\"; exit 7"
        let end = await (try Command("exec", "--", "sh", "-c", script)).end()
        #expect(end.code == 7)
        #expect(end.output.wholeMatch(of: /http:\/\/127\.0\.0\.1:\d+\n/) != nil)
        #expect(await (try Command("exec", "--", "true")).end().code == 0)
        #expect(await (try Command("exec", "--", "sh", "-c", "kill -9 $$")).end().code == 137)
        let missing = await (try Command("exec", "--", "no-such-command")).end()
        #expect(missing.code == 127)
        #expect(missing.errors.contains("cannot run no-such-command"))
    }

    @Test("exec gives its command a container, its token and a person who is signed in")
    func execVariables() async throws {
        let script = """
            echo "$CLOUDLET_URL/database/1/$CLOUDLET_CONTAINER/$CLOUDLET_ENVIRONMENT/public/users/caller"
            echo "$CLOUDLET_API_TOKEN"; echo "$CLOUDLET_WEB_AUTH_TOKEN"; echo "$CLOUDLET_USER"
            echo "$CLOUDLET_USER_RECORD_NAME"; cat "$CLOUDLET_OPERATOR_KEY_FILE"; read line
            """
        let command = try Command(
            executable: try ServerProcess.binary("cloudlet").path,
            [
                "exec", "--container", "iCloud.org.example.mine", "--user", "paul", "--environment",
                "production", "--", "sh", "-c", script,
            ])
        let end = await command.end()
        let lines = end.output.split(separator: "\n").map(String.init)
        #expect(lines.count == 6)
        #expect(lines[0].hasSuffix("/database/1/iCloud.org.example.mine/production/public/users/caller"))
        #expect(lines[1].count == 64)
        #expect(lines[2].hasPrefix("106__54__"))
        #expect(lines[3] == "paul")
        #expect(lines[4].wholeMatch(of: /_[0-9a-f]{32}/) != nil)
        #expect(lines[5].count == 64)
        let nobody = await (try Command("exec", "--user", "-", "--", "env")).end()
        #expect(nobody.output.contains("CLOUDLET_API_TOKEN="))
        #expect(!nobody.output.contains("CLOUDLET_WEB_AUTH_TOKEN"))
        let malformed = await (try Command("exec", "--container", "..", "--", "true")).end()
        #expect(malformed.code == 1)
        #expect(malformed.errors.contains("no dot at its ends"))
    }

    @Test("exec's command can run other commands of cloudlet against the same server")
    func execOperator() async throws {
        let cloudlet = try ServerProcess.binary("cloudlet").path
        let script = "\(cloudlet) container list && \(cloudlet) user show tester --json"
        let end = await (try Command("exec", "--", "sh", "-c", script)).end()
        #expect(end.code == 0, "\(end.errors)")
        #expect(end.output.contains("iCloud.org.example.app"))
        #expect(end.output.contains("\"name\":\"tester\""))
    }

    @Test("exec hands a request to terminate on, and its server goes with the command")
    func execTerminated() async throws {
        let script = "trap 'echo ended; exit 3' TERM; echo \"$CLOUDLET_URL\"; while :; do sleep 0.05; done"
        let command = try Command("exec", "--", "sh", "-c", script)
        let address = try await command.says("\n")
        let url = try #require(URL(string: address.trimmingCharacters(in: .whitespacesAndNewlines)))
        let http = try RawHTTP(url)
        #expect(try await http.send("GET", ServerWorld.target("public/zones/list"), [:], []).status == 200)
        command.send(SIGTERM)
        let end = await command.end()
        #expect(end.code == 3)
        #expect(end.output.hasSuffix("ended\n"))
        await #expect(throws: (any Error).self) {
            try await http.send("GET", ServerWorld.target("public/zones/list"), [:], [])
        }
    }
}
