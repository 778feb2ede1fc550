import Foundation
import Synchronization
import Testing

@testable import CloudletShell
@testable import ClownCentral
@testable import CommandShell
@testable import ShellKit

@Suite("Commands about commands")
struct SessionCommandTests {
    /// What a line prints, talk included.
    private func said(_ line: String, in world: ShellWorld) async -> String {
        let outcome = await world.runner.run(line)
        return outcome.rendering.data + outcome.rendering.talk
    }

    @Test("A file is read as if it were typed, up to its first mistake")
    func read() async throws {
        try await ShellWorld.run { world in
            let script =
                "as alice\nparty create Tea\nparty show Nothing\nexpect error\nbogus\nparty create Late\n"
            try Data(script.utf8).write(to: world.folder.appendingPathComponent("a.clown"))
            let outcome = await world.runner.run("read ~/a.clown")
            #expect(outcome.rendering.talk.contains("created Tea"))
            #expect(outcome.complaint?.line == 5)
            #expect(outcome.rendering.talk.contains("error: ~/a.clown, line 5: there is no command `bogus`"))
            #expect(await world.data("party list").contains("Late") == false)
            let loop = "read ~/loop.clown\n"
            try Data(loop.utf8).write(to: world.folder.appendingPathComponent("loop.clown"))
            #expect(await said(".read ~/loop.clown", in: world).contains("8 deep"))
            #expect(await said("read ~/none", in: world).contains("cannot be read"))
        }
    }

    @Test("A name stands for a text, and $_ for the record that was answered last")
    func names() async throws {
        try await ShellWorld.run { world in
            await world.type("as alice", "set where 37.78,-122.40", "party create Tea --at $where")
            #expect(await said("party show $_", in: world).contains("37.78,-122.4"))
            #expect(await said("party list --near $where --within 1km", in: world).contains("Tea"))
            await world.type("set where")
            #expect(await said("party list --near $where", in: world).contains("$where"))
        }
    }

    @Test("A favourite is kept under a name, takes words, and says what it lacks")
    func favourites() async throws {
        try await ShellWorld.run { world in
            await world.type("as alice", "favourite save make 'party create $1 --place $2'")
            #expect(await said("favourite run make Tea 'Big Garden'", in: world).contains("Big Garden"))
            #expect(await said("\\f make Tea", in: world).contains("$2 of"))
            #expect(await said("favourite list", in: world).contains("party create $1"))
            #expect(await said("favourite run mike", in: world).contains("did you mean make?"))
            let found = await world.names(of: .favourite, beginningWith: "")
            #expect(found.map(\.text) == ["make"])
            await world.type("favourite remove make")
            #expect(await said("favourite list", in: world).contains("no favourites yet"))
        }
    }

    @Test(
        "Answers take the form that was chosen",
        arguments: [
            ("csv", "name,"), ("markdown", "| name |"), ("jsonl", "{\"id\":\"party-"),
            ("line", "id     party-"), ("json", "[{\"id\""),
        ])
    func mode(name: String, beginning: String) async throws {
        try await ShellWorld.run { world in
            await world.type("as alice", "party create 'Tea, late' --place Garden", "mode \(name)")
            let data = await world.data("party list")
            #expect(data.hasPrefix(beginning))
            if name == "csv" { #expect(data.contains("\n\"Tea, late\",")) }
            await world.type("mode table")
            #expect(await world.data("party list").hasPrefix("NAME"))
        }
    }

    @Test("A favourite that does itself comes to an end")
    func favouriteLoop() async throws {
        try await ShellWorld.run { world in
            await world.type("favourite save y 'favourite run y'")
            let outcome = await world.runner.run("favourite run y")
            #expect(outcome.complaint?.message == "favourites do each other 8 deep")
            #expect(await said("version", in: world).contains("clown-central"))
        }
    }

    @Test("A line break in a value is quoted in CSV, whatever it is made of", arguments: ["\n", "\r\n"])
    func lineBreaks(lineBreak: String) async throws {
        try await ShellWorld.run { world in
            await world.type("as alice", "note add 'one\(lineBreak)two'", "mode csv")
            #expect(await world.data("note list").contains("\"one\(lineBreak)two\""))
        }
    }

    @Test("A file that cannot be written is refused before anything is done, and takes no colours")
    func unwritable() async throws {
        try await ShellWorld.run { world in
            await world.type("as alice")
            for line in ["output ~/nodir/x", "output ~", "party create Tea > ~/nodir/x", "party list > ~"] {
                #expect(await world.runner.run(line).complaint?.code == "badFile", "\(line)")
            }
            #expect(await world.data("party list").contains("Tea") == false)
            var runner = world.runner
            runner.renderer.dataPaint = Paint(isOn: true)
            _ = await runner.run("party create Ball")
            #expect(await runner.run("party list").rendering.data.contains("\u{1B}["))
            for line in ["party list > ~/one", "output ~/two", "party list", "output"] {
                #expect(await runner.run(line).complaint == nil)
            }
            for name in ["one", "two"] {
                let file = world.folder.appendingPathComponent(name)
                let text = try String(contentsOf: file, encoding: .utf8)
                #expect(text.contains("Ball") && !text.contains("\u{1B}"), "\(name)")
            }
        }
    }

    @Test("An answer goes to a file, once or from now on, or into a program; a claim keeps its signs")
    func output() async throws {
        try await ShellWorld.run { world in
            let file = world.folder.appendingPathComponent("out.txt")
            await world.type("as alice", "party create Tea", "party create Ball")
            #expect(await world.data("party list > ~/out.txt").isEmpty)
            #expect(try String(contentsOf: file, encoding: .utf8).hasPrefix("NAME"))
            #expect(await world.data("party list | grep -c party-") == "2\n")
            await world.type("party list")
            #expect(await world.runner.run("expect count > 1").isHeldClaim)
            await world.type("\\o ~/more.txt")
            #expect(await world.data("party list").isEmpty)
            #expect(await world.data("party show Tea").isEmpty)
            await world.type("output")
            #expect(await world.data("party list").hasPrefix("NAME"))
            let more = world.folder.appendingPathComponent("more.txt")
            let kept = try String(contentsOf: more, encoding: .utf8)
            #expect(kept.hasPrefix("NAME"))
            #expect(kept.contains("name    Tea") || kept.contains("name       Tea") || kept.contains("Tea\n"))
        }
    }

    @Test("A program may end before it has read everything", arguments: ["head -1", "false", "true"])
    func earlyEnd(program: String) async throws {
        try await ShellWorld.run { world in
            let summary = String(repeating: "x", count: 200_000)
            await world.type("as alice", "party create Tea --summary \(summary)")
            for _ in 1...10 {
                let data = await world.data("party show Tea | \(program)")
                #expect(data.isEmpty == (program != "head -1"))
            }
            #expect(await world.data("party list").contains("Tea"))
        }
    }

    @Test("A command as somebody else from another device leaves one where one was")
    func asSomebody() async throws {
        try await ShellWorld.run { world in
            await world.type("as alice", "on mac")
            #expect(await said("bob@phone: status", in: world).contains("bob"))
            let status = await world.data("status")
            #expect(status.contains("alice"))
            #expect(status.contains("mac"))
        }
    }

    @Test("Where the other person cannot sign in, one stays who and where one was")
    func notSomebody() async throws {
        try await ShellWorld.run(isClosed: true) { world in
            await world.type("on mac")
            let outcome = await world.runner.run("bob@phone: status")
            #expect(outcome.complaint?.code == "signInRefused")
            await world.type("status")
            #expect(await world.runner.run("expect device = mac").isHeldClaim)
            #expect(await world.runner.run("expect person = none").isHeldClaim)
        }
    }

    @Test("Watching ends when a claim holds")
    func watch() async throws {
        try await ShellWorld.run { world in
            await world.type("as alice")
            let outcome = await world.runner.run("watch 'party create Tea' --times 5 --until 'name = Tea'")
            #expect(outcome.complaint == nil)
            #expect(
                await world.runner.run("watch 'batch save 1' --times 3 --until 'count = 7'").complaint == nil)
            await world.type("party list")
            #expect(await world.runner.run("expect count 1").isHeldClaim)
            let bad = await world.runner.run("watch 'party list' --until 'nonsense of it'")
            #expect(bad.complaint != nil)
        }
    }

    @Test("Timing tells the requests, and the monitor each of them")
    func timing() async throws {
        try await ShellWorld.run { world in
            let heard = Heard()
            world.runner.environment.announcer.listen { heard.add($0) }
            await world.type("as alice", "party create Tea", "timing on", "monitor on")
            let took = /took 0 ms \(server [0-9]+ ms\) and [0-9]+ requests?\n/
            #expect(await said("party list", in: world).contains(took))
            #expect(heard.lines.contains { $0.hasPrefix("records/query  200  ") })
            let count = heard.lines.count
            await world.type("monitor off", "party list")
            #expect(heard.lines.count == count)
        }
    }

    @Test("The server's share is told apart from the whole, and what a clock jumped from both")
    func stopWatch() {
        let start = StopWatch(
            wall: ShellWorld.now,
            meter: ProgramMeter(requests: 2, serverMicroseconds: 700, clock: ShellWorld.now))
        var end = start
        end.wall += 0.0124
        end.meter?.clock += 0.0124
        end.meter?.serverMicroseconds += 4400
        end.meter?.requests += 3
        #expect(start.text(until: end) == "took 12 ms (server 4 ms) and 3 requests")
        end.meter?.clock += 30
        #expect(
            start.text(until: end) == "took 12 ms (server 4 ms) and 3 requests; the clock went on by 30 s")
    }

    @Test("A rehearsal does nothing, a command has its time, and settings say where they are from")
    func flags() async throws {
        let dry = try await Program.shell("$app --ephemeral --dry-run -c 'as alice' -c 'party create Tea'")
        #expect(dry.code == 0)
        #expect(dry.output.isEmpty)
        #expect(dry.errors.contains("would do: party create Tea"))
        let late = try await Program.shell(
            """
            $app --ephemeral --as alice --timeout 0.2 -c 'fault add slow --seconds 30' -c 'party list'
            """)
        #expect(late.code == 1)
        #expect(late.errors.contains("the command took longer than"))
        let config = try await Program.shell(
            "CLOUDLET_API_TOKEN=secret $app --ephemeral --mode csv -c 'config list'")
        #expect(config.output.contains("api-token,(hidden),CLOUDLET_API_TOKEN\n"))
        #expect(config.output.contains("mode,csv,--mode\n"))
        #expect(config.output.contains("on,terminal,default\n"))
        let quiet = try await Program.shell("$app --ephemeral --quiet -c 'as alice' -c 'party list'")
        #expect(quiet.errors.isEmpty)
    }

    @Test(
        "A word that a group does not know leads to those it knows",
        arguments: [
            ("shoebox create X", "shoebox add", "it has add, list, delete"),
            ("party new X", "party create", "it has create"), ("note rm X", "note delete", "it has add"),
            ("party lst", "party list", "it has create"),
        ])
    func groups(line: String, meant: String, known: String) throws {
        let parser = Parser(table: .standard, now: ShellWorld.now)
        let complaint = #expect(throws: Complaint.self) { try parser.parse(line) }
        #expect(complaint?.suggestions.contains(meant) == true)
        #expect(complaint?.message.contains(known) == true)
    }

    @Test("Grey words behind the cursor say what a command still takes")
    func hints() {
        let hint = ArgumentHint(table: .standard)
        #expect(hint.text(behind: "party") == nil)
        #expect(hint.text(behind: "clown assign ")?.hasPrefix("NAME [--to PARTY]") == true)
        #expect(hint.text(behind: "clown assign Bozo")?.hasPrefix(" [--to PARTY]") == true)
        #expect(hint.text(behind: "clown assign Bozo --to") == " PARTY")
        #expect(hint.text(behind: "clown assign Bozo --to Tea")?.contains("--act") == true)
        #expect(hint.text(behind: "status") == nil)
        #expect(hint.text(behind: "party show 'Te") == nil)
    }

    @Test("Long lines of help break between words, below where their column began")
    func wrapping() {
        let text = "  party list    find parties by place, date and words\nshort"
        let fitted = WrappedText.fitted(text, to: 36)
        let column = "\n" + String(repeating: " ", count: 16)
        #expect(
            fitted == "  party list    find parties by\(column)place, date and\(column)words\nshort")
        #expect(WrappedText.fitted(text, to: 80) == text)
        for line in HelpText(table: .standard).overview.split(separator: "\n") {
            let lines = WrappedText.fitted(String(line), to: 80).split(separator: "\n")
            #expect(lines.allSatisfy { $0.count <= 80 })
        }
    }

    @Test("Completion finds names by letters in their order when nothing begins with them")
    func fuzzy() {
        let completer = Completer(table: .standard)
        let site = completer.site(line: "photo list x", cursor: 12)
        let typed = CompletionSite(range: site.range, typed: "blb", source: site.source)
        let found = [Candidate("Balloon Ball"), Candidate("Blub"), Candidate("Tea")]
        #expect(
            completer.completion(at: typed, among: found).candidates.map(\.text) == ["Balloon Ball", "Blub"])
    }

    @Test("A line with a password is not remembered, and each server and container has its own lines")
    func history() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("h-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        func file(_ place: String) -> HistoryFile {
            HistoryFile(
                of: ClownCentralApp.names, environment: ["CLOWN_CENTRAL_HISTORY": folder.path], place: place)
        }
        let here = file("http://127.0.0.1:8080 iCloud.org.example.a")
        for line in ["party list", "profile password=secret", " note list", "status", "party list"] {
            here.keep(line)
        }
        #expect(here.load().lines == ["status", "party list"])
        // What another shell keeps at the same time stays.
        file("http://127.0.0.1:8080 iCloud.org.example.a").keep("seed")
        #expect(here.load().lines == ["status", "party list", "seed"])
        for other in [
            "http://127.0.0.1:8081 iCloud.org.example.a", "http://127.0.0.1:8080 iCloud.org.example.b",
        ] {
            #expect(file(other).load().lines.isEmpty)
        }
        let long = file(String(repeating: "x/", count: 300) + "a")
        long.keep("status")
        #expect(long.load().lines == ["status"])
    }

    @Test("What needs a terminal says so, and JSON stays JSON")
    func terminalOnly() async throws {
        try await ShellWorld.run { world in
            #expect(await said("edit party list", in: world).contains("needs somebody at a terminal"))
            #expect(await world.data("clear").isEmpty)
            #expect(await world.data("clear --json") == "{}\n")
        }
    }

    private final class Heard: Sendable {
        private let kept = Mutex<[String]>([])

        var lines: [String] { kept.withLock { $0 } }

        func add(_ line: String) { kept.withLock { $0.append(line) } }
    }
}
