import Foundation
import Testing

@testable import TestKit

@Suite("Hostile clients", .timeLimit(.minutes(5)))
struct HostileClientsTests {
    private struct Row: Decodable {
        var figures: [String: Double]
        var skipped: [String]
    }

    /// The benchmark S1 in small: it fails when the server ends, or refuses or fails to answer any request of
    /// the honest client. How quickly that one is answered is measured there, over a minute, by a release
    /// build.
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
