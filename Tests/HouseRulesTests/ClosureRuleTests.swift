import Testing

@Suite("The rule about closures beside expectations")
struct ClosureRuleTests {
    private func lines(_ code: String) -> [Int] {
        ClosureRule.findings(in: SourceFile(path: "Tests/A/B.swift", text: code)).map(\.line)
    }

    @Test(
        "In a closure's body, a closure after one in an expectation is reported",
        arguments: [
            "world {\n    #expect(run { 1 } == 1)\n    let x = run { 2 }\n}",
            "world {\n    let a = try #require(list.first { $0 })\n    let x = list.filter { !$0 }\n}",
            "world {\n    #expect(run({ 1 }) == 1)\n    let x = run({ 2 })\n}",
            "world {\n    #expect(run { \"}\" } == 1)\n    if a { run { 2 } }\n}",
            "world {\n    #expect(run { \"\\(f({ 1 }))\" } == 1)\n    for a in b { run { 2 } }\n}",
            "world {\n    #expect(run { /[)}]/ } == 1)\n    guard a else { return run { 2 } }\n}",
            "func f() {\n    world { #expect(run { 1 } == 1) // }\n    run { 2 } }\n}",
        ]
    )
    func caught(code: String) {
        #expect(lines(code) == [3])
    }

    @Test(
        "Other orders of closures are allowed",
        arguments: [
            "func f() {\n    #expect(run { 1 } == 1)\n    let x = run { 2 }\n}",
            "world {\n    let x = run { 2 }\n    #expect(run { 1 } == 1)\n}",
            "world {\n    #expect(run { 1 } == 1)\n    #expect(run { 2 } == 2)\n}",
            "world {\n    #expect(run { 1 } == 1)\n    other\n}\nworld { run { 2 } }",
            "world {\n    world { #expect(run { 1 } == 1) }\n    run { 2 }\n}",
            "world {\n    #expect(throws: E.self) { try f() }\n    run { 2 }\n}",
            "world {\n    #expect(run { 1 } == 1)\n    #expect(throws: E.self) { try f() }\n}",
            "world {\n    #expect(run { 1 } == 1)\n    if a { b } else { c }\n}",
            "world {\n    #expect(run { 1 } == 1)\n    switch a { case .b: do { c } catch { d } }\n}",
            "world {\n    #expect(run { 1 } == 1)\n    func g() -> Int { run { 2 } }\n}",
            "world {\n    #expect(run { 1 } == 1)\n    var a: Int { run { 2 } }\n}",
            "world {\n    #expect(run { 1 } == 1)\n    // run { 2 }\n    f(\"{ }\")\n}",
        ]
    )
    func leftAlone(code: String) {
        #expect(lines(code) == [])
    }

    @Test("The finding names the expectation and the remedy")
    func finding() {
        let code = "world {\n    #expect(run { 1 } == 1)\n\n    let x = run { 2 }\n}"
        let found = ClosureRule.findings(in: SourceFile(path: "Tests/A/B.swift", text: code))
        #expect(
            found == [
                Finding(
                    path: "Tests/A/B.swift", line: 4,
                    problem: "a closure follows the one in the expectation of line 2, and the compiler may "
                        + "run that one in its place",
                    remedy: "Make the call with the closure before the expectation, and expect its result")
            ])
    }
}
