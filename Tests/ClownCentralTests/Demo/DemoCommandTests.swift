import Foundation
import Testing

@testable import ShellKit
@testable import TestKit

@Suite("The command demo", .timeLimit(.minutes(30)))
struct DemoCommandTests {
    @Test("prints the same bytes on each run, and other bytes with another seed")
    func sameBytes() async throws {
        let scenes = "2 12 17 20 21 22 25 33 37 44 46"
        let first = try await Program.shell("$app demo \(scenes)")
        #expect(first.code == 0, "\(first.output.suffix(400))")
        let second = try await Program.shell("$app demo \(scenes)")
        #expect(first.output == second.output)
        let one = try await Program.shell("$app demo 2 --seed 1")
        let two = try await Program.shell("$app demo 2 --seed 2")
        #expect(one.code == 0 && two.code == 0)
        #expect(one.output != two.output)
    }

    @Test("does not change the favourites of the person who plays it")
    func favourites() async throws {
        let end = try await Program.shell(
            """
            export XDG_CONFIG_HOME=$PWD/settings
            $app --ephemeral -c 'favourite save near "party list"' && $app demo 46 >played \
              && $app --ephemeral --json -c 'favourite list'
            """)
        #expect(end.code == 0)
        #expect(end.output.hasSuffix("[{\"name\":\"near\",\"command\":\"party list\"}]\n"))
    }

    @Test("lists its scenes as text and as JSON")
    func list() async throws {
        let people = try await Program.shell("$app demo --list")
        #expect(people.code == 0)
        #expect(people.output.contains("\n12  A killed fetch continues where it stopped\n"))
        let programs = try await Program.shell("$app demo --list --json")
        #expect(programs.output.hasPrefix(#"{"scenes":[{"number":1,"name":"01-browse","title":"#))
    }

    @Test("lets a person type commands at an invitation, and continues afterwards")
    func stop() async throws {
        let home = URL.unused()
        let scenes = home.appendingPathComponent("scenes")
        try FileManager.default.createDirectory(at: scenes, withIntermediateDirectories: true)
        defer { home.remove() }
        let script = """
            # A small scene
            as alice
            expect person = alice
            #? make a party of your own
            status
            expect person = alice

            """
        try Data(script.utf8).write(to: scenes.appendingPathComponent("01-small.clown"))
        let session = try TerminalSession(["demo", "--step", "--scenes", scenes.path], home: home)
        // A check does not wait.
        try await session.sees("(Return plays this) ")
        session.type("\r")
        try await session.sees("You try: make a party of your own")
        try await session.sees("development alice@terminal> ")
        session.type("party create Mine\r")
        try await session.sees("created Mine")
        try await session.sees("development alice@terminal> ")
        session.type("bogus\r")
        try await session.sees("there is no command `bogus`")
        try await session.sees("development alice@terminal> ")
        session.type("\r")
        try await session.sees("(Return plays this) ")
        session.type("\r")
        try await session.sees("1 scene, 2 commands, 2 expectations held")
        #expect(await session.code() == 0)
    }
}
