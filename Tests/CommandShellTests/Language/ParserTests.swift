import Foundation
import Testing

@testable import CommandShell

@Suite("Parsing a line")
struct ParserTests {
    private let parser = Parser(table: .tasks, now: Date(timeIntervalSince1970: 1_783_188_000))

    private func parse(_ line: String) throws -> CommandAction? {
        try parser.request(line)?.action
    }

    private func arguments(_ line: String) throws -> ParsedArguments {
        try #require(try parser.arguments(line))
    }

    /// The topic of a line that asks for help; nil for other lines.
    private func topic(_ line: String) throws -> [String]? {
        if case .help(let topic)? = try parse(line) { topic } else { nil }
    }

    private func shellError(_ line: String) -> ShellError? {
        #expect(throws: ShellError.self) { try parse(line) }
    }

    @Test("Flags may stand before and after the arguments, and `--` ends them")
    func flagOrder() throws {
        for line in [
            "task create --place here X", "task create X --place here", "task create X --place=here",
        ] {
            let arguments = try arguments(line)
            #expect(try arguments.name("NAME") == "X")
            #expect(arguments.text("place") == "here")
        }
        for line in ["task create -- --loud", #"task create "--loud""#] {
            #expect(try arguments(line).name("NAME") == "--loud")
        }
    }

    @Test("`quit` has other spellings", arguments: ["quit", "exit", #"\q"#, ".quit", ".exit"])
    func quit(line: String) throws {
        guard case .exit(0)? = try parse(line) else {
            Issue.record("\(line) leaves")
            return
        }
    }

    @Test("Help has several spellings")
    func help() throws {
        for line in ["help", "?", #"\?"#, ".help"] { #expect(try topic(line) == []) }
        #expect(try topic("task list --help") == ["task", "list"])
        #expect(try topic("help task list") == ["task", "list"])
    }

    @Test("--json asks for JSON")
    func json() throws {
        #expect(try parser.request("task show Tea --json")?.isJSON == true)
        #expect(try parser.request("task show Tea")?.isJSON == false)
        #expect(try arguments(#"task create "--json""#).name("NAME") == "--json")
    }

    @Test("A blank line and a comment are no request", arguments: ["", "   ", "# a comment"])
    func nothing(line: String) throws {
        let request = try parser.request(line)
        #expect(request == nil)
    }

    @Test(
        "A mistyped word is answered with the nearest commands",
        arguments: [
            ("tsk list", ["task list"]), ("tsk", ["task"]), ("tsk delete 'a b'", ["task delete \"a b\""]),
            ("lst", ["task list", "project list", "favourite list", "config list"]),
            ("create Tea", ["task create", "project create"]), ("task lst", ["task list"]),
            ("task remove Tea", ["task delete"]), ("task list --limt 3", ["--limit"]), ("staus", ["status"]),
        ]
    )
    func didYouMean(line: String, expected: [String]) {
        let shellError = shellError(line)
        #expect(shellError?.suggestions == expected)
        #expect(shellError?.exit == .usage)
    }

    @Test("For a word too many, quotes are advised only if they may be missing")
    func tooMany() {
        #expect(
            shellError("project create Tea for two")?.remedy?.hasPrefix("put a name of several words") == true
        )
        #expect(shellError("project create Tea 'for two'")?.remedy == "project create NAME")
    }

    @Test("The operators of other shells that join commands are explained", arguments: [";", "&&"])
    func joined(by joint: String) {
        let shellError = shellError("task show Tea \(joint) task list")
        #expect(shellError?.message == "`\(joint)` joins no commands here: a line is one command")
        #expect(shellError?.remedy == "give each command a line or a -c of its own")
    }

    @Test("For a command that is not in quotes, the suggestion has quotes")
    func unquotedCommand() {
        for line in ["watch task list", "watch 1 task list", "watch task list --every 1"] {
            let shellError = shellError(line)
            #expect(shellError?.suggestions == [#"watch "task list""#])
            #expect(shellError?.remedy?.hasPrefix("put the command in quotes: watch COMMAND") == true)
        }
        let favourite = shellError("favourite save teas task list")
        #expect(favourite?.suggestions == [#"favourite save teas "task list""#])
    }

    @Test("A field can be given as --field VALUE and as field=VALUE")
    func fields() throws {
        for line in ["task edit Tea --place Pier", "task edit Tea place=Pier", "task edit --place=Pier Tea"] {
            let words = try arguments(line).positions.map(\.text)
            #expect(Set(words) == ["Tea", "place=Pier"])
        }
        #expect(shellError("task edit Tea --plce Pier")?.message == "`task edit` has no flag --plce")
        #expect(shellError("task edit Tea --plce Pier")?.suggestions == ["--place"])
        #expect(shellError("task create Tea place=Pier")?.suggestions == ["--place Pier"])
    }

    @Test("A required flag has no brackets in the usage line")
    func requiredFlag() {
        #expect(shellError("file move Plan")?.message == "--to TASK is missing")
        #expect(shellError("file move Plan")?.remedy == "file move NAME --to TASK")
    }

    @Test("Words of other shells are answered with a remedy of their own", arguments: ["history", ";"])
    func otherShells(line: String) {
        let table = CommandTable([], explainedWords: ShellCommands.explainedWords)
        let shellError = #expect(throws: ShellError.self) {
            try Parser(table: table, now: .distantPast).request(line)
        }
        let explained = ShellCommands.explainedWords.first { $0.word == line }
        #expect(explained != nil)
        #expect(shellError?.message == explained?.message)
        #expect(shellError?.remedy == explained?.remedy)
    }

    @Test(
        "An error points at the position of the word",
        arguments: [
            ("task create X --at 95,0", 19..<23), ("task create X --starts someday", 23..<30),
            ("task list --limit 0", 18..<19), ("task show A B", 12..<13), ("quit 256", 5..<8),
            ("task create \"\"", 12..<14), ("task create X --place a --place b", 24..<31),
            ("file save a b --small=1", 14..<23),
        ]
    )
    func spans(line: String, span: Range<Int>) {
        #expect(shellError(line)?.span == span)
    }

    @Test("The error for a missing argument lists the words to choose from")
    func choices() {
        let parser = Parser(table: CommandTable(ShellCommands.all), now: .distantPast)
        let shellError = #expect(throws: ShellError.self) { try parser.request("mode") }
        #expect(shellError?.message == "MODE is missing: table, line, json, jsonl, csv, markdown")
    }

    @Test("A number that is too large is reported as such")
    func tooLarge() {
        let digits = String(repeating: "9", count: 23)
        #expect(shellError("task list --limit \(digits)")?.message == "the number for --limit is too large")
        #expect(shellError("task list --limit x")?.message == "--limit takes a whole number from 1")
        let long = #expect(throws: ShellError.self) { try ParsedArguments.duration([Word("\(digits)d")]) }
        #expect(long?.message == "the duration is longer than 3000 years")
        let form = #expect(throws: ShellError.self) { try ParsedArguments.duration([Word("0d")]) }
        #expect(form?.message.hasPrefix("a duration looks like") == true)
    }

    @Test(
        "An error about a missing word has a remedy",
        arguments: ["task", "task create", "task show", "file add X", "task create X --at"]
    )
    func missing(line: String) {
        #expect(shellError(line)?.remedy != nil)
    }

    @Test("No line of random words crashes the parser")
    func fuzz() {
        var state: UInt64 = 7
        func below(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % bound
        }
        let pieces = [
            "task", "list", "create", "file", "expect", "--at", "--limit", "=", "\"", "'", "\\", " ", "  ",
            "🫖", "1", "-1", "[", "]", ".", "count", "every", "#", "--", "-", "+2d", "99999999999999999999",
            "a=b", "\u{0}",
        ]
        for _ in 0..<4000 {
            let line = (0..<below(9)).map { _ in pieces[below(pieces.count)] }.joined()
            _ = try? parse(line)
            _ = Completer(table: .tasks).site(line: line, cursor: below(line.count + 1))
        }
    }
}
