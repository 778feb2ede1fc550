import Foundation
import Testing

@testable import ShellKit
@testable import TestKit

@Suite("A project's file from a stranger", .timeLimit(.minutes(30)))
struct ProjectServerTests {
    @Test("cloudlet sends no key to a server of the file, until `config trust` confirms it for that folder")
    func trust() async throws {
        let server = try StubServer.hostile()
        defer { server.stop() }
        let conf = "server = \(server.address)\\noperator-key-file = own.key\\n"
        let first = try await Program.shell(
            """
            mkdir -p a/inner b
            for f in a b; do echo k > $f/own.key; printf '\(conf)' > $f/cloudlet.conf; done
            cd a/inner; $cloudlet container list; echo $? >&2
            $cloudlet container list --operator-key-file ../own.key; echo $? >&2
            cd ../../b; $cloudlet container list; echo $? >&2
            """)
        #expect(server.received.isEmpty)
        #expect(first.errors.components(separatedBy: "\n2\n").count == 4, "\(first.errors)")
        #expect(first.errors.contains("if you trust the server, confirm it: cloudlet config trust"))
        let then = try await Program.shell(
            """
            mkdir -p a/inner b
            for f in a b; do echo k > $f/own.key; printf '\(conf)' > $f/cloudlet.conf; done
            cd a; $cloudlet config trust && cd inner && $cloudlet container list && $cloudlet container list
            cd ../../b; $cloudlet container list; echo code $? >&2; cd ..
            stat -c %a .local/state/cloudlet/confirmed-servers; $cloudlet config trust; echo code $? >&2
            """)
        #expect(server.received.count == 2)
        #expect(server.receivedCredential)
        #expect(then.output.hasSuffix("600\n"))
        #expect(then.errors.contains("code 2\n") && then.errors.hasSuffix("code 1\n"), "\(then.errors)")
    }

    @Test("No command and no completion sends anything if the file names a key outside of its folder")
    func outside() async throws {
        let server = try StubServer.hostile()
        defer { server.stop() }
        let end = try await Program.shell(
            """
            echo secret > mine.key; mkdir -p a/inner; ln -s ../mine.key a/link.key
            for key in ../mine.key ~/mine.key link.key "$PWD/mine.key"; do
              printf "server = \(server.address)\\noperator-key-file = $key\\n" > a/cloudlet.conf
              (cd a/inner; $cloudlet container list; echo $? >&2; $cloudlet config trust)
            done
            """)
        #expect(server.received.isEmpty)
        #expect(
            end.errors.components(separatedBy: "outside of the file's folder").count == 9, "\(end.errors)")
    }

    /// The completions of bash for `cloudlet container show` in a project whose file names the server.
    private func offered(by server: StubServer, isConfirmed: Bool) async throws -> Program.End {
        let script = """
            PATH=$(dirname $cloudlet):$PATH
            source <($cloudlet --generate-completion-script bash)
            COMP_WORDS=(cloudlet container show "") COMP_LINE="cloudlet container show " COMP_CWORD=3
            COMP_POINT=${#COMP_LINE}
            $(complete -p cloudlet | sed 's/.*-F \\([^ ]*\\).*/\\1/') cloudlet "" show
            echo "offers ${COMPREPLY[*]}"; ls
            """
        return try await Program.shell(
            """
            export cloudlet; cat > script; echo k > own.key
            printf 'server = \(server.address)\\noperator-key-file = own.key\\n' > cloudlet.conf
            \(isConfirmed ? "$cloudlet config trust" : ":"); bash script
            """, input: script)
    }

    @Test("Tab sends nothing to a server that is not confirmed, asks nothing, and runs no name of a server")
    func completion() async throws {
        let names = ["$(touch ran)", "`touch ran`", "x;touch ran", "-rf", "iCloud.org.tea"]
        let list = names.map { "{\"name\":\"\($0)\",\"createdAt\":1,\"warnings\":[]}" }
            .joined(separator: ",")
        let server = try StubServer(body: "{\"containers\":[\(list)]}")
        defer { server.stop() }
        let silent = try await offered(by: server, isConfirmed: false)
        #expect(server.received.isEmpty)
        #expect(silent.output.contains("offers \n"), "\(silent)")
        let end = try await offered(by: server, isConfirmed: true)
        #expect(server.received.count == 1)
        #expect(end.output.contains("offers iCloud.org.tea\n"), "\(end)")
        #expect(!end.output.contains("ran\n"))
    }

    @Test("clown-central sends the token in the file to the confirmed server, and no other secret")
    func app() async throws {
        let server = try StubServer(status: 400, body: "{}")
        defer { server.stop() }
        let end = try await Program.shell(
            """
            echo operator > key; export CLOUDLET_OPERATOR_KEY_FILE=$PWD/key CLOUDLET_PASSWORD=secret
            printf 'server = \(server.address)\\napi-token = theirs\\n' > clown-central.conf
            $app -c 'party list'; echo code $? >&2; echo 'party list' | $app; echo code $? >&2
            """)
        #expect(server.received.isEmpty)
        #expect(end.errors.components(separatedBy: "add --trust-server").count == 3, "\(end.errors)")
        #expect(end.errors.components(separatedBy: "code 2\n").count == 3, "\(end.errors)")
        _ = try await Program.shell(
            """
            echo operator > key; export CLOUDLET_OPERATOR_KEY_FILE=$PWD/key CLOUDLET_PASSWORD=secret
            printf 'server = \(server.address)\\napi-token = theirs\\n' > clown-central.conf
            $app --trust-server -c 'party list' --keep-going -c 'sign-in alice' -c 'container list' \
            -c schema -c 'app run "party list"' -c 'app run "container list"'
            $app -c 'party list'; CLOUDLET_API_TOKEN=mine $app -c 'party list'
            """)
        #expect(server.received.contains { $0.contains("theirs") })
        for secret in ["mine", "secret", "operator\r", "Bearer"] {
            #expect(!server.received.contains { $0.contains(secret) }, "\(secret)")
        }
    }

    @Test(
        "At a terminal each program asks once, and sends nothing without a yes",
        arguments: ["cloudlet", "clown-central"])
    func asked(program: String) async throws {
        let server = try StubServer.hostile()
        defer { server.stop() }
        let home = try URL.newFolder()
        defer { home.remove() }
        let isServers = program == "cloudlet"
        let credential = isServers ? "operator-key-file = own.key" : "api-token = t"
        try Data("server = \(server.address)\n\(credential)\n".utf8).write(
            to: home.appendingPathComponent("\(program).conf"))
        try Data("k\n".utf8).write(to: home.appendingPathComponent("own.key"))
        let command = isServers ? ["container", "list"] : ["-c", "party list"]
        for (answer, isAsked) in [("n", true), ("y", true), ("", false)] {
            let session = try TerminalSession(
                command, home: home, columns: 200, program: program, folder: home)
            if isAsked {
                try await session.sees("names the server \(server.address).")
                try await session.sees("[y/N] ")
                #expect(server.received.isEmpty)
                session.type(answer + "\r")
            }
            let code = await session.code()
            #expect((code == 2) == (answer == "n"))
            #expect(server.received.isEmpty == (answer == "n"))
            #expect(session.raw.contains("[y/N]") == isAsked)
        }
    }

    @Test(
        "The operator's key is sent over plain http to another machine only with a flag",
        arguments: ["cloudlet", "app"])
    func plainHTTP(program: String) async throws {
        // An address for documentation: nothing answers there, and nothing is sent without the flag.
        let address = "http://192.0.2.1:9"
        let key = "echo k > key; export CLOUDLET_OPERATOR_KEY_FILE=$PWD/key"
        let line =
            program == "app"
            ? "$app --server \(address) -c 'container list'" : "$cloudlet container list --server \(address)"
        let end = try await Program.shell("\(key); \(line)")
        #expect(end.code != 0)
        #expect(end.errors.contains("others on the network could read the operator's key"), "\(end.errors)")
        #expect(end.errors.contains("--allow-plain-http"))
    }
}
