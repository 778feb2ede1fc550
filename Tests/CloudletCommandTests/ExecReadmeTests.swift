import Foundation
import Testing

@testable import TestKit

@Suite("The README on cloudlet exec", .timeLimit(.minutes(30)))
struct ExecReadmeTests {
    /// Below `cloudlet exec`, this test calls the README's test. Elsewhere it runs the README's command,
    /// which starts this test below `cloudlet exec`.
    @Test("Its test passes with its command, and fails for a schema file that lacks what it saves")
    func command() async throws {
        if ProcessInfo.processInfo.environment["CLOUDLET_API_TOKEN"] != nil {
            return try await aPartyIsSaved()
        }
        let folder = try URL.newFolder()
        defer { folder.remove() }
        try FileManager.default.createSymbolicLink(
            at: folder.appendingPathComponent("cloudlet"),
            withDestinationURL: URL(fileURLWithPath: try Program.path("cloudlet")))
        try Self.putSwift(in: folder)
        let line = try #require(try Self.readme().first { $0.hasPrefix("cloudlet exec") })
        let schema = folder.appendingPathComponent("parties.ckdb")
        func run(_ line: String) async throws -> Program.End {
            let script = "cd \(folder.path); PATH=\(folder.path):$PATH; \(line)"
            return try await Command(executable: "/bin/sh", ["-ec", script]).end()
        }
        try "DEFINE SCHEMA RECORD TYPE Party (place STRING);".write(
            to: schema, atomically: true, encoding: .utf8)
        let lacking = try await run(line)
        #expect(lacking.code == 1)
        #expect(
            lacking.errors.hasSuffix(
                """
                cloudlet: Field 'name' of type 'Party' was used as STRING and is missing
                cloudlet: add it to parties.ckdb, or let the same command add it with --repair

                """))
        let mending = try await run(line.replacing("exec", with: "exec --repair"))
        #expect(mending.code == 0, "\(mending.errors)")
        #expect(try String(contentsOf: schema, encoding: .utf8).contains(/\n +name +STRING,/))
        try FileManager.default.removeItem(at: schema)
        #expect(try await run(line).code == 1)
        #expect(try await run(line.replacing("exec", with: "exec --repair")).code == 0)
        let end = try await run(line)
        #expect(end.code == 0, "\(end.errors)")
        #expect(end.errors.contains("Test run with 1 test"))
        #expect(end.errors.hasSuffix("parties.ckdb has everything that was saved and queried\n"))
    }

    /// Replaces `swift test` by a small command that runs this test alone, which is already built.
    private static func putSwift(in folder: URL) throws {
        let runner = URL(fileURLWithPath: CommandLine.arguments[0]).path
        let swift = """
            #!/bin/sh
            test "$1" = test || exit 99
            exec \(runner) --testing-library swift-testing --filter ExecReadmeTests
            """
        let stub = folder.appendingPathComponent("swift").path
        try swift.write(toFile: stub, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: stub)
    }

    private static func readme() throws -> [String] {
        let text = try String(contentsOf: .package.appending(path: "README.md"), encoding: .utf8)
        return text.components(separatedBy: "\n")
    }
}
