// Owns the tests of the bans: what each catches, and what it must leave alone.

import Testing

@Suite("Bans")
struct BannedRuleTests {
    static let caught: [(code: String, name: String)] = [
        ("let x = try! load()", "try!"),
        ("let x = y as! Record", "as!"),
        ("use(x!)", "a force unwrap"),
        ("x!.save()", "a force unwrap"),
        ("list[0]!.save()", "a force unwrap"),
        ("load()! + 1", "a force unwrap"),
        ("f(label: value!)", "a force unwrap"),
        ("let url = URL(string: \"a\")!", "a force unwrap"),
        ("let url = \"\"!", "a force unwrap"),
        ("say(\"\\(name!)\")", "a force unwrap"),
        ("x! == y", "a force unwrap"),
        ("ready ? a! : b", "a force unwrap"),
        ("var name: String!", "an implicitly unwrapped type"),
        ("func f(_ c: Operation.Configuration!) {}", "an implicitly unwrapped type"),
        ("func f() -> [String]! {}", "an implicitly unwrapped type"),
        ("var f: ((Int) -> Void)!", "an implicitly unwrapped type"),
        ("var f: Result<Int, any Error>!", "an implicitly unwrapped type"),
        ("print(x)", "print"),
        ("debugPrint(x)", "print"),
        ("let x: [String: Any] = [:]", "[String: Any]"),
        ("let x: [String: any Any]", "[String: Any]"),
        ("let x = Date()", "the time of day"),
        ("let x = Foundation.Date()", "the time of day"),
        ("let x = Date.now", "the time of day"),
        ("init(now: @escaping () -> Date = Date.init)", "the time of day"),
        ("Date(timeIntervalSinceNow: 3)", "the time of day"),
        ("ContinuousClock().now", "the time of day"),
        ("ContinuousClock.now", "the time of day"),
        ("let x = UUID()", "UUID()"),
        ("let x = UUID.init().uuidString", "UUID()"),
        ("Int.random(in: 0..<3)", "a random number"),
        ("list.shuffled()", "a random number"),
        ("var g = SystemRandomNumberGenerator()", "a random number"),
        ("try await Task.sleep(for: .seconds(1))", "Task.sleep"),
        ("usleep(3)", "Task.sleep"),
        ("fatalError(\"no\")", "fatalError"),
        ("Task { await go() }", "a task without an owner"),
        ("Task<Void, Never> { }", "a task without an owner"),
        ("Task(priority: .high) { }", "a task without an owner"),
        ("_ = Task { }", "a task without an owner"),
        ("Task.detached(priority: .low) { }", "a task without an owner"),
        ("final class A: @unchecked Sendable {}", "an unchecked promise about concurrency"),
        ("nonisolated(unsafe) var x = 1", "an unchecked promise about concurrency"),
    ]

    @Test("A banned construct is caught", arguments: caught)
    func catches(code: String, name: String) {
        let findings = BannedRule.findings(in: snippet(code))
        #expect(findings.map(\.problem).contains("\(name) is banned here"))
        #expect(findings.map(\.line) == [1])
    }

    @Test(
        "What only looks like a banned construct is left alone",
        arguments: [
            "if a != b { }", "if a !== b { }", "guard !ready else { return !x }", "f(!x, [!y], a: !z)",
            "try? load()", "let x = y as? Record", "// try! or x! in prose.", "let s = \"x! as! print(\"",
            "let s = \"Date() and Task.sleep\"", "init!(x: Int) { }", "a ? !b : !c", "x.print(a)",
            "func print(_ x: Int) { }", "let x: [String: Value] = [:]", "Date(timeIntervalSince1970: 0)",
            "UUID(uuidString: s)", "Int.random(in: 0..<3, using: &g)", "list.shuffled(using: &generator)",
            "let task = Task { await go() }", "return Task { }", "lookup = Task.detached { }",
            "tasks.append(Task { })", "Task.isCancelled",
            "Task.checkCancellation()", "clock.sleep(for: x)", "clock.now()", "let d: Date", "x.UUID()",
            "let pattern = /a!b/", "struct S: Sendable {}", "#if !os(Linux)\n#endif", "case .some(!true)",
        ]
    )
    func leavesAlone(code: String) {
        #expect(BannedRule.findings(in: snippet(code)) == [])
    }

    @Test("The wiring reads the clock, and the command lines print")
    func freePlaces() {
        let clock = "let now = Date(); let id = UUID(); try await Task.sleep(for: x)"
        #expect(BannedRule.findings(in: snippet(clock, at: "Sources/CloudletServer/A.swift")) == [])
        #expect(BannedRule.findings(in: snippet(clock, at: "Sources/Records/A.swift")).count == 3)
        #expect(BannedRule.findings(in: snippet("print(1)", at: "Sources/cloudlet-command/A.swift")) == [])
        #expect(BannedRule.findings(in: snippet("print(1)", at: "Sources/CloudletServer/A.swift")).count == 1)
        #expect(BannedRule.findings(in: snippet("print(x!)", at: "Tests/RecordsTests/A.swift")) == [])
    }

    @Test("The CK facade may do what compatibility forces on it, each case with its reason")
    func reasons() {
        let facade = "Sources/Cloudlet/A.swift"
        let bare = "let x = UUID()"
        let reasoned = "// The signature that apps compile against.\n@objc\nlet x = UUID()"
        #expect(BannedRule.findings(in: snippet(bare, at: facade)).count == 1)
        #expect(
            BannedRule.findings(in: snippet("/// A new identifier, made here.\n" + bare, at: facade)).count
                == 1)
        #expect(BannedRule.findings(in: snippet("// Far too far away.\n\n" + bare, at: facade)).count == 1)
        #expect(BannedRule.findings(in: snippet("// Why.\n" + bare, at: facade)).count == 1)
        #expect(BannedRule.findings(in: snippet(reasoned, at: facade)) == [])
        #expect(BannedRule.findings(in: snippet(reasoned, at: "Sources/Records/A.swift")).count == 1)
        let configuration = "var configuration: CKOperation.Configuration!"
        #expect(BannedRule.findings(in: snippet(configuration, at: facade)) == [])
    }

    @Test("A lock in a class is fine once it says what makes it safe")
    func uncheckedSendable() {
        let reasoned =
            "// Every field is guarded by the lock.\n/// A box.\nfinal class A: @unchecked Sendable {}"
        #expect(BannedRule.findings(in: snippet(reasoned)) == [])
    }

    @Test(
        "Notes of things to do are caught in any comment",
        arguments: ["// TODO: it", "/// FIXME", "a /* XXX */"])
    func notes(code: String) {
        #expect(BannedRule.findings(in: snippet(code)).count == 1)
    }

    @Test(
        "Code in a comment is caught",
        arguments: [
            "let x = 3", "var name: String = y", "return x.y", "return load(x)", "if x > 3 {", "} else {",
            "}",
            "self.load(x)", "load(x) { y in", "record.name = value", "import Foundation", "case .a: go()",
            "func load(_ x: Int) -> Int { 3 }", "public struct A {", "try await load()", "await load(x)",
            "})",
        ]
    )
    func codeInComments(text: String) {
        #expect(BannedRule.findings(in: snippet("// " + text)).map(\.problem) == ["the comment is code"])
    }

    @Test(
        "Prose in a comment is prose",
        arguments: [
            "Let x be the number of clowns.", "Return to the start.",
            "If nothing is left, the page is empty.",
            "See `load(_:)` for why.", "A class of its own: errors (of any kind).", "(in that order)",
            "UUID(): the default argument belongs to the signature.", "swift-format-ignore", "MARK: Queries",
            "- one: two", "case matters here", "import of a set twice doubles nothing",
            "https://example.org/a",
            "returns early; the rest is for later", "while the lock is held", "e.g. `a = b`",
            "Party = record",
            "extension of the lease", "Sendable because both properties are constant.",
            "[String: Any] is a must.",
        ]
    )
    func prose(text: String) {
        #expect(BannedRule.findings(in: snippet("// " + text)) == [])
    }
}
