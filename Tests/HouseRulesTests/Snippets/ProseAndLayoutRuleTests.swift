// Owns the tests of the rules on headers, summaries, the root folder and machine paths.

import Testing

@Suite("Prose and layout")
struct ProseAndLayoutRuleTests {
    static let headers: [(text: String, isGood: Bool)] = [
        ("// Owns the identity of a record.\nimport A", true),
        ("// Owns the identity of a record, which is\n// a name and a zone.", true),
        ("// Owns the answer to: which server is it?", true),
        ("// swift-tools-version: 6.2\n// The map of the house.\n", true),
        ("// swift-tools-version: 6.2\nimport A", false),
        ("import A\n// Owns the identity of a record.", false),
        ("\n// Owns the identity of a record.", false),
        ("// Record.swift", false),
        ("// owns the identity of a record.", false),
        ("// Owns the identity of a record", false),
        ("/// Owns the identity of a record.", false),
        ("", false),
    ]

    @Test("A file begins with a sentence", arguments: headers)
    func header(text: String, isGood: Bool) {
        #expect(ProseRule.header(of: snippet(text)).isEmpty == isGood)
    }

    static let declarations: [(code: String, isGood: Bool)] = [
        ("public struct A {}", false),
        ("open class A {}", false),
        ("// Plain.\npublic struct A {}", false),
        ("///\npublic struct A {}", false),
        ("/// Far away.\n\npublic struct A {}", false),
        ("/// A.\nstruct B { }\npublic struct A {}", false),
        ("@available(*, deprecated) public func a() {}", false),
        ("    public static let a = 3", false),
        ("/// A thing.\npublic struct A {}", true),
        ("/// A thing.\n// Why it is so.\n@frozen\npublic struct A {}", true),
        ("/// A thing.\n@Option(\n    help: \"a\")\npublic var a: String", true),
        ("@Option(\n    help: \"a\")\npublic var a: String", false),
        ("/** A thing. */\npublic struct A {}", true),
        ("public import Foundation", true),
        ("public extension A {}", true),
        ("public override func a() {}", true),
        ("override public func a() {}", true),
        ("/// A.\npublic internal(set) var a: Int", true),
        ("let s = \"public struct A\"", true),
        ("package struct A {}", true),
        ("file.open(a)", true),
        ("let mode = open", true),
    ]

    @Test("Public declarations have a summary", arguments: declarations)
    func summaries(code: String, isGood: Bool) {
        #expect(ProseRule.undocumented(in: snippet(code)).isEmpty == isGood)
    }

    @Test("A script says what it does")
    func scripts() {
        func count(_ text: String) -> Int {
            ProseRule.findings(inScript: HouseText(path: "Demo/run", text: text)).count
        }
        #expect(count("#!/bin/sh\n# Starts the shell of the app.\n") == 0)
        #expect(count("#!/bin/sh\nset -e\n") == 1)
        #expect(count("party list\n") == 0)
    }

    @Test("The root folder holds what belongs there")
    func topLevel() {
        let names = [
            "Package.swift", "README.md", ".git", "Sources", "Package.resolved", "notes.txt", "Scripts",
        ]
        #expect(LayoutRule.findings(topLevel: names).map(\.path) == ["notes.txt", "Scripts"])
    }

    @Test("Folders of one machine and registries are noticed, with their line")
    func machinePaths() {
        let folder = ["", "home", "bozo"].joined(separator: "/")
        let registry = ["pypi", "org"].joined(separator: ".")
        let text =
            "one\ncd \(folder)/a and \(folder)/b\nhttps://\(registry)/x\n./home/relative? no: homework/\n"
        let findings = LayoutRule.findings(in: HouseText(path: "Demo/run", text: text))
        #expect(findings.map(\.line) == [2, 2, 3])
    }
}
