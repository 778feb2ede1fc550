import CloudletServer
import Foundation
import Subprocess
import Testing

@testable import ShellKit
@testable import TestKit

#if canImport(System)
import System
#else
import SystemPackage
#endif

/// The number of times that the app is killed. It is small, so that the suite is quick; `CLOUDLET_KILLS` sets
/// it.
private let kills = Int(ProcessInfo.processInfo.environment["CLOUDLET_KILLS"] ?? "") ?? 15

@Suite("A device that is killed", .timeLimit(.minutes(10 + kills / 2)))
struct KilledDeviceTests {
    @Test("keeps every note that it confirmed, and creates none twice")
    func killed() async throws {
        var configuration = ServerConfiguration.ephemeral
        configuration.port = 0
        let server = try await CloudletServer.start(configuration)
        let folder = try URL.newFolder()
        defer { folder.remove() }
        let device = App(
            program: try Program.path("clown-central"), server: try #require(server.url), folder: folder)
        var random = SeededNumbers(seed: 20)
        var confirmed: Set<String> = []
        var typed: Set<String> = []
        for life in 1...kills {
            let words = (0..<12).map { "life\(life)note\($0)" }
            // Notes are written and sent in turn; the process ends as it answers one of them.
            let lines = words.flatMap { ["note add \($0)", "sync"] }
            let last = Int.random(in: 0..<8, using: &random)
            let delay = Int.random(in: 0..<400, using: &random)
            let answered = try await device.live(lines, until: last, delay: delay)
            typed.formUnion(words)
            confirmed.formUnion(words.filter { word in answered.contains { $0.contains("\"\(word)\"") } })
        }
        #expect(!confirmed.isEmpty)
        _ = try await device.live(["sync --wait"], until: nil, delay: 0)
        let other = App(program: device.program, server: device.server, folder: folder, name: "tablet")
        let answers = try await other.live(["sync --wait", "note list", "conflicts"], until: nil, delay: 0)
        let notes = try JSONDecoder().decode(
            [Listed].self, from: Data(try #require(answers.dropFirst().first).utf8))
        let there = notes.map(\.text)
        #expect(Set(there).count == there.count, "sent twice")
        #expect(confirmed.subtracting(there).isEmpty, "confirmed, and lost")
        #expect(Set(there).subtracting(typed).isEmpty)
        let conflicts = try await device.live(["conflicts"], until: nil, delay: 0)
        #expect(conflicts == ["[]"], "one's own note was taken for somebody else's")
        print("killed \(kills) times, \(confirmed.count) confirmed, \(there.count) there")
        await server.stop()
    }

    private struct Listed: Decodable {
        let text: String
    }

    /// The app on a device. Its data lasts longer than its processes.
    private struct App {
        let program: String
        let server: URL
        let folder: URL
        var name = "phone"

        /// Runs commands in a process and returns the answers, one line per command. Kills the process
        /// `delay` steps after the answer with the index `last`; with nil, it ends by itself.
        func live(_ lines: [String], until last: Int?, delay: Int) async throws -> [String] {
            let script = folder.appendingPathComponent("script")
            try lines.joined(separator: "\n").write(to: script, atomically: true, encoding: .utf8)
            let result = try await Subprocess.run(
                .path(FilePath(program)),
                arguments: [
                    "--server", server.absoluteString, "--as", "alice", "--on", name, "--json", "--devices",
                    folder.path, "-f", script.path,
                ],
                workingDirectory: FilePath(folder.path), input: .none, output: .sequence, error: .discarded
            ) { execution in
                var answers: [String] = []
                for try await line in execution.standardOutput.strings() {
                    answers.append(line)
                    guard let last, answers.count == last + 1 else { continue }
                    for _ in 0..<delay { await Task.yield() }
                    try execution.send(signal: .kill)
                }
                return answers
            }
            return result.closureResult
        }
    }
}
