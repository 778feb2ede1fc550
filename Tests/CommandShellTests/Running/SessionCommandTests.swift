import Foundation
import Testing

@testable import CommandShell
@testable import TestKit

@Suite("The shell's own commands")
struct SessionCommandTests {
    @Test("`read` runs the commands of a file up to its first failure")
    func read() async throws {
        try await TaskWorld.run { world in
            let script = "task add Tea\ntask add\nexpect error\nbogus\ntask add Late\n"
            try Data(script.utf8).write(to: world.folder.appendingPathComponent("a.txt"))
            let outcome = await world.runner.run("read ~/a.txt")
            #expect(outcome.rendering.messages.contains("added Tea"))
            #expect(outcome.shellError?.line == 4)
            #expect(
                outcome.rendering.messages.contains("error: ~/a.txt, line 4: there is no command `bogus`"))
            #expect(await world.data("task show").contains("Late") == false)
            let loop = "read ~/loop.txt\n"
            try Data(loop.utf8).write(to: world.folder.appendingPathComponent("loop.txt"))
            #expect(await world.said(".read ~/loop.txt").contains("8 deep"))
            #expect(await world.said("read ~/none").contains("cannot be read"))
        }
    }

    @Test("A favourite is saved, takes arguments, and reports a missing one")
    func favourites() async throws {
        try await TaskWorld.run { world in
            await world.type("favourite save make 'task add \"$1 in $2\"'")
            #expect(await world.said("favourite run make Tea 'Big Garden'").contains("Tea in Big Garden"))
            #expect(await world.said("\\f make Tea").contains("$2 of"))
            #expect(await world.said("favourite list").contains("task add"))
            #expect(await world.runner.run("expect name = make").isHeldClaim)
            #expect(await world.said("favourite run mike").contains("did you mean make?"))
            let found = await world.runner.candidates(for: .favourite, beginningWith: "")
            #expect(found.map(\.text) == ["make"])
            await world.type("favourite remove make")
            #expect(await world.said("favourite list").contains("no favourites yet"))
        }
    }

    @Test("In a command that is an argument, a value stays one word and runs no program")
    func commandArguments() async throws {
        try await TaskWorld.run { world in
            let file = world.folder.appendingPathComponent("made")
            for name in [
                "x | touch \(file.path)", "x > \(file.path)", "x' | touch \(file.path) '",
                "x\" | touch \(file.path) \"",
            ] {
                world.runner.state.change { $0.variables["x"] = name }
                await world.type(
                    "favourite save keep 'task add $x'",
                    "favourite save again \"watch 'task add $1' --times 1\"")
                for line in [
                    "watch 'task add $x' --times 1", "watch \"task add $x\" --times 1",
                    "watch 'task add \"$x\"' --times 1", "watch --times 1 'task add $x'",
                    "watch \"watch 'task add $x' --times 1\" --times 1", "favourite run keep",
                    "favourite run again $x",
                ] {
                    let outcome = await world.runner.run(line)
                    #expect(outcome.rendering.messages.hasSuffix("added \(name)\n"), "\(line)")
                    #expect(!FileManager.default.fileExists(atPath: file.path), "\(line)")
                }
            }
        }
    }

    @Test("A favourite that runs itself ends")
    func favouriteLoop() async throws {
        try await TaskWorld.run { world in
            await world.type("favourite save y 'favourite run y'")
            let outcome = await world.runner.run("favourite run y")
            #expect(outcome.shellError?.message == "favourites are nested more than 8 deep")
            #expect(await world.said("version").contains("tasks"))
        }
    }

    @Test(
        "Answers have the chosen format",
        arguments: [
            ("csv", "title\n\"Tea, late\"\n"), ("markdown", "| title |"),
            ("jsonl", "{\"title\":\"Tea, late\"}\n"),
            ("line", "title  Tea, late"), ("json", "[{\"title\""),
        ])
    func mode(name: String, beginning: String) async throws {
        try await TaskWorld.run { world in
            await world.type("task add 'Tea, late'", "mode \(name)")
            #expect(await world.data("task show").hasPrefix(beginning))
            #expect(await world.data("mode table").isEmpty)
            #expect(await world.data("task show").hasPrefix("TITLE"))
        }
    }

    @Test("A line break in a value is quoted in CSV", arguments: ["\n", "\r\n"])
    func lineBreaks(lineBreak: String) async throws {
        try await TaskWorld.run { world in
            await world.type("task add 'one\(lineBreak)two'", "mode csv")
            #expect(await world.data("task show").contains("\"one\(lineBreak)two\""))
        }
    }

    @Test("An unwritable file is refused before the command runs, and files get no colours")
    func unwritable() async throws {
        try await TaskWorld.run { world in
            for line in ["output ~/nodir/x", "output ~", "task add Tea > ~/nodir/x", "task show > ~"] {
                #expect(await world.runner.run(line).shellError?.code == "badFile", "\(line)")
                #expect(await world.runner.run("expect error badFile").shellError == nil, "\(line)")
            }
            #expect(await world.data("task show").contains("Tea") == false)
            var runner = world.runner
            runner.renderer.dataPaint = Paint(isOn: true)
            _ = await runner.run("task add Ball")
            #expect(await runner.run("task show").rendering.data.contains("\u{1B}["))
            for line in ["task show > ~/one", "output ~/two", "task show", "output"] {
                #expect(await runner.run(line).shellError == nil)
            }
            for name in ["one", "two"] {
                let text = try world.text(of: name)
                #expect(text.contains("Ball") && !text.contains("\u{1B}"), "\(name)")
            }
        }
    }

    @Test("One answer or all later ones can go to a file, and one to a program; claims keep > and |")
    func output() async throws {
        try await TaskWorld.run { world in
            await world.type("task add Tea", "task add Toast")
            #expect(await world.data("task show > ~/out.txt").isEmpty)
            let once = try world.text(of: "out.txt")
            #expect(once.hasPrefix("TITLE"))
            #expect(await world.data("task show | grep -c T") == "3\n")
            await world.type("task show")
            #expect(await world.runner.run("expect count > 1").isHeldClaim)
            let bar = await world.runner.run("expect contains |").shellError
            #expect(bar?.message.hasSuffix("nothing contains `|`") == true)
            await world.type("\\o ~/more.txt")
            #expect(await world.data("task show").isEmpty)
            #expect(await world.data("task show Tea").isEmpty)
            await world.type("output")
            #expect(await world.data("task show").hasPrefix("TITLE"))
            let lines = try world.text(of: "more.txt").split(separator: "\n")
            #expect(lines.count == 5)
        }
    }

    @Test("A program may end before it has read everything", arguments: ["head -1", "false", "true"])
    func earlyEnd(program: String) async throws {
        try await TaskWorld.run { world in
            await world.type("task add \(String(repeating: "x", count: 200_000))")
            for _ in 1...10 {
                let data = await world.data("task show | \(program)")
                #expect(data.isEmpty == (program != "head -1"))
            }
            #expect(await world.data("task show").contains("xxx"))
        }
    }

    @Test("On a screen, each run of `watch` begins with its number and time")
    func watchedRuns() async throws {
        try await TaskWorld.run { world in
            var runner = world.runner
            runner.renderer.isForScreen = true
            let outcome = await runner.run("watch version --times 1")
            #expect(outcome.rendering.messages.hasPrefix("run 1 of 1, 2026-07-04T18:00:00Z\n"))
            let piped = await world.said("watch version --times 1")
            #expect(!piped.contains("run 1 of 1"))
        }
    }

    @Test("Watching ends when a claim holds")
    func watch() async throws {
        try await TaskWorld.run { world in
            await world.type("task add Tea")
            let outcome = await world.runner.run("watch 'task show' --times 5 --until 'title = Tea'")
            #expect(outcome.shellError == nil)
            #expect(outcome.rendering.data == "TITLE\nTea\n")
            let bad = await world.runner.run("watch 'task show' --until 'nonsense of it'")
            #expect(bad.shellError != nil)
        }
    }

    @Test("`timing` shows the total time, the server's time and the jump of the clock")
    func stopWatch() {
        let start = ClockReading(
            wall: TaskWorld.now,
            meter: ProgramMeter(requests: 2, serverMicroseconds: 700, clock: TaskWorld.now))
        var end = start
        end.wall += 0.0124
        end.meter?.clock += 0.0124
        end.meter?.serverMicroseconds += 4400
        end.meter?.requests += 3
        #expect(start.text(until: end) == "took 12 ms (server 4 ms) and 3 requests")
        end.meter?.clock += 30
        #expect(
            start.text(until: end) == "took 12 ms (server 4 ms) and 3 requests; the clock advanced by 30 s")
    }

    @Test("The hint after the cursor has the remaining arguments")
    func hints() {
        let hint = ArgumentHint(table: .tasks)
        #expect(hint.text(after: "task") == nil)
        #expect(hint.text(after: "file move ")?.hasPrefix("NAME --to TASK") == true)
        #expect(hint.text(after: "file move Plan")?.hasPrefix(" --to TASK") == true)
        #expect(hint.text(after: "file move Plan --to") == " TASK")
        #expect(hint.text(after: "file save Plan a.txt")?.contains("--small") == true)
        #expect(hint.text(after: "status") == nil)
        #expect(hint.text(after: "task show 'Te") == nil)
    }

    @Test("Long lines of help break between words, and continue in their column")
    func wrapping() {
        let text = "  tasks list    find tasks by place, date and words\nshort"
        let fitted = WrappedText.fitted(text, to: 36)
        let column = "\n" + String(repeating: " ", count: 16)
        #expect(
            fitted == "  tasks list    find tasks by place,\(column)date and words\nshort")
        #expect(WrappedText.fitted(text, to: 80) == text)
    }

    @Test("Completion finds names that contain the letters in order when none begins with them")
    func fuzzy() {
        let completer = Completer(table: .tasks)
        let site = completer.site(line: "task show x", cursor: 11)
        let typed = CompletionSite(range: site.range, typed: "blb", source: site.source)
        let found = [Candidate("Balloon Ball"), Candidate("Blub"), Candidate("Tea")]
        #expect(
            completer.completion(at: typed, among: found).candidates.map(\.text) == ["Balloon Ball", "Blub"])
    }

    @Test("A line with a password is not saved, and each place has its own history")
    func history() throws {
        let folder = URL.unused()
        defer { folder.remove() }
        func file(_ place: String) -> HistoryFile {
            HistoryFile(
                of: ProgramNames("tasks", title: "Tasks"), environment: ["TASKS_HISTORY": folder.path],
                place: place)
        }
        let here = file("http://127.0.0.1:8080 a")
        for line in ["task list", "profile password=secret", " note list", "status", "task list"] {
            here.append(line)
        }
        #expect(here.load().lines == ["status", "task list"])
        // Lines that another shell saves at the same time are kept.
        file("http://127.0.0.1:8080 a").append("seed")
        #expect(here.load().lines == ["status", "task list", "seed"])
        for other in ["http://127.0.0.1:8081 a", "http://127.0.0.1:8080 b"] {
            #expect(file(other).load().lines.isEmpty)
        }
        let long = file(String(repeating: "x/", count: 300) + "a")
        long.append("status")
        #expect(long.load().lines == ["status"])
    }

    @Test("`edit` needs a terminal, and `clear --json` prints JSON")
    func terminalOnly() async throws {
        try await TaskWorld.run { world in
            #expect(await world.said("edit task show").contains("`edit` needs a terminal"))
            #expect(await world.data("clear").isEmpty)
            #expect(await world.data("clear --json") == "{}\n")
        }
    }
}
