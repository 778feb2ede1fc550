import Foundation
import Testing

@testable import CommandShell

@Suite("Rendering")
struct RendererTests {
    @Test("A long value of a record continues in its column, broken between its parts")
    func longValues() {
        let limits = Value.fields([
            AnswerField("records", .count(200)), AnswerField("recordBytes", .bytes(1_000_000)),
            AnswerField("fields", .count(9)),
        ])
        let entry = Entry([
            AnswerField("name", .text("Tea with all of our neighbours")), AnswerField("limits", limits),
        ])
        let answer = Answer(form: .record, entries: [entry])
        #expect(
            Renderer(width: 32).render(answer).data == """
                name    Tea with all of our
                        neighbours
                limits  records 200,
                        recordBytes 1.0 MB,
                        fields 9

                """)
        #expect(Renderer().render(answer).data.hasSuffix("records 200, recordBytes 1.0 MB, fields 9\n"))
    }

    @Test(
        "A number has its noun in the singular or plural",
        arguments: [
            (1, "day", "1 day"), (2, "day", "2 days"), (2, "entry", "2 entries"), (0, "task", "0 tasks"),
        ])
    func countedNouns(count: Int, noun: String, text: String) {
        #expect(Answer.counted(count, noun) == text)
    }

    @Test("An interrupted command is no error")
    func stopped() {
        #expect(Renderer().render(.interrupted, line: "watch x").messages == "stopped\n")
    }

    @Test("Errors and notes break between words")
    func wrappedErrors() {
        let error = ShellError.usage(
            "`note` is one word too many behind `watch`",
            remedy: "put the command in quotes: watch COMMAND [--every SECONDS]")
        #expect(
            Renderer(width: 32).render(error, line: nil).messages == """
                error: `note` is one word too
                many behind `watch`
                  try: put the command in
                  quotes: watch COMMAND [--every
                  SECONDS]

                """)
        let notes = Answer(form: .message, notes: ["the first 20 are shown; --limit N shows more"])
        #expect(
            Renderer(width: 32).render(notes).messages
                == "the first 20 are shown; --limit\nN shows more\n")
    }

    @Test("Bars have the same width and end with the percentage")
    func bars() {
        let bars = [1, 0.5, 0.05, 0.004, 0].map { Value.bar($0).text }
        #expect(
            bars == [
                "██████████ 100 %", "█████       50 %", "▌            5 %",
                "            <1 %",
                "             0 %",
            ])
        #expect(Set(bars.map(\.count)) == [16])
    }

    @Test("Impossible shares and distances do not crash")
    func impossibleNumbers() {
        for share in [Double.nan, .infinity, -.infinity, 1e300] {
            #expect(Value.share(share).text == "? %")
            #expect(Value.bar(share).text.hasSuffix("? %"))
            #expect(Value.distance(share).text == "? km")
        }
        #expect(Value.bar(1e10).text == "██████████ 1000000000000 %")
    }

    private let task = Entry([
        AnswerField("name", .text("Tea")), AnswerField("place", .missing),
        AnswerField("starts", .moment(Date(timeIntervalSince1970: 1_783_188_000))),
        AnswerField("id", .text("task-1")),
    ])

    private func list(_ entries: [Entry]) -> Answer {
        Answer(
            form: .list, entries: entries,
            columns: [
                Column("NAME", "name"), Column("PLACE", "place"), Column("STARTS", "starts"),
                Column("ID", "id"),
            ],
            whenEmpty: "no tasks yet; make one: task create NAME")
    }

    @Test("A list is a table without its empty columns")
    func table() {
        let rendering = Renderer().render(list([task]))
        #expect(rendering.data == "NAME  STARTS            ID\nTea   2026-07-04 18:00  task-1\n")
        #expect(rendering.messages.isEmpty)
    }

    @Test("An empty list is answered with advice")
    func empty() {
        let rendering = Renderer().render(list([]))
        #expect(rendering.data.isEmpty)
        #expect(rendering.messages == "no tasks yet; make one: task create NAME\n")
    }

    @Test("JSON is one document with the fields in order")
    func json() {
        let rendering = Renderer(isJSON: true).render(list([task]))
        let expected = """
            [{"name":"Tea","place":null,"starts":"2026-07-04T18:00:00Z","id":"task-1"}]

            """
        #expect(rendering.data == expected)
        #expect(Renderer(isJSON: true).render(list([])).data == "[]\n")
    }

    @Test("An error points at the position and has the next step")
    func shellError() throws {
        let line = "task lst"
        let shellError = #expect(throws: ShellError.self) {
            try Parser(table: .tasks, now: Date.distantPast).request(line)
        }
        let rendering = Renderer().render(try #require(shellError), line: line)
        #expect(rendering.data.isEmpty)
        #expect(
            rendering.messages == """
                error: `task` has no command `lst`; it has create, list, show, edit, delete
                  task lst
                       ^^^
                  did you mean task list?
                  try: help task

                """
        )
    }

    @Test("In JSON, an error is a document with its code")
    func errorJSON() {
        let shellError = ShellError(code: "notFound", message: "there is no \"x\"\n", span: 3..<4, line: 7)
        let rendering = Renderer(isJSON: true).render(shellError, line: nil)
        let expected = #"{"error":{"code":"notFound","message":"there is no \"x\"\n","line":7,"span":[3,4]}}"#
        #expect(rendering.data == expected + "\n")
    }

    @Test("In JSON, a batch has its records and its failures")
    func batch() {
        let failure = ShellError(code: "badFile", message: "x.txt: is a text")
        let answer = Answer(form: .list, failures: [failure], isBatch: true)
        let expected = #"{"records":[],"failures":[{"code":"badFile","message":"x.txt: is a text"}]}"#
        #expect(Renderer(isJSON: true).render(answer).data == expected + "\n")
    }

    @Test("Colours depend on the flag, the variables and the terminal")
    func paint() {
        let term = ["TERM": "xterm"]
        #expect(Paint(choice: .auto, environment: term, isTerminal: true).isOn)
        #expect(!Paint(choice: .auto, environment: term, isTerminal: false).isOn)
        #expect(
            !Paint(choice: .auto, environment: ["TERM": "xterm", "NO_COLOR": "1"], isTerminal: true).isOn)
        #expect(!Paint(choice: .auto, environment: ["TERM": "dumb"], isTerminal: true).isOn)
        #expect(Paint(choice: .always, environment: ["NO_COLOR": "1"], isTerminal: false).isOn)
        #expect(!Paint(choice: .never, environment: term, isTerminal: true).isOn)
    }

    @Test("Sizes and distances have units")
    func sizes() {
        #expect(Value.bytesText(812) == "812 B")
        #expect(Value.bytesText(45_120) == "45.1 kB")
        #expect(Value.bytesText(3_249_000) == "3.2 MB")
        #expect(Value.distanceText(340.4) == "340 m")
        #expect(Value.distanceText(5234) == "5.2 km")
    }
}
