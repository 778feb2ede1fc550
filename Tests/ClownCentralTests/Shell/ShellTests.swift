import Foundation
import Synchronization
import Testing

@testable import CloudletShell
@testable import ClownCentral
@testable import CommandShell
@testable import ShellKit
@testable import TestKit

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
            #expect(outcomes.compactMap(\.shellError).isEmpty)
            #expect(outcomes[6].rendering.messages.hasPrefix("no parties yet"))
        }
    }

    @Test("parties without a start or a place are listed before any party has one, but not with --near")
    func unknownFields() async throws {
        try await ShellWorld.run { world in
            await world.type("as alice", "party create Tea", "party create Coffee")
            let outcomes = await world.type(
                "party list",
                "expect count 2",
                "expect name = Coffee",
                "party list --near 0,0",
                "expect none",
                "party list --near 0,0 --within 1km",
                "expect none",
                "party list --after now",
                "expect none"
            )
            #expect(outcomes.compactMap(\.shellError).isEmpty)
        }
    }

    @Test("`party list` shows the next party first, then the past ones, the latest first")
    func upcomingFirst() async throws {
        try await ShellWorld.run { world in
            await world.type(
                "as alice", "party create Old --starts -9d", "party create Soon --starts +1h",
                "party create Recent --starts -1d", "party create Later --starts +9d", "party create Someday",
                "party create Tomorrow --starts +1d")
            let coming = ["Soon", "Tomorrow", "Later"]
            #expect(await names("party list", in: world) == coming + ["Recent", "Old", "Someday"])
            #expect(await names("party list --limit 4", in: world) == coming + ["Recent"])
            #expect(await names("party list --limit 2", in: world) == ["Soon", "Tomorrow"])
            #expect(await world.runner.run("expect more = true").isHeldClaim)
            #expect(await names("party list --after -3d", in: world) == coming + ["Recent"])
            let byDate = await names("party list --sort date --after -30d", in: world)
            #expect(byDate == ["Old", "Recent"] + coming)
        }
    }

    /// The first column of a command's table.
    private func names(_ line: String, in world: ShellWorld) async -> [String] {
        let lines = await world.data(line).split(separator: "\n").dropFirst()
        return lines.map { String($0.prefix { $0 != " " }) }
    }

    @Test("`party list --near` shows only parties with a place, in every order")
    func near() async throws {
        try await ShellWorld.run { world in
            let outcomes = await world.type(
                "as alice", "party create Here --at 0,1 --starts +1d", "party create Nowhere --starts +2d",
                "party create There --at 0,-179 --starts +3d", "party list --near 0,0", "expect count 2",
                "expect name = Here", "party list --near 0,0 --sort name", "expect count 2",
                "party list --near 0,0 --limit 2", "expect count 2", "party list --near 0,0 --sort upcoming",
                "expect count 2", "party list", "expect count 3")
            #expect(outcomes.compactMap(\.shellError).isEmpty)
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

    @Test("without an account reading works, and the error of a write says how to sign in")
    func anonymous() async throws {
        try await ShellWorld.run { world in
            let outcomes = await world.type("party list", "party create Tea")
            #expect(outcomes[0].shellError == nil)
            #expect(outcomes[1].shellError?.code == "notAuthenticated")
            #expect(outcomes[1].shellError?.exit == .notSignedIn)
            #expect(outcomes[1].shellError?.remedy == ShellError.signInRemedy)
            #expect(
                outcomes[1].shellError?.message == "nobody is signed in, and `party create` needs an account")
            let own = await world.type("card show Bozo", "zone fetch Jokes")
            #expect(own.allSatisfy { $0.rendering.messages.contains("error: nobody is signed in") })
            let help = await world.type("status help", "version")
            #expect(help[0].rendering.data.hasPrefix("status\n"))
            #expect(help[1].rendering.data.contains("readline"))
            #expect(await world.type("demo")[0].shellError?.remedy == "quit, then: clown-central demo")
        }
    }

    @Test("a name that fits several parties is answered with candidates")
    func ambiguous() async throws {
        try await ShellWorld.run { world in
            await world.type("as alice", "party create Tea")
            await world.type("party create \"Tea A\"", "party create \"Tea B\"")
            let several = await world.type("party show \"Tea \"")[0].shellError
            #expect(several?.code == "ambiguousName")
            #expect(several?.candidates.count == 2)
            #expect(several?.span == 11..<17)
            #expect(await world.type("party show Tea")[0].shellError == nil)
            let typo = await world.type("party show \"Tee A\"")[0].shellError
            #expect(typo?.code == "notFound")
            #expect(typo?.suggestions.first == "Tea A")
        }
    }

    @Test("upper and lower case matter only if two names differ in nothing else")
    func capitals() async throws {
        try await ShellWorld.run { world in
            let outcomes = await world.type(
                "as alice", "party create \"Coffee House\"", "party show \"coffee h\"",
                "expect name = \"Coffee House\"", "party show COFFEE", "expect name = \"Coffee House\"",
                "party create coffee", "party show Coffee", "expect name = \"Coffee House\"",
                "party show coffee", "expect name = coffee", "party show COFFEE", "expect name = coffee",
                "party create \"COFFEE shop\"", "party show coffe", "expect name = coffee"
            )
            #expect(outcomes.compactMap(\.shellError).isEmpty)
            #expect(await world.type("party show cOFFEe\\ ")[0].shellError?.code == "ambiguousName")
        }
    }

    @Test("seeds that another person stored are counted, and are not an error")
    func seeds() async throws {
        try await ShellWorld.run { world in
            let outcomes = await world.type(
                "as alice", "seed", "expect others = 0", "as bob", "seed", "expect others = 1835",
                "expect parties = 520", "sign-out", "seed", "expect others = 1835"
            )
            #expect(outcomes.compactMap(\.shellError).isEmpty)
            #expect(outcomes[4].rendering.messages.contains("1835 records of another person"))
        }
    }

    @Test(
        "deleting a party asks for confirmation, except with --yes", arguments: [true, false])
    func question(answer: Bool) async throws {
        let asked = Mutex<[String]>([])
        let ask: @Sendable (String) throws -> Bool = { text in
            asked.withLock { $0.append(text) }
            return answer
        }
        try await ShellWorld.run(confirm: ask) { world in
            await world.type("as alice", "party create Tea", "party delete Tea")
            #expect(asked.withLock { $0 } == ["delete Tea?"])
            let left = await world.type("party list", "expect count \(answer ? 0 : 1)")
            #expect(left.compactMap(\.shellError).isEmpty)
            await world.type("party create Milk", "party delete Milk --yes")
            #expect(asked.withLock { $0.count } == 1)
        }
    }

    @Test(
        "help for a group has several spellings",
        arguments: ["party help", "party --help", "party -h", "help party"])
    func help(line: String) async throws {
        try await ShellWorld.run { world in
            let outcome = await world.type(line)[0]
            #expect(outcome.shellError == nil)
            #expect(outcome.rendering.data.contains("party create NAME"))
            #expect(outcome.rendering.data.contains("party delete PARTY"))
        }
    }

    @Test("deleting a party deletes its clowns")
    func deletedClowns() async throws {
        try await ShellWorld.run { world in
            await world.type("as alice", "party create Tea", "clown assign Bozo --to Tea")
            let outcomes = await world.type(
                "clown list", "expect partyName = Tea", "party delete Tea", "clown list", "expect none"
            )
            #expect(outcomes.compactMap(\.shellError).isEmpty)
        }
    }

    @Test("a photo file that does not exist is an error with the next step, and nothing is said to be stored")
    func missingPhoto() async throws {
        try await ShellWorld.run { world in
            let outcome = await world.type("as alice", "party create Lamp", "photo add Lamp nosuch.jpg")[2]
            #expect(outcome.shellError?.message == "nosuch.jpg: there is no such file")
            #expect(outcome.shellError?.remedy == "name a JPEG or PNG file; Tab completes file names")
            #expect(!outcome.rendering.messages.contains("stored"))
        }
    }

    @Test("bad photos of a batch are reported with the reason, and the good ones are stored")
    func badPhotos() async throws {
        try await ShellWorld.run { world in
            let text = world.folder.appendingPathComponent("notes.jpg")
            let empty = world.folder.appendingPathComponent("empty.png")
            try Data("a text".utf8).write(to: text)
            try Data().write(to: empty)
            let good = "Data/Seeds/photos/01-bozo.jpg"
            let cut = world.folder.appendingPathComponent("cut.jpg")
            let whole = try Data(contentsOf: URL.package.appendingPathComponent(good))
            try whole.prefix(whole.count / 2).write(to: cut)
            let pipe = world.folder.appendingPathComponent("pipe.jpg")
            #expect(mkfifo(pipe.path, 0o600) == 0)
            await world.type("as alice", "party create Tea")
            let outcome = await world.type(
                "photo add Tea missing.jpg Data \(text.path) \(empty.path) \(cut.path) \(pipe.path) \(good)"
            )[0]
            #expect(outcome.shellError?.code == "badPhoto")
            let messages = outcome.rendering.messages
            #expect(messages.contains("missing.jpg: there is no such file"))
            #expect(messages.contains("Data: is a folder"))
            #expect(messages.contains("notes.jpg: is a text"))
            #expect(messages.contains("empty.png: is empty"))
            #expect(messages.contains("cut.jpg: is a truncated picture"))
            #expect(messages.contains("pipe.jpg: is a pipe, a socket or a device"))
            let listed = await world.type("photo list Tea", "expect count 1", "expect name = 01-bozo.jpg")
            #expect(listed.compactMap(\.shellError).isEmpty)
        }
    }

    @Test(
        "thumbnails are upright and 256 pixels at most",
        .enabled(if: ShellWorld.hasThumbnailer, "vipsthumbnail is not installed"),
        arguments: ["01-bozo.jpg", "02-balloons.png", "04-turned-right.jpg", "05-turned-left.jpg"]
    )
    func thumbnails(name: String) async throws {
        try await ShellWorld.run { world in
            let file = URL.package.appendingPathComponent("Data/Seeds/photos/\(name)")
            let full = try #require(ImageHeader(try Data(contentsOf: file))?.size)
            let copy = world.folder.appendingPathComponent("copy")
            await world.type("as alice", "party create Tea", "photo add Tea \(file.path)")
            await world.type("photo save \(name) \(copy.path) --thumbnail")
            let small = try #require(ImageHeader(try Data(contentsOf: copy))?.size)
            #expect(max(small.width, small.height) == 256)
            #expect((small.width > small.height) == (full.width > full.height))
            await world.type("photo save \(name) \(copy.path)")
            #expect(try Data(contentsOf: copy) == (try Data(contentsOf: file)))
            let stats = await world.data("stats")
            #expect(stats.contains("upload") && stats.contains("download") && !stats.contains("assets/"))
        }
    }

    @Test("names are completed from the database, whatever the case of their first letter")
    func liveNames() async throws {
        try await ShellWorld.run { world in
            await world.type("as alice", "party create \"Balloon Ball\"", "party create Tea")
            let found = await world.names(of: .party, beginningWith: "ball")
            #expect(found.map(\.text) == ["Balloon Ball"])
            #expect(await world.names(of: .party, beginningWith: "").count == 2)
            let people = await world.names(of: .person, beginningWith: "")
            #expect(people.map(\.text) == ["alice"])
        }
    }
}
