// Owns the tests of the size rule and of its list of exceptions.

import Testing

@Suite("Sizes")
struct SizeRuleTests {
    static func function(lines: Int, named name: String = "load") -> String {
        "func \(name)() {\n" + String(repeating: "    go()\n", count: lines - 2) + "}\n"
    }

    static func exception(
        _ subject: SizeException.Subject, size: Int, since: String = "2026-11-21"
    ) -> SizeException {
        SizeException(
            path: "Sources/CloudService/Snippet.swift", subject: subject, size: size, since: since,
            reason: "test")
    }

    @Test("A limit holds at the limit and not beyond")
    func limits() {
        func count(_ text: String) -> Int {
            SizeRule.findings(in: [snippet(text)], exceptions: []).count
        }
        #expect(count(String(repeating: "é", count: 110)) == 0)
        #expect(count(String(repeating: "é", count: 111)) == 1)
        #expect(count(Self.function(lines: 40)) == 0)
        #expect(count(Self.function(lines: 41)) == 1)
        #expect(count(String(repeating: "a\n", count: 400)) == 0)
        #expect(count(String(repeating: "a\n", count: 401)) == 1)
    }

    @Test("An exception covers exactly what it says, and never more than the hard stop")
    func exceptions() {
        let file = snippet(Self.function(lines: 50))
        func problems(_ exception: SizeException, in file: SourceFile) -> [String] {
            SizeRule.findings(in: [file], exceptions: [exception]).map(\.problem)
        }
        #expect(problems(Self.exception(.function("load"), size: 50), in: file) == [])
        #expect(problems(Self.exception(.function("load"), size: 49), in: file).count == 2)
        #expect(problems(Self.exception(.function("load"), size: 51), in: file).count == 2)
        #expect(problems(Self.exception(.function("save"), size: 50), in: file).count == 2)
        #expect(problems(Self.exception(.function("load"), size: 50, since: "today"), in: file).count == 1)

        let hopeless = snippet(Self.function(lines: 71))
        #expect(problems(Self.exception(.function("load"), size: 71), in: hopeless).count == 1)

        let short = snippet(Self.function(lines: 30))
        let unused = problems(Self.exception(.function("load"), size: 50), in: short)
        #expect(unused.count == 1 && unused[0].hasSuffix("is not needed any more"))
    }

    @Test("Files and wide lines can be excepted too")
    func filesAndLines() {
        let long = snippet(String(repeating: "a\n", count: 450))
        #expect(SizeRule.findings(in: [long], exceptions: [Self.exception(.file, size: 450)]).isEmpty)
        let wide = snippet(String(repeating: String(repeating: "a", count: 120) + "\n", count: 3))
        #expect(SizeRule.findings(in: [wide], exceptions: [Self.exception(.wideLines, size: 3)]).isEmpty)
        #expect(SizeRule.findings(in: [wide], exceptions: [Self.exception(.wideLines, size: 2)]).count == 4)
    }

    static let spans: [(code: String, names: [String])] = [
        ("func a<T>(x: [Int] = [1], f: () -> Int = { 3 }) async throws(E) -> T\nwhere T: P {\n}", ["a"]),
        ("init?(x: Int) { self.init(y: x) }", ["init"]),
        ("subscript(x: Int) -> Int {\n get { 1 }\n}", ["subscript"]),
        ("deinit { }", ["deinit"]),
        ("var a: Int { 3 }\nvar b = 3\nvar c = { 4 }()\nlet d: Int", ["a"]),
        ("protocol P {\n func a()\n func b() -> Int\n init(x: Int)\n var c: Int { get }\n}", ["c"]),
        ("static func == (a: A, b: A) -> Bool { true }", ["="]),
        ("func a() -> String { \"}\" }\nfunc b() { }", ["a", "b"]),
        ("func a() {\n func b() {\n }\n}", ["a", "b"]),
        ("list.func { }\nx.init(y) { }", []),
    ]

    @Test("Functions are found with their bodies", arguments: spans)
    func functions(code: String, names: [String]) {
        #expect(FunctionSpan.all(in: snippet(code)).map { $0.name.first == "=" ? "=" : $0.name } == names)
    }

    @Test("A function reaches from its first line to its closing brace")
    func reach() {
        let span = FunctionSpan.all(in: snippet("\nfunc a(\n    x: Int\n) {\n    go { 1 }\n}\n")).first
        #expect(span == FunctionSpan(name: "a", firstLine: 2, lastLine: 6))
    }
}
