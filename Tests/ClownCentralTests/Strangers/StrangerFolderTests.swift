import Foundation
import Testing

@testable import ShellKit
@testable import TestKit

@Suite("A folder from a stranger", .timeLimit(.minutes(30)))
struct StrangerFolderTests {
    /// Runs a shell script in which `tab WORDS` completes the words after `cloudlet`.
    private func run(_ script: String) async throws -> Program.End {
        let tab = """
            #!/bin/bash
            PATH=$(dirname $cloudlet):$PATH
            source <($cloudlet --generate-completion-script bash)
            COMP_WORDS=(cloudlet "$@" "") COMP_LINE="cloudlet $* " COMP_CWORD=$(($# + 1))
            COMP_POINT=${#COMP_LINE}
            $(complete -p cloudlet | sed 's/.*-F \\([^ ]*\\).*/\\1/') cloudlet "" "${@: -1}"
            echo "offers ${COMPREPLY[*]}"
            """
        return try await Program.shell(
            "export app cloudlet; cat > ~/tab; tab() { bash ~/tab \"$@\"; }; \(script)", input: tab)
    }

    @Test("The key of a running server whose files a stranger links to is not sent to the stranger's address")
    func links() async throws {
        let server = try StubServer.hostile()
        defer { server.stop() }
        let end = try await run(
            """
            mkfifo ready; $cloudlet serve --data mine --port 0 > ready & pid=$!
            { read address; read word; } < ready
            mkdir -p project/cloudlet-data; cd project
            for f in cloudlet.lock operator.key; do ln -s ../../mine/$f cloudlet-data/$f; done
            echo '{"url":"\(server.address)"}' > cloudlet-data/server.json
            tab container show; $cloudlet container list; $cloudlet doctor; $cloudlet user list
            echo secret | $cloudlet user add ann --password-stdin
            $cloudlet container list --data cloudlet-data
            rm cloudlet-data/cloudlet.lock; touch cloudlet-data/cloudlet.lock
            exec 9> cloudlet-data/cloudlet.lock; flock -n 9
            tab container show; tab container show --data cloudlet-data
            $cloudlet container list; $cloudlet doctor
            kill $pid; wait $pid
            """)
        // The doctor asks for the limits of a server on this machine, without a key.
        #expect(!server.receivedCredential, "\(server.received)")
        #expect(!server.received.contains { $0.contains("/operator/") }, "\(server.received)")
        #expect(end.output.contains("offers \n"))
        #expect(end.errors.contains("in the data folder"), "\(end.errors)")
        #expect(end.errors.contains("is a link"))
    }

    @Test("The key of a folder is sent to an address of this machine only, even if the folder is intact")
    func elsewhere() async throws {
        // An address for documentation, where nothing answers.
        let end = try await run(
            """
            mkdir -p d; touch d/directory.sqlite; printf '%064d\\n' 1 > d/operator.key
            echo '{"url":"http://192.0.2.1:9"}' > d/server.json; exec 9> d/cloudlet.lock; flock -n 9
            $cloudlet container list --data d; echo code $?; $cloudlet doctor --data d
            """)
        #expect(end.output.contains("code 2\n"), "\(end)")
        #expect(end.errors.contains("the folder's operator key is not sent to it"), "\(end.errors)")
        #expect(end.output.contains("no address of this machine, so it was not asked"), "\(end.output)")
    }

    @Test("Neither Tab nor a command truncates, fills or changes what links in a data folder point at")
    func destroyed() async throws {
        let end = try await run(
            """
            echo notes > notes.txt; printf '' > other.sqlite; mkdir -m 755 victim
            mkdir -p a/cloudlet-data b/cloudlet-data c
            ln -s ../../notes.txt a/cloudlet-data/cloudlet.lock
            ln -s ../../other.sqlite b/cloudlet-data/directory.sqlite
            ln -s ../victim c/cloudlet-data
            for p in a b c; do
              cd $p; tab container show; $cloudlet container list; $cloudlet serve --port 0
              $cloudlet doctor; $cloudlet backup copy; cd ..
            done
            cat notes.txt; stat -c %s other.sqlite; stat -c %a victim; ls -A victim
            """)
        #expect(end.output.hasSuffix("notes\n0\n755\n"), "\(end)")
    }

    @Test("Tab creates no data in any folder")
    func tab() async throws {
        let end = try await run(
            """
            mkdir -m 755 empty cloudlet-data; tab container show; tab container show --data empty
            export CLOUDLET_DATA=empty; tab container show; ls -A empty cloudlet-data; stat -c %a empty
            """)
        #expect(end.output == "offers \noffers \noffers \ncloudlet-data:\n\nempty:\n755\n", "\(end)")
    }

    @Test("serve refuses a folder with other files, and does not change its permissions")
    func foreign() async throws {
        let end = try await run(
            """
            mkdir -m 755 victim; echo x > victim/file
            $cloudlet serve --data victim --port 0; echo code $?; $app --data victim -c status; echo code $?
            stat -c %a victim; ls -A victim
            """)
        #expect(end.output == "code 1\ncode 1\n755\nfile\n", "\(end)")
        #expect(end.errors.contains("there is no server's data in"), "\(end.errors)")
    }

    @Test("A project's file cannot open a server, or name a proxy, an address, a key, or data outside of it")
    func serve() async throws {
        let end = try await run(
            """
            mkdir mine p; cd p
            for line in 'access = open' 'public-url = http://evil.example' 'trusted-proxy = 10.0.0.1' \
                'host = 0.0.0.0' 'tls-certificate = cert.pem' 'tls-key = key.pem' \
                'ready-file = ../file' 'no-request-limits = true' 'apns-url = https://evil.example' \
                'data = ../mine' 'data = ~/mine' 'fallback-url = http://evil.example' \
                'code-command = send' 'console = true'; do
              echo "$line" > cloudlet.conf; timeout 20 $cloudlet serve --port 0; echo code $?
            done
            ls -A . ../mine
            """)
        let codes = String(repeating: "code 2\n", count: 14)
        #expect(end.output == codes + ".:\ncloudlet.conf\n\n../mine:\n", "\(end)")
        for name in [
            "access", "public-url", "trusted-proxy", "host", "tls-certificate", "tls-key", "ready-file",
            "no-request-limits", "apns-url", "fallback-url", "code-command", "console",
        ] {
            #expect(end.errors.contains("`\(name)` is not allowed in a project's file"))
        }
        #expect(end.errors.components(separatedBy: "outside of the file's folder").count == 3)
    }

    @Test("A project's file cannot name data or devices of the shell outside of its folder")
    func shellFolders() async throws {
        let end = try await run(
            """
            mkdir mine p; cd p
            for line in 'data = ../mine' 'devices = ../mine' 'data = here'; do
              echo "$line" > clown-central.conf; $app -c version > /dev/null; echo code $?
            done
            ls -A ../mine
            """)
        #expect(end.output == "code 2\ncode 2\ncode 0\n", "\(end)")
        #expect(end.errors.components(separatedBy: "outside of the file's folder").count == 3)
    }

    @Test("The walkthrough plays no scenes of the current folder")
    func scenes() async throws {
        let end = try await run(
            """
            mkdir away; cp $app away/; mkdir -p p/Demo/scenes; cd p
            echo "party list | touch ran" > Demo/scenes/01-evil.clown
            ../away/clown-central demo; ../away/clown-central demo --list; ls
            """)
        #expect(end.output == "Demo\n", "\(end)")
        #expect(end.errors.contains("there is no folder of scenes"), "\(end.errors)")
    }

    @Test("clown-central sends nothing to a server of a project's file that is not confirmed, token or not")
    func app() async throws {
        let server = try StubServer(status: 400, body: "{}")
        defer { server.stop() }
        let conf = "echo 'server = \(server.address)' > clown-central.conf"
        let end = try await run(
            """
            \(conf); $app -c 'party list'; echo code $?
            CLOUDLET_PASSWORD=secret $app --as ann -c 'party list'
            """)
        #expect(server.received.isEmpty)
        #expect(end.output == "code 2\n")
        #expect(end.errors.components(separatedBy: "add --trust-server").count == 3, "\(end.errors)")
        _ = try await run("\(conf); $app --trust-server -c 'party list'")
        #expect(!server.received.isEmpty)
    }
}
