import Foundation
import Testing

@testable import CloudletShell
@testable import ClownCentral
@testable import CommandShell
@testable import ShellKit

@Suite("A line becomes a command")
struct ParserTests {
    private let now = Date(timeIntervalSince1970: 1_783_188_000)  // 2026-07-04 18:00 UTC

    private func parse(_ line: String) throws -> CommandAction? {
        try Parser(table: .standard, now: now).request(line)?.action
    }

    /// The words of a line sorted for the command of that name.
    private func arguments(_ name: String, _ line: String) throws -> ParsedArguments {
        let arguments = try #require(try Parser(table: .standard, now: now).arguments(line))
        #expect(arguments.spec.name == name)
        return arguments
    }

    private func draft(_ line: String) throws -> PartyDraft {
        try PartyCommands.draft(try arguments("party create", line))
    }

    /// What a line asks help about.
    private func topic(_ line: String) throws -> [String]? {
        if case .help(let topic)? = try parse(line) { topic } else { nil }
    }

    private func complaint(_ line: String) -> Complaint? {
        #expect(throws: Complaint.self) { try parse(line) }
    }

    @Test("with all its flags understood")
    func create() throws {
        let line =
            #"party create "Balloon Ball" --place "Pier 7" --at -33.86,151.2 --starts +2d --summary=fun"#
        let expected = PartyDraft(
            name: "Balloon Ball",
            summary: "fun",
            place: "Pier 7",
            location: Coordinate(latitude: -33.86, longitude: 151.2),
            starts: now.addingTimeInterval(172_800)
        )
        #expect(try draft(line) == expected)
    }

    @Test("with flags before and after the arguments, and two dashes ending them")
    func flagOrder() throws {
        let expected = PartyDraft(name: "X", place: "here")
        #expect(try draft("party create --place here X") == expected)
        #expect(try draft("party create X --place here") == expected)
        #expect(try draft("party create -- --loud") == PartyDraft(name: "--loud"))
        #expect(try draft(#"party create "--loud""#) == PartyDraft(name: "--loud"))
    }

    @Test("with an order that follows from the place")
    func list() throws {
        let line = "party list --near 37.78,-122.4 --within 5km --limit 3"
        let filter = try PartyCommands.filter(try arguments("party list", line))
        #expect(filter.within == 5000)
        #expect(filter.order == .distance)
        #expect(filter.limit == 3)
        #expect(try PartyCommands.filter(try arguments("party list", "party list")) == PartyFilter())
    }

    @Test("also under its other spellings", arguments: ["quit", "exit", #"\q"#, ".quit", ".exit"])
    func quit(line: String) throws {
        guard case .leave(0)? = try parse(line) else {
            Issue.record("\(line) leaves")
            return
        }
    }

    @Test("also when help is asked for in any way")
    func help() throws {
        for line in ["help", "?", #"\?"#, ".help"] { #expect(try topic(line) == []) }
        #expect(try topic("party list --help") == ["party", "list"])
        #expect(try topic("help party list") == ["party", "list"])
    }

    @Test("and the answer is wanted as JSON when the line says so")
    func json() throws {
        let parser = Parser(table: .standard, now: now)
        #expect(try parser.request("photo list Tea --json")?.isJSON == true)
        #expect(try parser.request("photo list Tea")?.isJSON == false)
        #expect(try draft("party create \"--json\"") == PartyDraft(name: "--json"))
    }

    @Test("or nothing, when there is none", arguments: ["", "   ", "# a comment"])
    func nothing(line: String) throws {
        let request = try Parser(table: .standard, now: now).request(line)
        #expect(request == nil)
    }

    @Test(
        "or a complaint with the nearest command",
        arguments: [
            ("prty list", ["party"]),
            ("lst", ["party list", "clown list", "photo list", "note list"]),
            ("create Coffee", ["party create", "card create", "container create", "role create"]),
            ("listen", ["push listen", "party list", "clown list", "photo list"]),
            ("party lst", ["party list"]),
            ("party list --limt 3", ["--limit"]),
            ("staus", ["stats", "status"]),
        ]
    )
    func didYouMean(line: String, expected: [String]) {
        let complaint = complaint(line)
        #expect(complaint?.suggestions == expected)
        #expect(complaint?.exit == .usage)
    }

    @Test("or a complaint about a word too many, which speaks of quotes only where they may be missing")
    func tooMany() {
        #expect(complaint("note add Bring a cake")?.remedy?.hasPrefix("put a name of several words") == true)
        #expect(complaint("note add Tea 'Bring a cake'")?.remedy == "note add TEXT [--party PARTY]")
    }

    @Test(
        "or a complaint that points at the place",
        arguments: [
            ("party create X --at 95,0", 20..<24),
            ("party create X --starts someday", 24..<31),
            ("party list --limit 0", 19..<20),
            ("party list --within 5km", 20..<23),
            ("party list --sort distance", 18..<26),
            ("party show A B", 13..<14),
            ("party edit A colour=red", 13..<23),
            ("quit 256", 5..<8),
            ("party create \"\"", 13..<15),
            ("party create X --place a --place b", 25..<32),
            ("photo save a b --thumbnail=1", 15..<28),
        ]
    )
    func spans(line: String, span: Range<Int>) {
        #expect(complaint(line)?.span == span)
    }

    @Test(
        "or a complaint that shows what is missing",
        arguments: [
            "party", "party create", "party show", "clown assign Bozo", "photo add X", "party create X --at",
        ]
    )
    func missing(line: String) {
        #expect(complaint(line)?.remedy != nil)
    }

    @Test("and no line whatever makes it crash")
    func fuzz() {
        var numbers = SplitMix64(seed: 7)
        let pieces = [
            "party", "list", "create", "photo", "expect", "--at", "--limit", "=", "\"", "'", "\\", " ", "  ",
            "🤡",
            "1", "-1", "[", "]", ".", "count", "every", "#", "--", "-", "+2d", "99999999999999999999", "a=b",
            "\u{0}",
        ]
        for _ in 0..<4000 {
            let line = (0..<numbers.below(9)).map { _ in numbers.pick(pieces) }.joined()
            _ = try? parse(line)
            _ = Completer(table: .standard).site(line: line, cursor: numbers.below(line.count + 1))
        }
    }
}
