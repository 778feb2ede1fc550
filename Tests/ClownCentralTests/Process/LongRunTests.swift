import Foundation
import Testing

@testable import TestKit

@Suite("The random tests at their full size", .timeLimit(.minutes(30)))
struct LongRunTests {
    /// A script that installs a false `swift`, which fails for one part and finds no test for another, and
    /// copies the page.
    private static let fake = """
        mkdir bin; cp "$root/Sources/Cloudlet/Documentation.docc/LongRuns.md" page.md
        printf '%s\\n' '#!/bin/sh' 'case "$*" in' \\
            '*CrashTests*) echo "Test killed() recorded an issue: a | b"; exit 1;;' \\
            '*SchemaRefusal*) echo "Test run with 0 tests in 0 suites passed after 1 seconds.";;' \\
            '*) echo "Test run with 1 test in 1 suite passed after 1 seconds.";;' \\
            esac >bin/swift
        chmod +x bin/swift; export PATH=$PWD/bin:$PATH TMPDIR=$PWD CLOUDLET_LONG_PAGE=$PWD/page.md
        """

    private struct Part {
        let size: String
        /// The environment variables with their values, such as `CLOUDLET_KILLS=200`.
        let variables: [String]
        /// The filter for the test; empty if a command is the test.
        let test: String
        /// The command in place of `swift test`; empty if there is none.
        let command: String
    }

    /// The parts of `Tests/long` by name.
    private static func parts() throws -> [String: Part] {
        let script = try String(contentsOf: URL.package.appending(path: "Tests/long"), encoding: .utf8)
        let table = script.components(separatedBy: "parts='\n").last ?? ""
        let lines = (table.components(separatedBy: "'\n").first ?? "").split(separator: "\n")
        var parts: [String: Part] = [:]
        for line in lines {
            let cells = line.split(separator: "|", omittingEmptySubsequences: false).map { String($0) }
            try #require(cells.count == 5 || cells.count == 6)
            let variables = cells[3].split(separator: " ").map { String($0) }
            parts[cells[0]] = Part(
                size: cells[1], variables: variables, test: cells[4],
                command: cells.count == 6 ? cells[5] : "")
        }
        return parts
    }

    /// The text of the files in a folder that declare a suite.
    private static func text(of suite: String, in path: String) throws -> String {
        let folder = URL.package.appending(path: path)
        return try FileManager.default.subpathsOfDirectory(atPath: folder.path)
            .filter { $0.hasSuffix(".swift") }.sorted()
            .map { try String(contentsOf: folder.appending(path: $0), encoding: .utf8) }
            .filter { $0.contains("struct \(suite) {") }.joined()
    }

    @Test("Each part runs at least its required size, which its test reads from the environment")
    func sizes() throws {
        let parts = try Self.parts()
        let asked = [
            "convergence": "500 seeds", "losses": "300 seeds", "server-kills": "200 kills",
            "device-kills": "200 kills", "differential": "500,000 operations",
            "archives": "100,000 mutations", "exchanges": "100,000 mutations",
        ]
        for (name, size) in asked {
            #expect(parts[name]?.size.hasPrefix(size) == true, "\(name) is not done with \(size)")
        }
        for (name, part) in parts {
            if part.test.isEmpty {
                let number = part.size.prefix { $0 != " " }.filter { $0 != "," }
                let isOfSize = part.command.hasPrefix("Tests/") && part.command.contains(" \(number) ")
                #expect(isOfSize, "\(name): the command does not name the size")
                continue
            }
            let words = try #require(part.test.wholeMatch(of: /(\w+)\.(\w+)\/(\w*)(?:\\\()?/))
            let (module, suite, function) = (words.output.1, words.output.2, words.output.3)
            let text = try Self.text(of: String(suite), in: "Tests/\(module)")
            #expect(text.contains(function.isEmpty ? "@Test" : "func \(function)("), "\(name): no such test")
            for variable in part.variables {
                let key = String(variable.prefix { $0 != "=" })
                #expect(text.contains("environment[\"\(key)\"]"), "\(name): the test does not read \(key)")
                let number = variable.dropFirst(key.count + 1)
                let said = part.size.filter { $0 != "," }
                #expect(key == "CLOUDLET_SEED" || said.hasPrefix("\(number) "), "\(name): \(variable)")
            }
        }
    }

    @Test("Each part has a row in the page, with its size")
    func rows() throws {
        let page = try String(
            contentsOf: URL.package.appending(path: "Sources/Cloudlet/Documentation.docc/LongRuns.md"),
            encoding: .utf8)
        let parts = try Self.parts()
        for (name, part) in parts {
            #expect(page.contains("\n| \(name) | \(part.size) |"), "the page lacks \(name)")
            #expect(page.contains("\n| `\(name)` |"), "the page does not say what \(name) checks")
        }
    }

    @Test("The outcome of each part is written into the page, failures and empty runs, too")
    func outcomes() async throws {
        let run = try await Program.shell(
            "root='\(URL.package.path)'; \(Self.fake)\n\"$root/Tests/long\" losses server-kills schemas; "
                + "echo \"code $?\"; cat page.md")
        #expect(run.output.contains("\ncode 1\n"))
        let rows = run.output.split(separator: "\n").filter { $0.hasPrefix("| ") }
        func row(_ name: String) -> String { String(rows.last { $0.hasPrefix("| \(name) |") } ?? "") }
        #expect(row("losses").contains(" UTC, "))
        #expect(row("losses").hasSuffix(" | passed |"))
        #expect(row("server-kills").hasSuffix(" | failed: Test killed() recorded an issue: a   b |"))
        #expect(row("schemas").hasSuffix(" | failed: no test was run |"))
        #expect(row("convergence").hasSuffix(" | not run yet |") || row("convergence").contains(" UTC, "))
    }

    @Test("An unknown part is refused before anything is run")
    func unknown() async throws {
        let run = try await Program.shell(
            "root='\(URL.package.path)'; \(Self.fake)\n\"$root/Tests/long\" losses gains")
        #expect(run.code == 2)
        #expect(run.errors.contains("there is no part gains"))
        let whole = try await Program.shell("'\(URL.package.path)/Tests/run' --short")
        #expect(whole.code == 2)
    }
}
