import Testing

/// Code that each rule reports, and code that it allows.
@Suite("Rules on snippets")
struct RuleTests {
    private func snippet(_ code: String, path: String = "Sources/Records/Snippet.swift") -> SourceFile {
        SourceFile(path: path, text: code)
    }

    @Test(
        "Banned constructs are reported",
        arguments: [
            ("print(x)", "print"), ("    debugPrint(x)", "print"),
            ("let x: [String: Any] = [:]", "[String: Any]"), ("let x: [String: any Any]", "[String: Any]"),
            ("let x = Date()", "the time of day"), ("let x = Foundation.Date()", "the time of day"),
            ("let x = Date.now", "the time of day"), ("Date(timeIntervalSinceNow: 3)", "the time of day"),
            ("init(now: @escaping () -> Date = Date.init)", "the time of day"),
            ("ContinuousClock().now", "the time of day"), ("ContinuousClock.now", "the time of day"),
            ("let x = UUID()", "UUID()"), ("let x = UUID.init().uuidString", "UUID()"),
            ("Int.random(in: 0..<3)", "a random number"), ("list.shuffled()", "a random number"),
            ("var g = SystemRandomNumberGenerator()", "a random number"),
            ("try await Task.sleep(for: .seconds(1))", "Task.sleep"), ("usleep(3)", "Task.sleep"),
            ("fatalError(\"no\")", "fatalError"), ("Task { await go() }", "a task without an owner"),
            ("Task<Void, Never> { }", "a task without an owner"),
            ("_ = Task(priority: .high) { }", "a task without an owner"),
            ("Task.detached(priority: .low) { }", "a task without an owner"),
            ("final class A: @unchecked Sendable {}", "an unchecked promise about concurrency"),
            ("nonisolated(unsafe) var x = 1", "an unchecked promise about concurrency"),
            ("if e.localizedDescription.contains(\"no\") {}", "deciding by the text of an error"),
        ]
    )
    func catches(code: String, name: String) {
        let problems = BannedRule.findings(in: snippet(code)).map(\.problem)
        #expect(problems == ["\(name) is banned here"])
    }

    @Test(
        "Code that resembles a banned construct is allowed",
        arguments: [
            "// Date() in prose.", "let s = \"Date() and Task.sleep and print(\"", "x.print(a)",
            "func print(_ x: Int) { }", "let x: [String: Value] = [:]", "Date(timeIntervalSince1970: 0)",
            "UUID(uuidString: s)", "Int.random(in: 0..<3, using: &g)", "let task = Task { await go() }",
            "return Task { }", "Task.isCancelled", "clock.sleep(for: x)", "let d: Date", "x.UUID()",
            "let text = \"\"\"\n    print(1)\n    \"\"\"", "let pattern = /print(a)/",
        ]
    )
    func leavesAlone(code: String) {
        #expect(BannedRule.findings(in: snippet(code)) == [])
    }

    @Test("A comment with a reason allows a construct where the rule permits it")
    func reasons() {
        let code = "// The framework hands out dictionaries.\nlet x: [String: Any] = [:]"
        #expect(BannedRule.findings(in: snippet(code, path: "Sources/Cloudlet/A.swift")) == [])
        #expect(BannedRule.findings(in: snippet(code)).map(\.line) == [2])
        #expect(BannedRule.findings(in: snippet("let d = Date()", path: "Sources/Benchmarks/A.swift")) == [])
        #expect(BannedRule.findings(in: snippet("let d = Date()", path: "Tests/ATests/A.swift")) == [])
    }

    @Test("Code and to-do notes in comments are reported; prose is allowed")
    func comments() {
        let mistakes = [
            "// let x = 3", "    // return load(x)", "// TODO: later", "// }", "// import Foundation",
            "// record.name = text", "// case .saved: keep()", "// struct Party {", "// return name",
        ]
        for code in mistakes {
            #expect(BannedRule.findings(in: snippet(code)).count == 1, "\(code)")
        }
        for prose in ["// Keeps the order.", "/// let x = 3", "// Imported twice, it stays one record."] {
            #expect(BannedRule.findings(in: snippet(prose)) == [], "\(prose)")
        }
    }

    @Test("A room may import only the modules of its row, whatever the import's attributes")
    func imports() {
        let table = [Room("A", ["Foundation"]), Room("A/B", ["NIO"])]
        func problems(_ line: String, _ path: String) -> [String] {
            ImportRule.findings(in: snippet(line, path: path), table: table).map(\.problem)
        }
        #expect(problems("import Foundation", "Sources/A/X.swift") == [])
        #expect(problems("public import NIO", "Sources/A/X.swift") == ["A may not import NIO"])
        #expect(problems("@preconcurrency import struct NIO.Buffer", "Sources/A/X.swift").count == 1)
        #expect(problems("import NIO", "Sources/A/B/X.swift") == [])
        #expect(problems("// import NIO", "Sources/A/X.swift") == [])
        #expect(problems("import NIO", "Sources/C/X.swift") == ["the room table has no row for the folder"])
    }

    @Test("Functions are measured from their first line to their last brace")
    func functions() {
        let code = """
            struct A {
                let kept = 1
                func short() -> Int { 1 }
                func long(
                    _ x: Int
                ) -> Int
                where Self: B {
                    if x > 1 {
                        return 2
                    }
                    return 1
                }
                package static var all: [Int] {
                    switch x {
                    case .a: []
                    case .b: []
                    }
                }
                func requirement()
            }
            """
        let found = SizeRule.functions(in: snippet(code))
        #expect(found.map(\.line) == [4, 13])
        #expect(found.map(\.count) == [9, 6])
        #expect(found.map(\.isExhaustiveSwitch) == [false, true])
    }

    @Test("A line, function or file at its limit is allowed, and reported beyond it")
    func longFunctions() {
        func function(_ lines: Int) -> SourceFile {
            snippet("func f() {\n" + String(repeating: "    work()\n", count: lines - 2) + "}\n")
        }
        #expect(SizeRule.findings(in: [function(SizeRule.longestFunction)]) == [])
        #expect(SizeRule.findings(in: [function(SizeRule.longestFunction + 1)]).count == 1)
        let wide = "// " + String(repeating: "é", count: SizeRule.widest - 3)
        #expect(SizeRule.findings(in: [snippet(wide)]) == [])
        #expect(SizeRule.findings(in: [snippet(wide + "x")]).count == 1)
        let rows = String(repeating: "\n", count: SizeRule.longestFile)
        #expect(SizeRule.findings(in: [snippet(rows)]) == [])
        #expect(SizeRule.findings(in: [snippet(rows + "\n")]).count == 1)
    }

    @Test("A type counts with all its extensions in its module")
    func types() {
        func part(_ head: String, _ lines: Int, _ path: String) -> SourceFile {
            let fields = String(repeating: "    let x = 1\n", count: lines - 2)
            return snippet(head + " {\n" + fields + "}\n", path: path)
        }
        let files = (0..<4).map { part("extension Big", 200, "Sources/A/Big+\($0).swift") }
        #expect(SizeRule.findings(in: files) == [])
        let more = [part("public final class Big: Sendable", 3, "Sources/A/Big.swift")]
        #expect(SizeRule.findings(in: files + more).map(\.problem).first?.hasPrefix("A.Big has 803") == true)
        #expect(SizeRule.findings(in: files + [part("struct Big", 3, "Sources/B/Big.swift")]) == [])
    }

    @Test("A type whose name another module declares is reported, unless one of them is private")
    func names() {
        let first = snippet("package final class Table: Sendable {}", path: "Sources/A/Table.swift")
        let second = snippet("import A\n\nstruct Table {}", path: "Sources/B/Table.swift")
        let found = NameRule.findings(in: [first, second])
        #expect(found.map(\.path) == ["Sources/B/Table.swift"])
        #expect(found.map(\.line) == [3])
        let others = [
            snippet("private struct Table {}", path: "Sources/B/X.swift"),
            snippet("fileprivate final class Table {}", path: "Sources/B/X.swift"),
            snippet("extension Table {}", path: "Sources/B/X.swift"),
            snippet("@_exported import struct Table.Row", path: "Sources/B/X.swift"),
            snippet("typealias Table = A.Table", path: "Sources/B/X.swift"),
            snippet("enum Rows {\n    struct Table {}\n}", path: "Sources/B/X.swift"),
            snippet("struct Table {}", path: "Sources/A/More.swift"),
            snippet("struct Table {}", path: "Tests/BTests/X.swift"),
        ]
        for other in others {
            #expect(NameRule.findings(in: [first, other]) == [])
        }
    }

    @Test("A type of a PostgreSQL module without its prefix is reported")
    func prefixes() {
        let path = "Sources/RecordStorePostgres/Table.swift"
        let types = snippet("struct PostgresTable {}\nstruct Table {}\nprivate struct Row {}", path: path)
        let found = NameRule.findings(in: [types])
        #expect(found.map(\.line) == [2])
        #expect(found.map(\.remedy) == ["Name it PostgresTable"])
    }

    @Test("Unknown names in the root folder and machine paths in files are reported")
    func layout() {
        #expect(LayoutRule.findings(topLevel: ["Package.swift", ".git", "Sources"]) == [])
        #expect(LayoutRule.findings(topLevel: ["notes.txt"]).count == 1)
        let folder = ["", "home", "me"].joined(separator: "/")
        #expect(LayoutRule.findings(path: "a", text: "see \(folder)/file").map(\.line) == [1])
        #expect(LayoutRule.findings(path: "a", text: "see ..\(folder)/file") == [])
    }
}
