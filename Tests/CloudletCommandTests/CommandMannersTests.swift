import CloudletServer
import Foundation
import RecordsWire
import Testing

@testable import ServerKit
@testable import TestKit

@Suite("Behaviour of the cloudlet command line", .timeLimit(.minutes(30)))
struct CommandMannersTests {
    private let folder = URL.unused()

    /// Runs a line of a shell in a folder of its own, where `cloudlet` is the binary beside the tests.
    private func shell(_ line: String) async throws -> Program.End {
        let cloudlet = try Program.path("cloudlet")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let script = "cd \(folder.path); cloudlet() { \(cloudlet) \"$@\"; }; \(line)"
        return try await Command(executable: "/bin/sh", ["-c", script]).end()
    }

    private func cleanUp() { folder.remove() }

    @Test("exec runs a program by its path, or prints why it cannot")
    func execPath() async throws {
        defer { cleanUp() }
        let made = "printf '#!/bin/sh\\necho run $1\\n' > run; chmod +x run; cloudlet exec -- ./run fast"
        let end = try await shell(made)
        #expect(end.code == 0, "\(end.errors)")
        #expect(end.output == "run fast\n")
        let missing = try await shell("cloudlet exec -- ./missing")
        #expect(missing.code == 127)
        #expect(missing.errors == "cloudlet: cannot run ./missing: there is no such file\n")
        let closed = try await shell("echo x > closed; cloudlet exec -- ./closed")
        #expect(closed.code == 126)
        #expect(closed.errors.contains("chmod +x ./closed"))
    }

    @Test("Output that cannot be written is a failure; a reader that closes the pipe is not")
    func output() async throws {
        defer { cleanUp() }
        let list = "cloudlet exec -- $cloudlet container list"
        let binary = "cloudlet=\(try Program.path("cloudlet"))"
        for line in [list, list + " --json", "cloudlet --help", "cloudlet serve --ephemeral --port 0"] {
            let end = try await shell("\(binary); \(line) > /dev/full")
            #expect(end.code == 1, "\(line)")
            #expect(end.errors.contains("standard output cannot be written: No space left on device"))
        }
        // The reader closes its end of the pipe before it lets the writer begin.
        let pipe = "mkfifo gone; { read x < gone; \(list); echo $? >&2; } | { exec <&-; echo > gone; }"
        let quiet = try await shell("\(binary); \(pipe)")
        #expect(quiet.errors == "0\n")
    }

    @Test(
        "An invalid port or folder name is wrong usage",
        arguments: [
            ("serve --ephemeral --port 65536", "--port takes a number from 0 to 65535, not 65536"),
            ("serve --ephemeral --port -1", "--port"), ("serve --data ''", "--data takes a folder"),
            ("container list --data ''", "--data takes a folder"),
        ])
    func usage(line: String, message: String) async throws {
        defer { cleanUp() }
        let end = try await shell("cloudlet \(line); code=$?; ls -A; exit $code")
        #expect(end.code == 2)
        #expect(end.output == "")
        #expect(end.errors.contains(message), "\(end.errors)")
    }

    @Test("A server refuses a port that does not exist")
    func port() async throws {
        var configuration = ServerConfiguration.ephemeral
        configuration.port = 65_536
        let error = await #expect(throws: ServerError.self) {
            try await CloudletServer.start(configuration)
        }
        #expect(error?.code == .addressUnavailable)
    }

    @Test("The ready file exists while the server is ready, and that of an earlier server is removed")
    func readyFile() async throws {
        defer { cleanUp() }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let ready = folder.appendingPathComponent("ready").path
        try "http://127.0.0.1:1\n".write(toFile: ready, atomically: true, encoding: .utf8)
        let refused = try await Program.cloudlet(
            "serve", "--data", "/dev/null/none", "--port", "0", "--ready-file", ready)
        #expect(refused.code == 1)
        #expect(!FileManager.default.fileExists(atPath: ready))
        let command = try Command("serve", "--ephemeral", "--port", "0", "--ready-file", ready)
        let address = try await command.address().absoluteString
        #expect(try String(contentsOfFile: ready, encoding: .utf8) == address + "\n")
        #expect(await command.stop().code == 0)
        #expect(!FileManager.default.fileExists(atPath: ready))
    }

    @Test("The error for a folder in use has the address of its server")
    func folderInUse() async throws {
        defer { cleanUp() }
        let server = try await CloudletServer.start(data: folder, port: 0)
        let url = try #require(server.url)
        let end = try await Program.cloudlet("serve", "--data", folder.path, "--port", "0")
        #expect(end.errors.contains("use it at \(url.absoluteString), or choose another folder"))
        await server.stop()
    }

    @Test("Commands that only look for a server's data change nothing in a folder with other files")
    func foreignFolder() async throws {
        defer { cleanUp() }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data("mine".utf8).write(to: folder.appendingPathComponent("letter"))
        let end = try await Program.cloudlet("user", "list", "--data", folder.path)
        #expect(end.code == 1)
        #expect(end.errors.contains("there is no server's data in \(folder.path), but other files"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["letter"])
    }

    @Test("The error for a missing backup says that the backup is missing")
    func missingBackup() async throws {
        defer { cleanUp() }
        let end = try await shell("cloudlet restore ./nowhere --data ./new; code=$?; ls; exit $code")
        #expect(end.code == 1)
        #expect(end.output == "")
        #expect(
            end.errors == "cloudlet: there is no backup in \(folder.path)/nowhere; name the folder that "
                + "`cloudlet backup` made: cloudlet restore BACKUP --data NEW\n")
    }

    @Test("The error of a command that needs --yes does not show the usage of another command")
    func confirmation() async throws {
        defer { cleanUp() }
        let script = """
            echo 'correct horse' | $cloudlet user add ann --password-stdin > out 2>&1
            $cloudlet user delete ann < /dev/null
            """
        let end = try await shell(
            """
            export cloudlet=\(try Program.path("cloudlet")); cat > script << 'END'
            \(script)
            END
            cloudlet exec -- /bin/sh ./script
            """)
        #expect(end.code == 2)
        #expect(end.errors.hasPrefix("cloudlet: This would delete"), "\(end.errors)")
        #expect(end.errors.hasSuffix("Add --yes to confirm it.\n"), "\(end.errors)")
    }

    @Test("The error for a database that cannot be opened names it and `cloudlet doctor`")
    func brokenDatabase() async throws {
        defer { cleanUp() }
        await (try await CloudletServer.start(data: folder)).stop()
        let place = folder.appendingPathComponent("containers/iCloud.test/development")
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        try Data(repeating: 7, count: 4096).write(to: place.appendingPathComponent("public.sqlite"))
        let server = try await CloudletServer.start(data: folder)
        let request = CloudRequest(
            .post, ServerWorld.target("public/records/query"), headers: ["X-Cloudlet-Details": "1"],
            body: .bytes(Array("{\"query\":{\"recordType\":\"Party\"}}".utf8)))
        let answer = try JSON(try await server.transport.send(request).bytes)
        #expect(answer["serverErrorCode"] == "INTERNAL_ERROR")
        #expect(answer["cloudlet"]["culprit"] == "containers/iCloud.test/development/public.sqlite")
        #expect(answer["cloudlet"]["nextStep"] == "cloudlet doctor --data FOLDER")
        await server.stop()
        let check = DataCheck(of: folder)
        #expect(check.findings.first?.subject == "containers/iCloud.test/development/public.sqlite")
    }

    @Test(
        "The error for an unreachable server is in plain words", arguments: ["127.0.0.1", "nowhere.invalid"])
    func unreachable(host: String) async throws {
        defer { cleanUp() }
        let server = try await CloudletServer.start(data: folder, port: 0)
        let port = try #require(server.url?.port)
        await server.stop()
        let key = folder.appendingPathComponent("operator.key").path
        let end = try await Program.cloudlet(
            "container", "list", "--server", "http://\(host):\(port)", "--operator-key-file", key,
            "--allow-plain-http"
        )
        #expect(end.code == 1)
        let reason = host == "127.0.0.1" ? "connection refused" : "the name nowhere.invalid is unknown"
        #expect(end.errors.contains("the server cannot be reached: \(reason)"), "\(end.errors)")
        #expect(!end.errors.contains("errno"))
    }
}
