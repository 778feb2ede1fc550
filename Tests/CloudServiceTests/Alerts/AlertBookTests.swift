import Records
import Testing

@testable import CloudService

@Suite("Alerts")
struct AlertBookTests {
    @Test(
        "A rule is a figure and its bound",
        arguments: [
            ("errors>5%", AlertRule.Figure.errors, 5.0), (" quota > 92.5% ", .quota, 92.5),
            ("silence>90s", .silence, 90), ("silence>30m", .silence, 1800), ("silence>2h", .silence, 7200),
            ("silence>1d", .silence, 86_400), ("errors>0%", .errors, 0),
            ("people>0", .people, 0), ("people > 99", .people, 99),
        ])
    func rules(text: String, figure: AlertRule.Figure, bound: Double) throws {
        let rule = try AlertRule(text)
        #expect(rule.figure == figure)
        #expect(rule.bound == bound)
    }

    @Test(
        "Any other text is refused, and the error names it",
        arguments: [
            "", "errors", "errors>", "errors>5", "errors>100%", "errors>-1%", "errors>nan%", "silence>5%",
            "silence>0m", "silence>m", "silence>1001d", "quota>5m", "load>5%", "people>5%", "people>-1",
            "people>100", "errors>5%>6%",
        ])
    func refused(text: String) {
        let error = #expect(throws: RecordError.self) { try AlertRule(text) }
        #expect(error?.culprit == text)
    }

    @Test("A setting has at most twenty rules, separated by commas")
    func list() throws {
        #expect(try AlertRule.rules("errors>5%, quota>90%").map(\.text) == ["errors>5%", "quota>90%"])
        let twenty = Array(repeating: "errors>5%", count: 20)
        #expect(try AlertRule.rules(twenty.joined(separator: ",")).count == 20)
        #expect(throws: RecordError.self) {
            try AlertRule.rules((twenty + ["errors>5%"]).joined(separator: ","))
        }
    }

    /// The alerts that a book sends, step by step: seconds, requests, errors.
    private func sent(_ rule: String, _ steps: [(Int64, Int64, Int64)]) throws -> [String] {
        var book = AlertBook([try AlertRule(rule)])
        return steps.map { seconds, requests, errors in
            var figures = AlertFigures()
            (figures.requests, figures.serverErrors, figures.silence) = (requests, errors, Double(seconds))
            return book.step(figures, at: Timestamp(milliseconds: seconds * 1000))
                .map { $0.isRaised ? "raised \($0.value)" : "cleared \($0.value)" }.joined()
        }
    }

    @Test("An alert is raised once and cleared once, and too few requests change nothing")
    func once() throws {
        let steps: [(Int64, Int64, Int64)] = [
            (0, 100, 5), (60, 100, 6), (120, 100, 50), (180, 19, 0), (360, 100, 0), (420, 100, 0),
            (480, 20, 2),
        ]
        #expect(
            try sent("errors>5%", steps) == [
                "", "raised 6.0 %", "", "", "cleared 0.0 %", "", "raised 10.0 %",
            ])
    }

    @Test("A figure near its bound does not raise an alert each minute")
    func flapping() throws {
        let steps = (0..<12).map { ($0 * 60, Int64(100), $0 % 2 == 0 ? Int64(6) : 5) }
        let alerts = try sent("errors>5%", steps).filter { !$0.isEmpty }
        #expect(alerts == ["raised 6.0 %", "cleared 5.0 %", "raised 6.0 %", "cleared 5.0 %"])
    }

    @Test("Missing requests raise an alert, and a request clears it")
    func silence() throws {
        var (book, window) = (AlertBook([try AlertRule("silence>2m")]), RequestWindow(since: time(0)))
        func step(_ seconds: Int64) -> [Bool] {
            book.step(window.figures(at: time(seconds)), at: time(seconds)).map(\.isRaised)
        }
        #expect(step(120) == [])
        #expect(step(121) == [true])
        window.add(isServerError: false, at: time(400))
        #expect(step(421) == [false])
        #expect(step(422) == [])
    }

    @Test("An alert about a quota names the database")
    func quota() throws {
        var book = AlertBook([try AlertRule("quota>90%")])
        #expect(book.step(AlertFigures(), at: time(0)).isEmpty)
        var figures = AlertFigures()
        figures.fullest = AlertFigures.Fullness(database: "iCloud.a production", percent: 93.26)
        #expect(
            book.step(figures, at: time(60)) == [
                Alert(
                    rule: "quota>90%", isRaised: true, value: "93.3 %", subject: "iCloud.a production",
                    at: time(60), nextStep: "look at the page Usage of the console, or raise the quota")
            ])
    }

    @Test("Requests count for five minutes, whatever the clock does")
    func window() {
        var window = RequestWindow(since: time(0))
        for seconds in [0, 30, 60, 290, 299, 3600] as [Int64] {
            window.add(isServerError: seconds == 60, at: time(seconds))
        }
        #expect(window.figures(at: time(3600)).requests == 1)
        var early = RequestWindow(since: time(0))
        for seconds in [0, 30, 60, 290, 299] as [Int64] {
            early.add(isServerError: seconds == 60, at: time(seconds))
        }
        #expect(early.figures(at: time(299)).requests == 5)
        #expect(early.figures(at: time(299)).serverErrors == 1)
        #expect(early.figures(at: time(300)).requests == 3)
        // The clock was set back.
        early.add(isServerError: false, at: time(-36_000))
        #expect(early.figures(at: time(-36_000)).requests == 1)
        #expect(early.figures(at: time(-36_000)).silence == 0)
    }

    private func time(_ seconds: Int64) -> Timestamp { Timestamp(milliseconds: seconds * 1000) }
}
