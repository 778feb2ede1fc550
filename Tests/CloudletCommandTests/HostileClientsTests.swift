import Foundation
import Testing

@testable import TestKit

@Suite("Hostile clients", .timeLimit(.minutes(30)))
struct HostileClientsTests {
    private struct Row: Decodable {
        var figures: [String: Double]
        var skipped: [String]
    }

    /// A short version of the benchmark S1. It fails if the server ends, refuses a request of the honest
    /// client, or does not answer it. The benchmark measures the time of the answers, over a minute, with a
    /// release build.
    @Test("A server with 64 hostile clients answers an honest one, in bounded memory")
    func honestAmongHostile() async throws {
        let benchmarks = try Program.path("benchmarks")
        let arguments = ["S1", "--scale", "0.2", "--runs", "1", "--json"]
        let end = try await Command(executable: benchmarks, arguments).end()
        #expect(end.code == 0, "\(end.errors.suffix(2000))")
        let report = try JSONDecoder().decode(Row.self, from: Data(end.output.utf8))
        #expect(report.skipped == [])
        let memory = try #require(report.figures["memory"])
        #expect(memory < 512)
    }
}
