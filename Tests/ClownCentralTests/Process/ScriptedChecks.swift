import Foundation
import Testing

@testable import CloudletShell
@testable import ClownCentral
@testable import CommandShell
@testable import ShellKit
@testable import TestKit

@Suite("Scripts, pipes, and pushes at a prompt", .timeLimit(.minutes(30)))
struct ScriptedChecks {
    private static let controlD = "\u{4}"

    // MARK: Pipes

    @Test("A command through a pipe answers with data only, without a prompt, and the code is 0")
    func pipe() async throws {
        let setUp = "$app --data d --seed 1 --as alice -c 'party create Tea' > /dev/null 2>&1"
        let end = try await Program.shell("\(setUp); echo 'party list' | $app --data d 2> talk")
        #expect(end.code == 0)
        #expect(end.output == "NAME  ID\nTea   party-jqzeerwg9sck\n")
    }

    @Test("A script with a mistake stops there with 3, names the line, and suggests a command")
    func stops() async throws {
        let end = try await Program.shell("printf 'lst\\nparty list\\n' | $app --ephemeral")
        #expect(end.code == 3)
        #expect(end.output.isEmpty)
        #expect(end.errors.contains("error: line 1: there is no command `lst`"))
        #expect(end.errors.contains("did you mean party list"))
        let bogus = try await Program.shell("printf 'bogus\\nparty list\\n' | $app --ephemeral")
        #expect(bogus.code == 3)
        #expect(bogus.errors.contains("line 1:"))
        #expect(bogus.errors.contains("try: help"))
    }

    @Test("JSON begins with a bracket, and a reader that ends early causes no error")
    func json() async throws {
        let line = "$app --ephemeral --as alice -c 'party create Tea' -c 'party list' --json"
        let end = try await Program.shell("(\(line)) 2> errors | head -c 1; grep -i 'pipe' errors")
        #expect(end.output == "{")
        let list = try await Program.shell("$app --ephemeral -c 'party list' --json | head -c 1")
        #expect(list.output == "[")
    }

    @Test("A mistyped command on the command line is an error with a suggestion and code 2")
    func mistyped() async throws {
        let end = try await Program.shell("$app lst")
        #expect(end.code == 2)
        #expect(end.output.isEmpty)
        #expect(end.errors.contains("did you mean -c 'party list'"))
    }

    private static let play = "$app demo 1 2 12 23 </dev/null"

    @Test(
        "The walkthrough needs no terminal, and no network but this machine's own",
        .enabled("the system gives nobody a network of their own") {
            try await Program.shell("unshare -rn true").code == 0
        })
    func alone() async throws {
        // A separate network namespace, in which only the loopback interface is up.
        let end = try await Program.shell(
            "export app; unshare -rn sh -c 'ip link set lo up && \(Self.play)'")
        #expect(end.code == 0, "\(end.errors)")
        #expect(end.output.contains("4 scenes"))
    }

    @Test("A process killed in a loop of saves has stored every acknowledged one")
    func killed() async throws {
        let end = try await Program.shell(
            """
            mkfifo acknowledged commands
            i=0; while echo "party create P$((i += 1))"; do :; done > commands 2> /dev/null & writer=$!
            $app --data d --as alice --json < commands > acknowledged 2> /dev/null & app_id=$!
            head -n 20 < acknowledged > seen; kill -9 $app_id $writer
            $app --data d -c 'party list --limit 10000 --json' > kept 2> /dev/null
            grep -o '"id":"[^"]*"' seen | while read -r id; do grep -q "$id" kept || echo "lost $id"; done
            grep -c '"id"' seen
            """)
        #expect(end.output == "20\n")
    }

    // MARK: At a terminal

    /// Runs `body` with a session at its first prompt, and ends the session.
    private func atPrompt(
        _ arguments: [String], _ body: (TerminalSession) async throws -> Void
    ) async throws {
        let home = try URL.newFolder()
        defer { home.remove() }
        let session = try TerminalSession(arguments, home: home)
        try await session.sees("alice@phone> ")
        try await body(session)
        session.type(Self.controlD)
        #expect(await session.code() == 0)
    }

    @Test("A push appears above a half-typed line, which stays the same")
    func push() async throws {
        try await ShellWorld.run { world in
            let address = try #require(world.cloud.server.address?.absoluteString)
            await world.type("as alice", "on mac")
            let create = "party create Old --place Pier --at 1,1 --starts 2030-01-01"
            #expect(await world.runner.run(create).shellError == nil)
            let arguments = ["--server", address, "--as", "alice", "--on", "phone"]
            try await atPrompt(arguments) { session in
                session.type("subscribe parties --text Hello\r")
                try await session.sees("subscribed: parties")
                session.type("push listen\r")
                try await session.sees("pushes arrive on phone")
                try await session.sees("alice@phone> ")
                session.type("party lis")
                try await session.sees("party lis")
                #expect(await world.runner.run(create.replacing("Old", with: "New")).shellError == nil)
                try await session.sees("alice@phone: Hello, created New")
                try await session.sees("alice@phone> party lis")
                session.type("t\r")
                #expect(try await session.sees("New ").contains("NAME"))
                try await session.sees("alice@phone [1 push]> ")
            }
        }
    }
}
