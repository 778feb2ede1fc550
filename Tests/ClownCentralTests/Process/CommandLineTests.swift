import CloudletServer
import Foundation
import Testing

@testable import ShellKit
@testable import TestKit

@Suite("The command line of clown-central", .timeLimit(.minutes(30)))
struct CommandLineTests {
    @Test(
        "Output that cannot be written is a failure, a closed pipe is none",
        arguments: ["--ephemeral -c help", "demo 1", "--help", "--version"])
    func output(arguments: String) async throws {
        let full = try await Program.shell("$app \(arguments) > /dev/full")
        #expect(full.code == 1)
        #expect(full.errors.contains("standard output cannot be written: No space left on device"))
        let pipe = "mkfifo p; { read x < p; $app \(arguments); echo $? >&2; } | { exec <&-; echo > p; }"
        let closed = try await Program.shell(pipe)
        #expect(closed.errors == "0\n")
    }

    @Test("A process leaves no temporary folder, and deletes those of killed processes")
    func litter() async throws {
        let end = try await Program.shell(
            """
            mkdir t; export TMPDIR=$PWD/t
            mkdir t/clown-central-1 t/clown-central-notes-20261122 t/clown-central-of-mine
            $app --ephemeral -c 'watch status --times 1000' > out & killed=$!
            until grep -q . out; do :; done; kill -9 $killed; wait $killed
            ls t | grep -cE -e '-[0-9a-z]{13}-[0-9]+$'
            $app --ephemeral --as alice -c 'party create Tea' -c 'note add A' -c sync > /dev/null 2>&1
            $app demo 4 > /dev/null 2>&1
            ls t
            """)
        #expect(end.output == "1\nclown-central-1\nclown-central-notes-20261122\nclown-central-of-mine\n")
    }

    @Test("CLOUDLET_URL, which cloudlet exec sets, names the server unless a flag does")
    func environment() async throws {
        let below = try await Program.shell(
            """
            $cloudlet exec -- sh -c "$app --seed 1 -c 'as alice' -c 'party create Tea' \
            && $app -c 'party list' && $app --ephemeral -c 'party list'"
            """)
        #expect(below.code == 0, "\(below.errors)")
        #expect(below.output.hasSuffix("NAME  ID\nTea   party-jqzeerwg9sck\n"))
        let bogus = try await Program.shell("CLOUDLET_URL=bogus $app -c status")
        #expect(bogus.code == 2)
        #expect(bogus.errors.contains("CLOUDLET_URL: `bogus` is not an address"))
        #expect(try await Program.shell("CLOUDLET_URL= $app -c status").code == 0)
    }

    @Test("An empty folder name is refused, and nothing is created in the current folder")
    func emptyFolder() async throws {
        let end = try await Program.shell("$app --data '' -c status; code=$?; ls -A; exit $code")
        #expect(end.code == 2)
        #expect(end.output.isEmpty)
        #expect(end.errors.contains("--data takes a folder"))
    }

    @Test("A server that does not answer is an error with the next step")
    func unreachable() async throws {
        let server = try await CloudletServer.start(.ephemeralListening)
        let url = try #require(server.url).absoluteString
        await server.stop()
        for line in ["party list", "seed", "as alice' -c 'sync"] {
            let end = try await Program.shell("$app --server \(url) -c '\(line)'")
            #expect(end.code == 1)
            #expect(end.errors.lowercased().contains("the server cannot be reached: connection refused"))
            #expect(end.errors.contains("try: check that a server runs at \(url)"), "\(end.errors)")
            let port = url.split(separator: ":").last ?? ""
            #expect(end.errors.contains("cloudlet serve --open --port \(port)\n"), "\(end.errors)")
            #expect(!end.errors.contains("errno"))
        }
        let nobody = try await Program.shell("$app --server \(url) -c 'note list'")
        #expect(nobody.code == 4)
        #expect(nobody.errors.contains("try: as NAME or --as NAME, also while the server is unreachable"))
        let status = try await Program.shell("$app --server \(url) -c status")
        #expect(status.code == 0)
        #expect(status.output.contains("online       no"), "\(status.output)")
        #expect(status.errors.contains("server: \(url), which cannot be reached\n"))
    }

    @Test("For a data folder in use, the next step is the server that uses it")
    func folderInUse() async throws {
        let folder = URL.unused()
        defer { folder.remove() }
        let server = try await CloudletServer.start(data: folder, port: 0)
        let url = try #require(server.url).absoluteString
        let end = try await Program.shell("$app --data \(folder.path) -c status")
        #expect(end.code == 1)
        #expect(end.errors.contains("try: clown-central --server \(url)\n"))
        await server.stop()
        let silent = try await CloudletServer.start(data: folder)
        let second = try await Program.shell("$app --data \(folder.path) -c status")
        #expect(second.errors.contains("try: end the other shell, then share the folder: cloudlet serve"))
        #expect(second.errors.contains("or use other data now: --ephemeral\n"))
        await silent.stop()
    }

    @Test("A tilde is the home folder in the names of files to read and to write")
    func tilde() async throws {
        let photo = URL.package.appendingPathComponent("Data/Seeds/photos/01-bozo.jpg").path
        let end = try await Program.shell(
            """
            mkdir home; cp \(photo) home/a.jpg; HOME=$PWD/home $app --ephemeral --as alice \
            -c 'party create Tea' -c 'photo add Tea ~/a.jpg' -c 'photo save a.jpg ~/b.jpg' > out \
            && cmp home/a.jpg home/b.jpg
            """)
        #expect(end.code == 0, "\(end.errors)")
    }

    @Test(
        "A subcommand refuses the shell's flags that it does not use, before and after its name",
        arguments: [
            "--data x demo 1", "demo 1 --server http://127.0.0.1:1", "--as alice demo", "demo -c seed",
            "demo 3 --dry-run", "new Book --entity Task:title --dry-run", "--devices d remove-data --yes",
            "remove-data --yes --server http://127.0.0.1:1", "--ephemeral remove-data --yes",
        ])
    func ignoredFlags(arguments: String) async throws {
        let end = try await Program.shell("$app \(arguments); code=$?; ls -A; exit $code")
        #expect(end.code == 2)
        #expect(end.output.isEmpty)
        #expect(end.errors.contains(/`(demo|new|remove-data)` does not use --?[a-z-]+: leave it out/))
    }

    @Test("The walkthrough prints one JSON document with --json, and the play on standard error")
    func demoJSON() async throws {
        let end = try await Program.shell("$app demo 1 --json")
        #expect(end.code == 0)
        let scene = #"{"scene":"01-browse","commands":6,"expectations":8,"failure":null}"#
        #expect(end.output == #"{"scenes":[\#(scene)],"failed":[]}"# + "\n")
        #expect(end.errors.contains("Scene 1 of 1: Anonymous browsing"))
    }

    @Test("With --step, a person's own commands do not disturb the scene")
    func steps() async throws {
        let lines = "party list --limit 3\n\nhelp quit\n\nbogus\n"
        let end = try await Program.shell("$app demo --step 1", input: lines)
        #expect(end.code == 0)
        #expect(end.output.contains("leave the shell, with an exit code"))
        #expect(end.output.contains("there is no command `bogus`"))
        #expect(end.output.contains("1 scene, 6 commands, 8 expectations held"))
        let left = try await Program.shell("$app demo --step 1", input: "quit\n")
        #expect(left.code == 130)
        #expect(left.errors.contains("continue with: demo 01-browse"))
    }
}

extension ServerConfiguration {
    /// A server without stored data, on a free port.
    static var ephemeralListening: ServerConfiguration {
        var configuration = ServerConfiguration.ephemeral
        configuration.port = 0
        return configuration
    }
}
