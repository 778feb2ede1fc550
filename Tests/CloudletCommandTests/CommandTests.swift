import CloudletServer
import Foundation
import RecordsWire
import Testing

@testable import ServerKit
@testable import TestKit

@Suite("cloudlet", .timeLimit(.minutes(30)))
struct CommandTests {
    @Test(
        "serve prints its address and ready, answers requests, and stops gracefully on a signal",
        arguments: [SIGINT, SIGTERM])
    func serve(signal: Int32) async throws {
        let folder = try URL.newFolder()
        defer { folder.remove() }
        let ready = folder.appendingPathComponent("ready").path
        let data = folder.appendingPathComponent("data").path
        let command = try Command("serve", "--data", data, "--port", "0", "--open", "--ready-file", ready)
        let text = try await command.waitForOutput("ready\n")
        let lines = text.split(separator: "\n").map(String.init)
        #expect(lines.count == 2)
        let url = try #require(URL(string: lines[0]))
        #expect(url.host == "127.0.0.1")
        #expect(url.port != 0 && url.port != 8080)
        #expect(try String(contentsOfFile: ready, encoding: .utf8) == lines[0] + "\n")
        let reply = try await RawHTTP(url).send("GET", ServerWorld.target("public/zones/list"), [:], [])
        #expect(reply.status == 200)
        let end = await command.stop(signal)
        #expect(end.code == 0)
        #expect(end.output == text)
        #expect(end.errors.contains(data))
        #expect(FileManager.default.fileExists(atPath: data + "/directory.sqlite"))
    }

    @Test(
        "A second signal ends serve at once, even while a request is arriving",
        arguments: [SIGINT, SIGTERM])
    func secondSignal(signal: Int32) async throws {
        let folder = try URL.newFolder()
        defer { folder.remove() }
        let ready = folder.appendingPathComponent("ready").path
        let data = folder.appendingPathComponent("data").path
        let command = try Command("serve", "--data", data, "--port", "0", "--open", "--ready-file", ready)
        let server = try RawHTTP(try await command.address())
        let complete = Array("GET /live HTTP/1.1\r\nHost: \(server.host):\(server.port)\r\n\r\n".utf8)
        let incomplete = server.head("POST", "/dev/sign-in", [:], length: 100)
        try await server.withConnection { connection in
            // Both arrive together, so the server has read the second head when it answers the first request.
            try await connection.send(complete + incomplete)
            #expect(try await connection.answer().status == 200)
            command.send(SIGTERM)
            _ = try await command.waitForErrors("interrupt again to end at once\n")
            let end = await command.stop(signal)
            #expect(end.code == 130)
            #expect(end.errors.hasSuffix("ended at once: requests in progress were not answered\n"))
            #expect(!FileManager.default.fileExists(atPath: ready))
        }
    }

    @Test("With --stop-delay, serve answers requests after the signal, and /ready answers 503")
    func stopDelay() async throws {
        let folder = URL.unused()
        defer { folder.remove() }
        let command = try Command(
            "serve", "--data", folder.path, "--port", "0", "--open", "--stop-delay", "300")
        let server = try RawHTTP(try await command.address())
        #expect(try await server.send("GET", "/ready", [:], []).status == 200)
        command.send(SIGTERM)
        _ = try await command.waitForErrors("stopping in 300 seconds, and /ready answers 503")
        let ready = try await server.send("GET", "/ready", [:], [])
        #expect(ready.failure == "503 TRY_AGAIN_LATER: the server is shutting down")
        let reply = try await server.send("GET", ServerWorld.target("public/zones/list"), [:], [])
        #expect(reply.status == 200)
        #expect(await command.stop(SIGTERM).code == 130)
        let refused = try await Program.cloudlet("serve", "--data", folder.path, "--stop-delay", "301")
        #expect(refused.code == 2)
        #expect(refused.errors.contains("--stop-delay takes a number of seconds from 0 to 300, not 301."))
    }

    @Test("A second process on a folder is refused with one line that names the first")
    func folderInUse() async throws {
        let folder = URL.unused()
        defer { folder.remove() }
        let first = try Command("serve", "--data", folder.path, "--port", "0")
        _ = try await first.waitForOutput("ready\n")
        let second = try Command("serve", "--data", folder.path, "--port", "0")
        let end = await second.end()
        #expect(end.code == 1)
        #expect(end.output == "")
        #expect(end.errors.hasPrefix("cloudlet: the data folder \(folder.path) is in use by the server with"))
        #expect(end.errors.split(separator: "\n").count == 1)
        #expect(await first.stop().code == 0)
    }

    @Test("An ephemeral server deletes its data, even if its ready file cannot be written")
    func ephemeral() async throws {
        let command = try Command("serve", "--ephemeral", "--port", "0")
        _ = try await command.waitForOutput("ready\n")
        let messages = try await command.waitForErrors("to stop\n")
        let path = try #require(messages.firstMatch(of: /data in (\S+);/)?.1)
        #expect(FileManager.default.fileExists(atPath: String(path)))
        #expect(await command.stop(SIGINT).code == 0)
        #expect(!FileManager.default.fileExists(atPath: String(path)))
        let folder = URL.unused()
        defer { folder.remove() }
        let blind = try Command(
            "serve", "--data", folder.path, "--port", "0", "--ready-file", "/nowhere/at/all"
        )
        let end = await blind.end()
        #expect(end.code == 1)
        #expect(end.errors.contains("cannot write the ready file /nowhere/at/all"))
        let place = try URL.newFolder()
        defer { place.remove() }
        let refused = try await Program.cloudlet(
            "serve", "--data", folder.path, "--port", "0", "--ready-file", place.path)
        #expect(refused.code == 1)
        #expect(
            refused.errors.contains("cannot write the ready file \(place.path): it is a folder; name a file"),
            "\(refused.errors)")
        let next = try Command("serve", "--data", folder.path, "--port", "0")
        _ = try await next.waitForOutput("ready\n")
        #expect(await next.stop().code == 0)
    }

    @Test("A port that is taken is refused with one line")
    func portTaken() async throws {
        let world = try await ServerWorld.start(.socket)
        let port = try #require(world.server.url?.port)
        let end = try await Program.cloudlet("serve", "--ephemeral", "--port", String(port))
        #expect(end.code == 1)
        #expect(
            end.errors
                == "cloudlet: cannot listen on 127.0.0.1:\(port): another program listens on it already; "
                + "choose another port, or 0 for a free one\n")
        let elsewhere = try await Program.cloudlet(
            "serve", "--ephemeral", "--host", "192.0.2.1", "--port", "0")
        #expect(elsewhere.errors.contains("192.0.2.1 is not an address of this machine; choose an address"))
        let nowhere = try await Program.cloudlet("serve", "--ephemeral", "--host", "a..b", "--port", "0")
        #expect(nowhere.errors.contains("the host a..b is unknown; choose an address"))
        await world.stop()
    }

    @Test("Options that exclude each other are refused with their usage")
    func usage() async throws {
        let folder = URL.unused().path
        let end = try await Program.cloudlet("serve", "--data", folder, "--ephemeral")
        #expect(end.code == 2)
        #expect(end.errors.contains("exclude each other"))
        #expect(!FileManager.default.fileExists(atPath: folder))
        let bare = try await Program.cloudlet("exec")
        #expect(bare.code == 2)
        #expect(bare.errors.contains("cloudlet exec -- swift test"))
    }

    @Test("exec gives its command a server, and passes its exit code on")
    func exec() async throws {
        let script = "test -n \"$CLOUDLET_URL\" && echo \"$CLOUDLET_URL\"; exit 7"
        let end = try await Program.cloudlet("exec", "--", "sh", "-c", script)
        #expect(end.code == 7)
        #expect(end.output.wholeMatch(of: /http:\/\/127\.0\.0\.1:\d+\n/) != nil)
        #expect(try await Program.cloudlet("exec", "--", "true").code == 0)
        #expect(try await Program.cloudlet("exec", "--", "sh", "-c", "kill -9 $$").code == 137)
        let missing = try await Program.cloudlet("exec", "--", "no-such-command")
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
        let end = try await Program.cloudlet(
            "exec", "--container", "iCloud.org.example.mine", "--user", "paul", "--environment", "production",
            "--", "sh", "-c", script)
        let lines = end.output.split(separator: "\n").map(String.init)
        #expect(lines.count == 6)
        #expect(lines[0].hasSuffix("/database/1/iCloud.org.example.mine/production/public/users/caller"))
        #expect(lines[1].count == 64)
        #expect(lines[2].hasPrefix("106__54__"))
        #expect(lines[3] == "paul")
        #expect(lines[4].wholeMatch(of: /_[0-9a-f]{32}/) != nil)
        #expect(lines[5].count == 64)
        let nobody = try await Program.cloudlet("exec", "--user", "-", "--", "env")
        #expect(nobody.output.contains("CLOUDLET_API_TOKEN="))
        #expect(!nobody.output.contains("CLOUDLET_WEB_AUTH_TOKEN"))
        let malformed = try await Program.cloudlet("exec", "--container", "..", "--", "true")
        #expect(malformed.code == 1)
        #expect(malformed.errors.contains("no dot at its ends"))
    }

    @Test("The command of exec can run other commands of cloudlet against the same server")
    func execOperator() async throws {
        let cloudlet = try Program.path("cloudlet")
        let script = "\(cloudlet) container list && \(cloudlet) user show tester --json"
        let end = try await Program.cloudlet("exec", "--", "sh", "-c", script)
        #expect(end.code == 0, "\(end.errors)")
        #expect(end.output.contains("iCloud.org.example.app"))
        #expect(end.output.contains("\"name\":\"tester\""))
    }

    @Test("exec forwards a request to terminate, and its server ends with the command")
    func execTerminated() async throws {
        let script = "trap 'echo ended; exit 3' TERM; echo \"$CLOUDLET_URL\"; while :; do sleep 0.05; done"
        let command = try Command("exec", "--", "sh", "-c", script)
        let address = try await command.waitForOutput("\n")
        let url = try #require(URL(string: address.trimmingCharacters(in: .whitespacesAndNewlines)))
        let http = try RawHTTP(url)
        #expect(try await http.send("GET", ServerWorld.target("public/zones/list"), [:], []).status == 200)
        let end = await command.stop()
        #expect(end.code == 3)
        #expect(end.output.hasSuffix("ended\n"))
        await #expect(throws: (any Error).self) {
            try await http.send("GET", ServerWorld.target("public/zones/list"), [:], [])
        }
    }
}
