import Foundation
import Testing

@testable import CloudletShell
@testable import ClownCentral
@testable import CommandShell
@testable import ShellKit

@Suite("The server's telemetry in the shell")
struct TelemetryTests {
    /// The rows of the table, without the headings.
    private func rows(_ text: String) -> [String] { text.split(separator: "\n").dropFirst().map(String.init) }

    /// The number of requests in a row: the first number after the first column.
    private func requests(_ row: String) throws -> Int {
        try #require(row.split(separator: " ").dropFirst().compactMap { Int($0) }.first, "\(row)")
    }

    @Test("Each operation has a bar of its share of all requests, the most frequent first")
    func bars() async throws {
        try await ShellWorld.run { world in
            await world.type(
                "as alice", "party create Coffee", "party create Tea", "party create Milk",
                "record show none")
            let text = await world.data("telemetry")
            let headings = text.split(separator: "\n").first.map(String.init) ?? ""
            for heading in ["OPERATION", "REQUESTS", "SHARE", "CLIENT ERRORS", "MEDIAN MS", "ERRORS"] {
                #expect(headings.contains(heading), "\(headings)")
            }
            let counts = try rows(text).map(requests)
            #expect(counts.count > 1 && counts == counts.sorted(by: >))
            let all = counts.reduce(0, +)
            for (row, count) in zip(rows(text), counts) {
                #expect(row.contains(Value.bar(Double(count) / Double(all)).text), "\(row)")
            }
            let modify = try #require(rows(text).first { $0.hasPrefix("records/modify") })
            #expect(try requests(modify) == 3)
            let lookup = try #require(rows(text).first { $0.hasPrefix("records/lookup") })
            #expect(lookup.contains("notFound 1"))
            let plain = await world.data("telemetry --plain")
            #expect(!plain.contains("█") && plain.contains(" %"))
            #expect(try rows(plain).map(requests) == counts)
        }
    }

    @Test("Each period has a bar of its share of the busiest one")
    func times() async throws {
        try await ShellWorld.run { world in
            await world.type("as alice", "party create Coffee", "party create Tea", "clock advance 1h")
            await world.type("party create Milk")
            let text = await world.data("telemetry --by-time --operation records/modify")
            #expect(text.hasPrefix("FROM"))
            let counts = try rows(text).map { row in
                // The first column has a date and a time.
                try #require(row.split(separator: " ").dropFirst(2).compactMap { Int($0) }.first)
            }
            #expect(counts == [2, 1])
            #expect(rows(text)[0].contains(Value.bar(1).text))
            #expect(rows(text)[1].contains(Value.bar(0.5).text))
        }
    }
}
