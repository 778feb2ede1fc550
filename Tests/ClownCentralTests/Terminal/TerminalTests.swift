import CloudletServer
import Foundation
import Testing

@testable import ShellKit
@testable import TestKit

@Suite("At a terminal", .timeLimit(.minutes(30)))
struct TerminalTests {
    private static let controlC = "\u{3}"
    private static let controlD = "\u{4}"
    private static let controlR = "\u{12}"
    private static let up = "\u{1B}[A"

    /// Runs `body` with a session at its first prompt, and ends the session.
    private func atPrompt(
        _ arguments: [String] = [], environment: [String: String] = [:], columns: UInt16 = 80,
        _ body: (TerminalSession) async throws -> Void
    ) async throws {
        let home = try URL.newFolder()
        defer { home.remove() }
        let session = try TerminalSession(
            ["--ephemeral", "--as", "alice"] + arguments, home: home, environment: environment,
            columns: columns)
        try await session.sees("alice@terminal> ")
        try await body(session)
        session.type(Self.controlD)
        #expect(await session.code() == 0)
    }

    @Test("Tab completes commands, flags and the names of parties regardless of case")
    func completion() async throws {
        try await atPrompt { session in
            session.type("party create \"Balloon Ball\"\r")
            try await session.sees("created Balloon Ball")
            try await session.sees("> ")
            session.type("party li\t")
            try await session.sees("party list ")
            session.type("--s\t")
            let flags = try await session.sees("--sort")
            #expect(flags.contains("--search"))
            session.type("e\t")
            try await session.sees("--search ")
            session.type(Self.controlC)
            try await session.sees("> ")
            session.type("party show balloon\t\r")
            try await session.sees("\"Balloon Ball\" ")
            try await session.sees("name    Balloon Ball")
            try await session.sees("> ")
        }
    }

    @Test("A person whom a closed server does not sign in by name can sign in at the prompt")
    func refusedPerson() async throws {
        let home = try URL.newFolder()
        defer { home.remove() }
        var configuration = ServerConfiguration.ephemeralListening
        configuration.access = .closed
        let server = try await CloudletServer.start(configuration)
        let url = try #require(server.url).absoluteString
        let session = try TerminalSession(["--server", url, "--as", "alice"], home: home)
        try await session.sees("does not let alice sign in by name")
        try await session.sees("try: sign-in alice")
        try await session.sees("nobody@terminal> ")
        session.type(Self.controlD)
        #expect(await session.code() == 0)
        let script = try await Program.shell("$app --server \(url) --as alice -c 'party list'")
        #expect(script.code == 4)
        #expect(script.output.isEmpty)
        await server.stop()
    }

    @Test("History persists from one run to the next, and a statement of two lines is one entry")
    func history() async throws {
        let home = try URL.newFolder()
        defer { home.remove() }
        for run in 1...2 {
            let session = try TerminalSession(["--ephemeral"], home: home)
            try await session.sees("nobody@terminal> ")
            if run == 1 {
                session.type("help \\\r")
                try await session.sees("...> ")
                session.type("quit\r")
                try await session.sees("leave the shell")
            } else {
                session.type(Self.up)
                try await session.sees("help  quit")
                session.type("\r")
                try await session.sees("leave the shell")
            }
            try await session.sees("> ")
            session.type(Self.controlD)
            #expect(await session.code() == 0)
        }
    }

    @Test("A list longer than the screen is shown in the pager, a short one is not")
    func pager() async throws {
        try await atPrompt(environment: ["PAGER": "sed 's/^/paged /'"]) { session in
            session.type("seed\r")
            try await session.sees("stored 520 parties")
            try await session.sees("> ")
            session.type("party list --limit 3\r")
            #expect(try await session.sees("> ").contains("paged") == false)
            session.type("party list --limit 60\r")
            try await session.sees("paged NAME")
            try await session.sees("paged ")
            try await session.sees("alice@terminal> ")
        }
    }

    @Test("Ctrl-C stops a command and not the shell, discards a line, and ends a search in the history")
    func interrupt() async throws {
        try await atPrompt { session in
            session.type("zone fill Jokes 30\r")
            try await session.sees("saved 30 records")
            session.type("fault add slow --on changes/zone --after 2 --seconds 60\r")
            try await session.sees("is active")
            session.type("zone fetch Jokes --page 10 --keep ~/jokes.json\r")
            try await session.sees("page 2 is kept")
            session.type(Self.controlC)
            try await session.sees("stopped")
            try await session.sees("alice@terminal")
            session.type("party lis" + Self.controlC)
            try await session.sees("^C")
            try await session.sees("> ")
            session.type(Self.controlR + "fill")
            try await session.sees("zone fill Jokes 30")
            session.type(Self.controlC)
            try await session.sees("^C")
            try await session.sees("> ")
            session.type("version\r")
            let shown = try await session.sees("editor")
            #expect(!shown.contains("search"))
            #expect(shown.contains("version"))
            try await session.sees("> ")
        }
    }

    @Test("Deleting a party lists what is deleted with it, and needs the answer yes")
    func question() async throws {
        try await atPrompt { session in
            session.type("party create Tea\r")
            try await session.sees("created Tea")
            session.type("clown assign Bozo --to Tea\r")
            try await session.sees("performs at Tea")
            let question = "delete Tea and with it 1 clown? [y/N] "
            session.type("party delete Tea\r")
            try await session.sees(question)
            session.type("\r")
            try await session.sees("nothing was deleted")
            session.type("party delete Tea\r")
            try await session.sees(question)
            session.type(Self.controlC)
            try await session.sees("stopped")
            try await session.sees("> ")
            session.type("party delete Tea\r")
            try await session.sees(question)
            session.type("y\r")
            try await session.sees("deleted Tea and with it")
            session.type("party create Milk\r")
            try await session.sees("created Milk")
            session.type("party delete Milk --yes\r")
            #expect(try await session.sees("deleted Milk").contains("[y/N]") == false)
            try await session.sees("> ")
        }
    }

    @Test("Colours are printed only on terminals that support them", arguments: [nil, "1"])
    func colour(noColour: String?) async throws {
        let environment = noColour.map { ["NO_COLOR": $0] } ?? [:]
        try await atPrompt(environment: environment) { session in
            session.type("bogus\r")
            try await session.sees("there is no command")
            try await session.sees("> ")
            #expect(session.raw.contains("\u{1B}[1;31m") == (noColour == nil))
        }
        let pipe = try await Program.shell(
            "$app --ephemeral --as alice", input: "party create Tea\nparty list\nbogus\n")
        #expect(pipe.code == 3)
        #expect(!pipe.output.contains("\u{1B}") && !pipe.errors.contains("\u{1B}"))
        #expect(!pipe.output.contains("> "))
    }

    @Test("In a narrow window identifiers and dates are whole or hidden", arguments: [40, 60, 80])
    func narrow(columns: UInt16) async throws {
        try await atPrompt(["--seed", "1"], columns: columns) { session in
            session.type(
                "party create \"A party with a long, long name\" --place Here --starts 2026-07-04T18:00\r")
            try await session.sees("created A party")
            try await session.sees("> ")
            session.type("party list\r")
            let table = try await session.sees("alice@terminal> ")
            #expect(table.contains("party-jqzeerwg9sck"))
            #expect(table.contains("2026-07-04 18:00") == (columns > 50))
            #expect(!table.contains("2026-07-04…"))
            #expect(table.contains("no room for") == (columns < 60))
        }
    }

    @Test(
        "Ctrl-C stops the walkthrough, whether it plays by itself or step by step", arguments: ["", "--step"])
    func walkthrough(step: String) async throws {
        let home = FileManager.default.temporaryDirectory
        let arguments = ["demo"] + (step.isEmpty ? [] : [step])
        let session = try TerminalSession(arguments, home: home)
        try await session.sees(step.isEmpty ? "Scene 1 of" : "(Return plays this) ")
        if !step.isEmpty {
            session.type("party li\tst\r")
            try await session.sees("(Return plays this) ")
        }
        session.type(Self.controlC)
        #expect(await session.code() == 130)
        #expect(!session.raw.contains("expectations held"))
    }
}
