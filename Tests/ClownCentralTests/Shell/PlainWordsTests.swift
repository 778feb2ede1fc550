import Foundation
import Testing

@testable import CloudletShell
@testable import ClownCentral
@testable import CommandShell
@testable import ShellKit
@testable import TestKit

@Suite("Errors and notes for people")
struct PlainWordsTests {
    @Test(
        "An invalid input is answered with the reason",
        arguments: [
            ("receipt add Toys 1.234", "at most two digits"), ("receipt add Toys 0x10", "without a sign"),
            ("receipt add Toys -5", "without a sign"), ("receipt edit Toys --amount -5", "without a sign"),
            ("party create Tea --starts 2026-02-30", "there is no day 2026-02-30"),
            ("party create Tea --starts 2026-13-01T10:00", "there is no day 2026-13-01"),
            ("party create Tea --starts 2026-07-04T25:00", "no day has a time 25:00"),
            ("party create Tea --starts soon", "a time looks like"),
            ("note add ''", "a note cannot be empty"), ("party create ''", "a name cannot be empty"),
            ("as 'a b'", "has 1 to 64 characters, all visible, and no spaces"),
            ("record delete neverexisted", "there is no record `neverexisted`"),
        ])
    func mistakes(line: String, words: String) async throws {
        try await ShellWorld.run { world in
            await world.type("as alice", "receipt add Toys 5")
            let shellError = await world.runner.run(line).shellError
            #expect(shellError?.message.contains(words) == true, "\(shellError?.message ?? "no error")")
        }
    }

    @Test("For a word too many, the suggestion has the missing flag before it")
    func missingFlag() async throws {
        try await ShellWorld.run { world in
            let shellError = await world.runner.run("clown assign Bozo 'Big Coffee'").shellError
            #expect(shellError?.suggestions == ["clown assign Bozo --to \"Big Coffee\""])
        }
    }

    @Test("For a party in place of a photo, the next step lists the party's photos")
    func photoOfParty() async throws {
        try await ShellWorld.run { world in
            await world.type("as alice", "party create 'Big Coffee'")
            let party = await world.runner.run("photo show 'Big Coffee'").shellError
            #expect(party?.message == "there is no photo `Big Coffee`")
            #expect(party?.remedy == "photo list \"Big Coffee\"")
            #expect(await world.runner.run("photo show A.jpg").shellError?.remedy == "photo list PARTY")
        }
    }

    @Test("Amounts of money are aligned on the right")
    func money() async throws {
        try await ShellWorld.run { world in
            await world.type("as alice", "receipt add Hats 5", "receipt add Toys 1250.50")
            let lines = await world.data("receipt list").split(separator: "\n")
            let ends = lines.dropFirst().map { line in
                line.firstRange(of: /[0-9]+\.[0-9]{2}/).map {
                    line.distance(from: line.startIndex, to: $0.upperBound)
                }
            }
            #expect(ends.count == 2)
            #expect(Set(ends).count == 1)
        }
    }

    @Test("chafa is found as soon as it is installed, without leaving the shell")
    func viewer() async throws {
        try await withFolder { folder in
            let viewer = PictureViewer(searchPath: folder.path, isColored: false)
            #expect(!viewer.isInstalled)
            let program = folder.appendingPathComponent("chafa").path
            try "#!/bin/sh\n".write(toFile: program, atomically: true, encoding: .utf8)
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
            #expect(viewer.isInstalled)
        }
    }

    @Test("Help has each group once")
    func groups() {
        let headings = HelpText(table: .standard).overview.split(separator: "\n").filter {
            $0.first?.isUppercase == true && !$0.contains(" ")
        }
        #expect(headings.contains("Photos"))
        #expect(Set(headings).count == headings.count)
    }

    @Test("Help shows the first word of every command on a terminal of 24 rows and 80 columns")
    func oneScreen() {
        let lines = HelpText(table: .standard).names.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count <= 22)
        #expect(lines.allSatisfy { $0.count <= 80 }, "\(lines.filter { $0.count > 80 })")
        let words = Set(lines.flatMap { $0.split { $0 == " " || $0 == "," } }.map(String.init))
        #expect(CommandTable.standard.commands.allSatisfy { words.contains($0.path[0]) })
    }

    @Test("Deleting a party counts its attendances, and `undo` the records that change their owner")
    func owners() async throws {
        try await ShellWorld.run { world in
            await world.type("as alice", "party create Tea", "as bob", "attend Tea", "as alice")
            let deleted = await world.runner.run("party delete Tea").rendering
            #expect(deleted.messages.contains("deleted Tea and with it 1 attendance\n"), "\(deleted)")
            let back = await world.runner.run("undo").rendering.messages
            #expect(back.contains("restored Tea; you are now the creator of 1 record"), "\(back)")
            await world.type("party delete Tea")
            #expect(await world.runner.run("undo").rendering.messages == "restored Tea\n")
        }
    }

    @Test("An unknown scene number is answered with the range of numbers")
    func scenes() async throws {
        let end = try await Program.shell("$app demo 99")
        #expect(end.code == 2)
        #expect(end.errors.contains(/there is no scene 99: the numbers are 1 to [0-9]+/))
    }

    @Test("A second shell on a folder is answered with the way to share it")
    func second() async throws {
        let end = try await Program.shell(
            "mkfifo hold; $app --data data < hold & exec 3> hold; echo version >&3; "
                + "while ! test -e data/cloudlet.lock; do :; done; "
                + "$app --data data -c version; exec 3>&-; wait"
        )
        #expect(end.errors.contains("cloudlet serve --data"), "\(end.errors)")
        #expect(end.errors.contains("clown-central --server http://127.0.0.1:8080"))
    }
}
