// Owns the tests of commands through every layer, against a server in this process.
import Foundation
import Testing

@testable import ClownCentral

@Suite("At the shell")
struct ShellTests {
    @Test("a party is created, found by the beginning of its name, edited and deleted")
    func party() async throws {
        try await ShellWorld.run { world in
            let outcomes = await world.type(
                "as alice",
                "party create \"Balloon Ball\" --at 37.78,-122.40 --starts tomorrow",
                "party edit Ball place=\"Pier 7\" starts=",
                "expect place = \"Pier 7\"",
                "expect starts = none",
                "party delete Ball",
                "party list",
                "expect none"
            )
            #expect(outcomes.compactMap(\.complaint).isEmpty)
            #expect(outcomes[6].rendering.talk.hasPrefix("no parties yet"))
        }
    }

    @Test("parties without a start or a place are listed before any party has one")
    func unknownFields() async throws {
        try await ShellWorld.run { world in
            await world.type("as alice", "party create Tea", "party create Coffee")
            let outcomes = await world.type(
                "party list",
                "expect count 2",
                "expect name = Coffee",
                "party list --near 0,0",
                "expect count 2",
                "party list --near 0,0 --within 1km",
                "expect none",
                "party list --after now",
                "expect none"
            )
            #expect(outcomes.compactMap(\.complaint).isEmpty)
        }
    }

    @Test("the same script prints the same bytes")
    func repeatable() async throws {
        let script = [
            "as alice", "party create Tea --starts +2d", "clown assign Bozo --to Tea", "party show Tea",
        ]
        var outputs: [String] = []
        for _ in 0..<2 {
            try await ShellWorld.run(isJSON: true) { world in
                var output = ""
                for line in script { output += await world.data(line) }
                outputs.append(output)
            }
        }
        #expect(outputs[0] == outputs[1])
        #expect(outputs[0].contains("\"starts\":\"2026-07-06T18:00:00Z\""))
    }

    @Test("somebody without an account reads, and is told how to write")
    func anonymous() async throws {
        try await ShellWorld.run { world in
            let outcomes = await world.type("party list", "party create Tea")
            #expect(outcomes[0].complaint == nil)
            #expect(outcomes[1].complaint?.code == "notAuthenticated")
            #expect(outcomes[1].complaint?.exit == .notSignedIn)
            #expect(outcomes[1].complaint?.remedy == "as NAME")
        }
    }

    @Test("a name that fits several parties is answered with all of them")
    func ambiguous() async throws {
        try await ShellWorld.run { world in
            await world.type("as alice", "party create Tea")
            await world.type("party create \"Tea A\"", "party create \"Tea B\"")
            let several = await world.type("party show \"Tea \"")[0].complaint
            #expect(several?.code == "ambiguousName")
            #expect(several?.candidates.count == 2)
            #expect(several?.span == 11..<17)
            #expect(await world.type("party show Tea")[0].complaint == nil)
            let typo = await world.type("party show \"Tee A\"")[0].complaint
            #expect(typo?.code == "notFound")
            #expect(typo?.suggestions.first == "Tea A")
        }
    }

    @Test("a clown whose party is gone says so, and nothing crashes")
    func dangling() async throws {
        try await ShellWorld.run { world in
            await world.type("as alice", "party create Tea", "clown assign Bozo --to Tea")
            let outcomes = await world.type(
                "clown list", "expect partyName = Tea", "party delete Tea", "clown list"
            )
            #expect(outcomes.compactMap(\.complaint).isEmpty)
            #expect(outcomes[3].rendering.data.isEmpty)
        }
    }

    @Test("bad photos of a batch are named with the reason, and the good ones are stored")
    func badPhotos() async throws {
        try await ShellWorld.run { world in
            let text = world.folder.appendingPathComponent("notes.jpg")
            let empty = world.folder.appendingPathComponent("empty.png")
            try Data("a text".utf8).write(to: text)
            try Data().write(to: empty)
            let good = "Data/Seeds/photos/01-bozo.jpg"
            await world.type("as alice", "party create Tea")
            let outcome = await world.type(
                "photo add Tea missing.jpg Data \(text.path) \(empty.path) \(good)"
            )[0]
            #expect(outcome.complaint?.code == "badPhoto")
            let talk = outcome.rendering.talk
            #expect(talk.contains("missing.jpg: there is no such file"))
            #expect(talk.contains("Data: is a folder"))
            #expect(talk.contains("notes.jpg: is a text"))
            #expect(talk.contains("empty.png: is empty"))
            let listed = await world.type("photo list Tea", "expect count 1", "expect name = 01-bozo.jpg")
            #expect(listed.compactMap(\.complaint).isEmpty)
        }
    }

    @Test(
        "thumbnails are upright and 256 pixels at most",
        .enabled(if: ShellWorld.hasThumbnailer, "vipsthumbnail is not installed"),
        arguments: ["01-bozo.jpg", "02-balloons.png", "04-turned-right.jpg", "05-turned-left.jpg"]
    )
    func thumbnails(name: String) async throws {
        try await ShellWorld.run { world in
            let file = ShellWorld.package.appendingPathComponent("Data/Seeds/photos/\(name)")
            let full = try #require(ImageHeader(try Data(contentsOf: file))?.size)
            let copy = world.folder.appendingPathComponent("copy")
            await world.type("as alice", "party create Tea", "photo add Tea \(file.path)")
            await world.type("photo save \(name) \(copy.path) --thumbnail")
            let small = try #require(ImageHeader(try Data(contentsOf: copy))?.size)
            #expect(max(small.width, small.height) == 256)
            #expect((small.width > small.height) == (full.width > full.height))
            await world.type("photo save \(name) \(copy.path)")
            #expect(try Data(contentsOf: copy) == (try Data(contentsOf: file)))
        }
    }

    @Test("names are completed from the database, whatever the case of their first letter")
    func liveNames() async throws {
        try await ShellWorld.run { world in
            await world.type("as alice", "party create \"Balloon Ball\"", "party create Tea")
            let found = await world.runner.interpreter.names(of: .party, beginningWith: "ball")
            #expect(found.map(\.text) == ["Balloon Ball"])
            #expect(await world.runner.interpreter.names(of: .party, beginningWith: "").count == 2)
            let people = await world.runner.interpreter.names(of: .person, beginningWith: "")
            #expect(people.map(\.text) == ["alice"])
        }
    }
}
