import Foundation
import Subprocess
import Testing

@testable import CloudletShell
@testable import ClownCentral
@testable import CommandShell
@testable import ShellKit
@testable import TestKit

@Suite("Hostile text from servers", .timeLimit(.minutes(30)))
struct HostileTextTests {
    /// The commands that show texts of other people.
    private static let showing: Set = [
        "party list", "party show", "clown list", "photo list", "note list", "receipt list", "shoebox list",
        "card show", "record show", "record find", "blame", "friends", "why", "zone fetch", "push trace",
    ]

    @Test(
        "No command of the shell prints control codes or hidden characters from a server",
        arguments: [false, true])
    func everyCommand(isJSON: Bool) async throws {
        var hit: Set<String> = []
        for script in try PrintedDocuments.scripts {
            try await ShellWorld.run(isJSON: isJSON, over: { HostileTransport(base: $0) }) { world in
                for statement in Statement.statements(in: script) {
                    // The hostile names prevent that a share is accepted, so its push never comes.
                    if statement.text == "push next", script.contains("share accept") { continue }
                    let rendering = await world.runner.run(statement.text).rendering
                    let text = rendering.data + rendering.messages
                    #expect(HostileText.found(in: text) == nil, "\(statement.text)")
                    if text.contains("evil"), let name = PrintedDocuments.name(of: statement.text) {
                        hit.insert(name)
                    }
                    world.runner.state.change { $0.mode = nil }
                }
            }
        }
        let missed = Self.showing.subtracting(hit).sorted()
        #expect(missed.isEmpty, "these showed nothing of a stranger's; there are \(hit.sorted())")
    }

    @Test("Every mode makes hostile text visible; JSON and CSV for programs keep it unchanged")
    func modes() throws {
        let fields = [
            AnswerField("name", .text(HostileText.text)), AnswerField(HostileText.text, .text("x\ny")),
        ]
        let columns = [Column("NAME", "name")]
        let list = Answer(form: .list, entries: [Entry(fields)], columns: columns, notes: [HostileText.text])
        let record = Answer(form: .record, entries: [Entry(fields)])
        let text = Answer(form: .text("a\n" + HostileText.text))
        for answer in [list, record, text] {
            for mode in OutputMode.allCases {
                for width in [nil, 40] {
                    for isForScreen in [true, false] {
                        var renderer = Renderer(mode: mode, width: width, isForScreen: isForScreen)
                        renderer.dataPaint = Paint(isOn: false)
                        let rendering = renderer.render(answer)
                        let isIntact = mode == .csv && !isForScreen && answer.form != text.form
                        #expect((HostileText.found(in: rendering.data) != nil) == isIntact, "\(mode)")
                        #expect(HostileText.found(in: rendering.messages) == nil)
                    }
                }
            }
        }
        let json = Renderer(isJSON: true).render(list).data
        let names = try JSONDecoder().decode([[String: String]].self, from: Data(json.utf8))
        #expect(names.first?["name"] == HostileText.text)
    }

    @Test("Hostile text in a shell error is visible, and adds no line that looks like another error")
    func shellError() {
        var shellError = ShellError(code: "x", message: "a\nerror: b" + HostileText.text, span: 0..<3)
        shellError.suggestions = [HostileText.text]
        shellError.candidates = [HostileText.text]
        shellError.remedy = "a\nerror: c" + HostileText.text
        shellError.file = HostileText.text
        shellError.line = 1
        let messages = Renderer().render(shellError, line: "abc\(HostileText.text)").messages
        #expect(HostileText.found(in: messages) == nil)
        #expect(messages.components(separatedBy: "\\u{202e}evil").count == 7, "\(messages)")
        #expect(messages.split(separator: "\n").count { $0.hasPrefix("error:") } == 1)
    }

    @Test("Tab inserts a name from the server as one word, or not at all")
    func completion() throws {
        let completer = Completer(table: .standard)
        let site = completer.site(line: "party show ", cursor: 11)
        for (name, insertion) in [
            ("Tea", "Tea "), ("Big Tea", "\"Big Tea\" "), ("--yes", "\"--yes\" "), ("-x", "\"-x\" "),
            ("| rm", "\"| rm\" "), ("|", "\"|\" "), (">", "\">\" "), ("help", "\"help\" "),
            ("$_", "\"\\$_\" "), ("a\"b'c\\d", "\"a\\\"b'c\\\\d\" "), ("# x", "\"# x\" "),
            ("-33.8,151", "-33.8,151 "),
            ("\u{301}x | rm", nil), (HostileText.text, nil), ("a\nb", nil), ("a\u{7}", nil),
            ("a\u{200B}", nil),
        ] as [(String, String?)] {
            let done = completer.completion(at: site, among: [Candidate(name).asName])
            #expect(done.insertion == insertion, "\(name)")
            guard let insertion else { continue }
            let line = "party show " + insertion
            let redirection = StatementRunner.redirection(of: ShellState().expanded(line, last: "x | rm"))
            #expect(redirection.program == nil && redirection.file == nil)
            #expect(try Tokenizer.words(in: line).map(\.text) == ["party", "show", name])
            let arguments = try Parser(table: .standard, now: ShellWorld.now).arguments(line)
            #expect(arguments != nil, "it asks for help")
        }
        let flags = completer.site(line: "party list --se", cursor: 15)
        guard case .words(let words) = flags.source else { return #expect(Bool(false)) }
        #expect(completer.completion(at: flags, among: words).insertion == "--search ")
        let list = CandidateList.text(
            [Candidate(HostileText.text, HostileText.text), Candidate("b")], width: 200)
        #expect(HostileText.found(in: list) == nil && list.contains("evil"))
    }

    @Test("A variable's value stays one word and runs no program, whatever the name of the record")
    func values() throws {
        let state = ShellState()
        let name = "x\" | touch /tmp/x; \" `touch y` $other --yes '"
        state.change { $0.variables = ["other": "secret", "near": "-33.8,151", "bad": "\u{301}\" | rm"] }
        for (line, words) in [
            ("party show $_", ["party", "show", name]),
            ("party show \"$_\"", ["party", "show", name]),
            ("party show '$_'", ["party", "show", name]),
            ("party edit Tea name=$_", ["party", "edit", "Tea", "name=" + name]),
            ("party list --near $near", ["party", "list", "--near", "-33.8,151"]),
            ("party show \\$_", ["party", "show", "$_"]), ("party show \"\\$_\"", ["party", "show", "$_"]),
            ("party show $none", ["party", "show", "$none"]), ("party show $bad", ["party", "show", "$bad"]),
        ] {
            let expanded = state.expanded(line, last: name)
            #expect(try Tokenizer.words(in: expanded).map(\.text) == words, "\(expanded)")
            let redirection = StatementRunner.redirection(of: expanded)
            #expect(redirection.program == nil && redirection.file == nil, "\(expanded)")
        }
    }

    @Test("A program after `|` gets a variable's value as one word, and `sh` runs no part of it")
    func programs() async throws {
        for text in ["a`echo b`", "$(echo b)", "\\`echo b\\`", "'\"; echo b #", "!!", "*", "~", "a\\"] {
            for part in ["$_", "\"$_\"", "'$_'"] {
                let state = ShellState()
                let line = state.expanded("party list | printf '<%s>' \(part)", last: text)
                let program = try #require(StatementRunner.redirection(of: line).program, "\(line)")
                let result = try await ShellPipe.run(
                    program, reading: "", output: .string(limit: 1000), error: .string(limit: 1000))
                #expect(result.standardOutput == "<\(text)>", "\(line)")
            }
        }
    }

    @Test(
        "A value stays one word in a command that is an argument",
        arguments: ["watch", "app run", "app kill --at x", "favourite save f", "alice@phone: app run"])
    func commands(command: String) async throws {
        try await ShellWorld.run { world in
            for name in ["x | touch y", "x > y", "x' | touch y '", "a $other", "it's", "\u{D4E};x"] {
                for inner in ["'party show $_'", "\"party show $_\"", "'party show \"$_\"'"] {
                    let state = world.runner.state
                    _ = state.expanded("", last: name)
                    let line = try world.runner.expanded("\(command) \(inner)", state.currentValues())
                    let argument = try #require(Tokenizer.scan(line).words.last?.text)
                    #expect(try Tokenizer.words(in: argument).map(\.text) == ["party", "show", name])
                    let redirection = StatementRunner.redirection(of: argument)
                    #expect(redirection.program == nil && redirection.file == nil, "\(line)")
                }
            }
        }
    }

    @Test("A record's name that is a path is refused as the file of a redirection")
    func redirection() async throws {
        try await ShellWorld.run { world in
            for name in ["/tmp/x", "../x", "~/x", ".profile"] {
                for line in [
                    "party list > $_", "watch 'party list > $_' --times 1", "output $_", "read \"$_\"",
                    "photo add Tea a.jpg $_", "zone fetch Z --keep=$_", "zone fetch Z --keep $_",
                ] {
                    _ = world.runner.state.expanded("", last: name)
                    let outcome = await world.runner.run(line)
                    #expect(outcome.shellError?.code == "badFile", "\(name)")
                    #expect(outcome.rendering.messages.contains("type the file name"))
                }
            }
        }
    }

    @Test("A favourite's argument stays one word, in quotes and outside of them")
    func favourite() async throws {
        try await ShellWorld.run { world in
            await world.type("as alice", "favourite save make 'party create $1 --place \"at $2\"'")
            let outcome = await world.runner.run("favourite run make 'a | touch x' 'b\" | touch \"x'")
            #expect(outcome.shellError == nil, "\(outcome.rendering.messages)")
            let list = await world.data("party list")
            #expect(list.contains("a | touch x") && list.contains("at b\" | touch \"x"), "\(list)")
        }
    }

    @Test("A line with hidden characters is not added to the history")
    func history() {
        var history = HistoryList()
        let isKept = ["party show \u{202E}evil", "party show 'a\nb'"].map { history.add($0) }
        #expect(isKept == [false, true])
        #expect(history.lines == ["party show 'a\nb'"])
    }

    // MARK: cloudlet

    private static let commands = [
        "container list", "container show c", "container create c", "user list", "user show p",
        "role list c", "role create c r", "role grant c r p", "token list c", "token create c", "key list c",
        "schema export c", "schema diff c", "schema deploy c --yes", "schema grant c T create R",
    ]

    @Test(
        "No command of cloudlet prints control codes or hidden characters from a server",
        arguments: [200, 400])
    func cloudlet(status: Int) async throws {
        let failure =
            #"{"serverErrorCode":"BAD_REQUEST","reason":"\#(HostileText.json)","cloudlet":{"nextStep":"#
        let refusal = failure + "\"\(HostileText.json)\"}}"
        let server = try StubServer(status: status) { request in
            status == 200 ? StubServer.everything(request) : refusal
        }
        defer { server.stop() }
        let lines = Self.commands.flatMap { [$0, $0 + " --json"] }.map {
            "$cloudlet \($0) --server \(server.address) --operator-key-file key; end"
        }
        let setUp = "echo k > key; end() { printf '\\n\\001' | tee /dev/stderr; }"
        let end = try await Program.shell("\(setUp); \(lines.joined(separator: "; "))")
        let (outputs, errors) = (
            end.output.components(separatedBy: "\u{1}"), end.errors.components(separatedBy: "\u{1}")
        )
        for (index, command) in Self.commands.flatMap({ [$0, $0 + " --json"] }).enumerated() {
            let text = outputs[index] + errors[index]
            #expect(HostileText.found(in: text) == nil, "\(command): \(text)")
            // This command prints no text of the server.
            if command == "role grant c r p" { continue }
            #expect(text.contains("evil"), "\(command) showed nothing of the server's: \(text)")
        }
        #expect(server.received.count >= lines.count)
    }
}
