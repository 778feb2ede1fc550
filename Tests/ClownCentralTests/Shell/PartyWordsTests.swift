import Foundation
import Testing

@testable import CloudletShell
@testable import ClownCentral
@testable import CommandShell
@testable import ShellKit

@Suite("The commands for parties")
struct PartyWordsTests {
    private let now = Date(timeIntervalSince1970: 1_783_188_000)  // 2026-07-04 18:00 UTC
    private let party = Party(
        id: "party-1", name: "Coffee", location: Coordinate(latitude: 37.78, longitude: -122.4),
        starts: Date(timeIntervalSince1970: 1_783_188_000))

    private func arguments(_ line: String) throws -> ParsedArguments {
        try #require(try Parser(table: .standard, now: now).arguments(line))
    }

    @Test("`party create` takes the values of all its flags")
    func create() throws {
        let line =
            #"party create "Balloon Ball" --place "Pier 7" --at -33.86,151.2 --starts +2d --summary=fun"#
        let expected = PartyDraft(
            name: "Balloon Ball", summary: "fun", place: "Pier 7",
            location: Coordinate(latitude: -33.86, longitude: 151.2),
            starts: now.addingTimeInterval(172_800))
        #expect(try PartyCommands.draft(try arguments(line)) == expected)
    }

    @Test("`party list` is sorted by distance with --near, otherwise the next party is the first")
    func list() throws {
        let filter = try PartyCommands.filter(
            try arguments("party list --near 37.78,-122.4 --within 5km --limit 3"))
        #expect(filter.within == 5000)
        #expect(filter.order == .distance)
        #expect(filter.limit == 3)
        #expect(try PartyCommands.filter(try arguments("party list")) == PartyFilter())
    }

    @Test(
        "an invalid argument is marked in the line",
        arguments: [
            ("party list --within 5km", 20..<23), ("party list --sort distance", 18..<26),
            ("party edit A colour=red", 13..<23),
        ]
    )
    func spans(line: String, span: Range<Int>) {
        let shellError = #expect(throws: ShellError.self) {
            try Parser(table: .standard, now: now).parse(line)
        }
        #expect(shellError?.span == span)
    }

    @Test("the answer is a table, advice if there are no parties, or JSON")
    func answers() {
        let near = PartyFilter(near: Coordinate(latitude: 37.78, longitude: -122.4), order: .distance)
        let table = Renderer().render(.parties([party], filter: PartyFilter(), hasMore: false))
        #expect(table.data == "NAME    STARTS            ID\nCoffee  2026-07-04 18:00  party-1\n")
        let none = Renderer().render(.parties([], filter: PartyFilter(), hasMore: false))
        #expect(none.messages.hasPrefix("no parties yet; create one: party create"))
        let json = Renderer(isJSON: true).render(.parties([party], filter: near, hasMore: false))
        #expect(
            json.data.contains(#""location":{"latitude":37.78,"longitude":-122.4},"starts":"2026-07-04T18"#))
        #expect(json.data.hasSuffix(#""ends":null,"distance":0}]"# + "\n"))
    }

    @Test("Tab completes parties, clowns, photos, files and people")
    func completion() {
        let completer = Completer(table: .standard)
        func source(_ line: String) -> CompletionSite.Source {
            completer.site(line: line, cursor: line.count).source
        }
        #expect(source("party show Cof") == .live(.party))
        #expect(source("clown assign Bozo --to ") == .live(.party))
        #expect(source("clown remove B") == .live(.clown))
        #expect(source("photo save A") == .live(.photo))
        #expect(source("photo add Coffee ") == .files)
        #expect(source("as al") == .live(.person))
    }

    @Test("every command is in the help, with examples that parse")
    func help() throws {
        let parser = Parser(table: .standard, now: Date.distantPast)
        for spec in CommandTable.standard.commands {
            #expect(HelpText(table: .standard).overview.contains("  \(spec.name) "))
            #expect(!spec.examples.isEmpty)
            for example in spec.examples { #expect(try parser.request(example)?.action != nil) }
        }
        for line in HelpText(table: .standard).overview.split(separator: "\n") {
            let lines = WrappedText.fitted(String(line), to: 80).split(separator: "\n")
            #expect(lines.allSatisfy { $0.count <= 80 })
        }
    }
}
