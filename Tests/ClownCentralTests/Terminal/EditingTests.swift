import Foundation
import Testing

@testable import ShellKit
@testable import TestKit

@Suite("Start-up file, history and editor at a terminal", .timeLimit(.minutes(30)))
struct EditingTests {
    private static let controlD = "\u{4}"
    private static let up = "\u{1B}[A"

    private func leave(_ session: TerminalSession) async throws {
        session.type(Self.controlD)
        #expect(await session.code() == 0)
    }

    // MARK: The start-up file

    @Test(
        "The start-up file runs first; an error in it has file and line, and the prompt follows"
    )
    func startUp() async throws {
        try await withFolder { home in
            let folder = home.appendingPathComponent(".config/clown-central")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let file = folder.appendingPathComponent("startup.clown")
            try Data("set where 1,2\nbogus\nas bob\n".utf8).write(to: file)
            let session = try TerminalSession(["--ephemeral"], home: home)
            try await session.sees("$where is 1,2")
            // A long path is broken where the line ends.
            try await session.sees("startup.clown,")
            try await session.sees("line 2: there is no command `bogus`")
            try await session.sees("nobody@terminal> ")
            try await leave(session)
            let without = try TerminalSession(["--ephemeral", "--no-startup"], home: home)
            #expect(try await without.sees("> ").contains("where") == false)
            try await leave(without)
            let other = home.appendingPathComponent("other.clown")
            try Data("on mac\n".utf8).write(to: other)
            let named = try TerminalSession(
                ["--ephemeral"], home: home, environment: ["CLOWN_CENTRAL_STARTUP": "~/other.clown"])
            try await named.sees("nobody@mac> ")
            try await leave(named)
            let missing = try TerminalSession(
                ["--ephemeral"], home: home, environment: ["CLOWN_CENTRAL_STARTUP": "~/none"])
            try await missing.sees("cannot be read")
            try await missing.sees("nobody@terminal> ")
            try await leave(missing)
        }
    }

    @Test("Scripts run a start-up file only if it is named, and end at an error in it")
    func scripts() async throws {
        let file = ".config/clown-central/startup.clown"
        let set = "mkdir -p .config/clown-central; echo 'as bob' > \(file); echo status > s;"
        for run in ["-c status", "-f s", "< s"] {
            let end = try await Program.shell("\(set) $app --ephemeral \(run)")
            #expect(end.code == 0)
            #expect(!end.output.contains("bob"))
            let told = try await Program.shell(
                "\(set) $app --ephemeral --startup \(file) \(run)"
            )
            #expect(told.code == 0)
            #expect(told.output.contains("bob"))
        }
        let bad = try await Program.shell("echo bogus > b; $app --ephemeral --startup b -c status")
        #expect(bad.code == 3)
        #expect(bad.output.isEmpty)
        #expect(bad.errors.contains("/b, line 1: there is no command `bogus`"))
        let both = try await Program.shell("$app --ephemeral --startup b --no-startup -c status")
        #expect(both.code == 2)
        let missing = try await Program.shell("$app --ephemeral --startup none -c status")
        #expect(missing.code == 2)
        #expect(missing.errors.contains("none cannot be read"))
    }

    @Test("The answers of a script appear in the order of its commands, which `echo` prints too")
    func order() async throws {
        let script = "party create Tea\\nparty list\\n\\nparty create Milk\\n"
        let read = "printf '\(script)' > s; $app --ephemeral --as alice -c 'echo on' -c 'read s' 2>&1"
        let shown = try await Program.shell(read)
        let marks = [
            "> party create Tea", "created Tea", "> party list", "NAME", "> party create Milk", "created M",
        ]
        var rest = shown.output[...]
        for mark in marks {
            let range = try #require(
                rest.range(of: mark), "\(mark) is not there, or too early: \(shown.output)")
            rest = rest[range.upperBound...]
        }
        #expect(!shown.output.contains("> \n"))
        let piped = try await Program.shell("printf 'echo on\nversion\n' | $app --ephemeral 2>&1 >/dev/null")
        #expect(piped.output == "echo is on\n> version\n")
        let kept = try await Program.shell(
            "printf '\(script)' > s; $app --ephemeral --as alice -c 'read s > out' 2>/dev/null; cat out")
        #expect(kept.output.hasPrefix("id "))
        #expect(kept.output.contains("NAME"))
    }

    // MARK: History

    @Test("Each container has its own history, and failed lines are not saved")
    func history() async throws {
        try await withFolder { home in
            let first = try TerminalSession(["--ephemeral"], home: home)
            try await first.sees("> ")
            for (line, answer) in [
                ("version", "editor"), ("party show Nothing", "error:"),
                ("container use x.y", "x.y development nobody"),
                ("help quit", "leave the shell"),
            ] {
                first.type(line + "\r")
                try await first.sees(answer)
                try await first.sees("> ")
            }
            // A line that failed can be recalled and corrected until this shell ends.
            first.type("container use iCloud.org.cloudlet.ClownCentral\r")
            try await first.sees("development nobody")
            try await leave(first)
            let second = try TerminalSession(["--ephemeral"], home: home)
            try await second.sees("> ")
            second.type(Self.up)
            try await second.sees("container use x.y")
            second.type(Self.up)
            try await second.sees("version")
            second.type(" help\r")
            try await second.sees("show the release")
            try await second.sees("> ")
            try await leave(second)
        }
    }

    // MARK: The editor

    @Test("`edit` opens the last or a given line, runs the saved text, and adds it as one history entry")
    func edit() async throws {
        try await withFolder { home in
            let script = "#!/bin/sh\ncat \"$1\"; printf 'party create Coffee\\nparty list\\n' > \"$1\"\n"
            let program = home.appendingPathComponent("my editor")
            try Data(script.utf8).write(to: program)
            try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: program.path)
            let environment = ["EDITOR": "false", "VISUAL": "'\(program.path)'"]
            let session = try TerminalSession(
                ["--ephemeral", "--as", "alice"], home: home, environment: environment)
            try await session.sees("alice@terminal> ")
            session.type("note add Paint\r")
            try await session.sees("alice@terminal> ")
            session.type("\\e\r")
            try await session.sees("note add Paint")
            try await session.sees("party create Coffee")
            try await session.sees("created Coffee")
            try await session.sees("NAME")
            try await session.sees("alice@terminal> ")
            session.type(Self.up)
            try await session.sees("party create Coffee")
            session.type("\r")
            try await session.sees("created Coffee")
            try await session.sees("party-")
            try await session.sees("alice@terminal> ")
            session.type(Self.up + Self.up)
            try await session.sees("note add Paint")
            session.type("\u{15}edit status --json\r")
            try await session.sees("status --json")
            try await session.sees("created Coffee")
            try await session.sees("alice@terminal> ")
            try await leave(session)
        }
    }

    @Test("If the editor saves nothing or fails, nothing runs", arguments: ["true", "false", "/no/such"])
    func noEdit(editor: String) async throws {
        try await withFolder { home in
            let session = try TerminalSession(["--ephemeral"], home: home, environment: ["EDITOR": editor])
            try await session.sees("nobody@terminal> ")
            session.type("edit version\r")
            try await session.sees(editor == "true" ? "nothing was saved" : "the editor `\(editor)` failed")
            #expect(try await session.sees("nobody@terminal> ").contains("readline") == false)
            try await leave(session)
        }
    }

    @Test(
        "`clear` clears the screen of a terminal that can do it",
        arguments: ["xterm", "dumb"])
    func clear(terminal: String) async throws {
        try await withFolder { home in
            let session = try TerminalSession(["--ephemeral"], home: home, environment: ["TERM": terminal])
            try await session.sees("nobody@terminal> ")
            session.type("clear\r")
            try await session.sees("nobody@terminal> ")
            #expect(session.raw.contains("\u{1B}[2J") == (terminal == "xterm"))
            try await leave(session)
        }
    }
}
