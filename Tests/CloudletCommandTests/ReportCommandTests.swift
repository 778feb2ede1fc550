import CloudletServer
import Foundation
import RecordsWire
import Testing

@testable import ServerKit
@testable import TestKit

@Suite("What telemetry, audit and console print for people", .timeLimit(.minutes(30)))
struct ReportCommandTests {
    /// A server that listens, and a command that calls it as the operator.
    private func withOperator(
        _ configure: @escaping @Sendable (inout ServerConfiguration) -> Void = { _ in },
        _ scenario: (ServerWorld, (String) async throws -> Program.End, URL) async throws -> Void
    ) async throws {
        let folder = try URL.newFolder()
        defer { folder.remove() }
        try await withServer(.socket) {
            $0.publicURL = nil
            configure(&$0)
        } _: { world in
            let file = folder.appendingPathComponent("key")
            try Data(world.server.operatorKey.utf8).write(to: file)
            let address = try #require(world.server.url).absoluteString
            let place = "--server \(address) --operator-key-file \(file.path)"
            let cloudlet = try Program.path("cloudlet")
            func run(_ line: String) async throws -> Program.End {
                let script = "cloudlet=\(cloudlet); \(line) \(place)"
                return try await Command(executable: "/bin/sh", ["-c", script]).end()
            }
            try await scenario(world, run, folder)
        }
    }

    /// The words of the line that begins with this word.
    private func words(_ first: String, of end: Program.End) throws -> [String] {
        let lines = end.output.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
        return try #require(lines.first { $0.first == first }, "\(end.output)")
    }

    @Test("Telemetry is two tables, by time and by operation, with bars, errors and the clients")
    func telemetry() async throws {
        try await withOperator { world, run, _ in
            let ann = try await world.signIn("ann")
            for _ in 1...2 { try await world.modify("public", [create("ball")], as: ann) }
            _ = try await world.lookup("public", "ball", as: ann)
            let end = try await run("$cloudlet telemetry --container iCloud.test")
            #expect(end.code == 0)
            let headings = try words("FROM", of: end).joined(separator: " ")
            #expect(
                headings == "FROM REQUESTS OF PEAK CLIENT ERR SERVER ERR MEDIAN 95 % SENT RECEIVED")
            let hour = try words("2014-06-02T12:00:00Z", of: end)
            #expect(
                hour.dropFirst().prefix(11)
                    == ["3", "██████████", "100", "%", "33", "%", "0", "%", "0.0", "ms", "0.0"])
            #expect(
                try words("OPERATION", of: end).joined(separator: " ")
                    == "OPERATION REQUESTS OF ALL CLIENT ERR SERVER ERR MEDIAN 95 % SENT RECEIVED ERRORS")
            let modify = try words("records/modify", of: end)
            #expect(
                modify.dropFirst().prefix(10)
                    == ["2", "██████▋", "67", "%", "50", "%", "0", "%", "0.0", "ms"])
            #expect(modify.suffix(2) == ["conflict", "1"])
            let lookup = try words("records/lookup", of: end)
            #expect(lookup.dropFirst().prefix(8) == ["1", "███▍", "33", "%", "0", "%", "0", "%"])
            #expect(lookup.last == "-")
            #expect(end.errors.hasPrefix("cloudlet: 3 requests, by client: "), "\(end.errors)")
            let days = try await run("$cloudlet telemetry --container iCloud.test --period day")
            #expect(try words("FROM", of: days).last == "PEOPLE")
            #expect(try words("2014-06-02T00:00:00Z", of: days).last == "1")
            let none = try await run("$cloudlet telemetry --container iCloud.none")
            #expect(none.output.isEmpty && none.code == 0)
            #expect(
                none.errors
                    == "cloudlet: no requests in this time; try a longer --period\n"
                    + "cloudlet: in development and production of iCloud.none\n")
        }
    }

    @Test("The audit log is a table, newest first, and a text of several lines stays in its row")
    func audit() async throws {
        try await withOperator { world, run, _ in
            let empty = try await run("$cloudlet audit")
            #expect(empty.output.isEmpty && empty.errors == "cloudlet: no entries yet\n", "\(empty)")
            try await world.createContainer()
            try await world.importSchema(schemaText("name STRING", "cost INT64"))
            let role: JSON = ["role": "viewer", "password": "correct horse"]
            let made = try await world.operate("POST", "operators/bob/role", role)
            try #require(made.status == 200, "\(made.text)")
            let end = try await run("$cloudlet audit")
            #expect(end.code == 0 && end.errors.isEmpty, "\(end.errors)")
            let lines = end.output.split(separator: "\n").map(String.init)
            #expect(
                lines[0].split(separator: " ") == [
                    "NUMBER", "WHEN", "WHO", "WHERE", "WHAT", "OF", "BEFORE", "AFTER",
                ])
            // A row for each change: the newest first.
            #expect(lines.count == 3, "\(end.output)")
            let numbers = lines.dropFirst().compactMap { line in
                line.split(separator: " ").first.flatMap { Int($0) }
            }
            #expect(numbers.count == 2 && numbers == numbers.sorted(by: >))
            for text in ["2014-06-02T12:00:00Z", "operator key", "bob", "viewer"] {
                #expect(lines[1].contains(text), "\(text) \(lines[1])")
            }
            for text in ["iCloud.test development", "importSchema", "Party", "cost"] {
                #expect(lines[2].contains(text), "\(text) \(lines[2])")
            }
            #expect(!end.output.contains("correct horse"))
            let older = try await run("$cloudlet audit iCloud.test --before \(numbers[0])")
            #expect(older.output.split(separator: "\n").count == 2 && older.output.contains("importSchema"))
        }
    }

    @Test("The console's link is the only output; --print opens no browser, and without it one opens")
    func console() async throws {
        try await withOperator { world, run, folder in
            let (programs, opened) = (folder.appendingPathComponent("bin"), folder.path + "/opened")
            try FileManager.default.createDirectory(at: programs, withIntermediateDirectories: true)
            let browser = programs.appendingPathComponent("xdg-open")
            try Data("#!/bin/sh\nprintf %s \"$1\" > \(opened)\n".utf8).write(to: browser)
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o755], ofItemAtPath: browser.path)
            let path = "PATH=\(programs.path):$PATH"
            let printed = try await run("\(path) $cloudlet console --print")
            #expect(printed.code == 0 && printed.errors.isEmpty, "\(printed.errors)")
            let address = try #require(world.server.url).absoluteString
            #expect(printed.output.hasPrefix(address + "/console/sign-in?link="), "\(printed.output)")
            #expect(printed.output.hasSuffix("\n") && printed.output.split(separator: "\n").count == 1)
            #expect(!FileManager.default.fileExists(atPath: opened))
            let target = printed.output.dropFirst(address.count).dropLast()
            let page = try await world.send("GET", String(target))
            #expect(page.status == 200 && page.text.contains("id=\"use-link\""))
            let shown = try await run("\(path) $cloudlet console")
            #expect(shown.code == 0 && shown.errors.isEmpty, "\(shown.errors)")
            #expect(try String(contentsOfFile: opened, encoding: .utf8) + "\n" == shown.output)
            #expect(shown.output != printed.output)
            let none = try await run("PATH=\(folder.path) $cloudlet console")
            #expect(none.code == 0 && none.output.hasPrefix(address))
            #expect(none.errors == "cloudlet: no browser could be opened; open the link yourself\n")
        }
        try await withOperator {
            $0.console = .off
        } _: { _, run, _ in
            let end = try await run("$cloudlet console --print")
            #expect(end.code != 0 && end.output.isEmpty)
            #expect(end.errors.contains("--console"), "\(end.errors)")
        }
    }
}
