import Foundation
import Records
import RecordsWire
import Testing

@testable import CloudletShell
@testable import ClownCentral
@testable import CommandShell
@testable import ShellKit
@testable import TestKit

@MainActor
@Suite("The walkthrough")
struct WalkthroughTests {
    @Test("has its scenes, each with claims of its own")
    func scenes() throws {
        let scenes = try CoverageTests.folder().scenes([])
        #expect(scenes.count >= 12)
        for scene in scenes {
            #expect(scene.title != scene.name)
            let claims = scene.steps.filter { step in
                guard case .statement(let statement) = step else { return false }
                return statement.text.hasPrefix("expect ")
            }
            #expect(claims.count >= 3)
        }
        #expect(try CoverageTests.folder().scenes(["photos"]).map(\.name) == ["04-photos"])
        #expect(throws: ShellError.self) { try CoverageTests.folder().scenes(["99"]) }
    }

    /// The operations with requests whose answer the client does not wait for, by scene. For these, the
    /// server counts at least the answers that clients have seen, and at most the requests that they have
    /// sent.
    nonisolated private static let unanswered: [String: Set<String>] = [
        // A time-out ends a save before its answer.
        "37-operations": ["records/modify"]
    ]
    /// The operations for which the same is true in every scene: their requests wait for pushes, and some
    /// still wait when the scene ends.
    nonisolated private static let waiting: Set<String> = ["push/poll", "push/stream"]

    @Test(
        "plays, scene by scene, and the server's telemetry equals what the clients did, call by call",
        .enabled(if: ShellWorld.hasThumbnailer, "vipsthumbnail is not installed"),
        arguments: try CoverageTests.folder().scenes([]).map(\.name)
    )
    func plays(name: String) async throws {
        let scene = try #require(try CoverageTests.folder().scenes([name]).first)
        let tally = CallTally()
        try await ShellWorld.run(over: { tally.counting($0) }, wrapsPrograms: true) { world in
            let player = ScenePlayer(
                run: { await world.runner.run($0.text, line: $0.line) },
                expectsError: world.runner.expectsError,
                prompt: { await world.prompt },
                output: OutputChannels(data: { _ in }, message: { _ in }),
                paint: Paint(isOn: false),
                stepPrompt: nil
            )
            let played = try await player.play(scene, number: 1, of: 1)
            #expect(played.failure == nil)
            #expect(played.claims > 0)
            try await compare(tally, with: world, in: name)
        }
    }

    /// Expects that the server's telemetry equals what the clients did: those of this process, and the
    /// programs that the scene has run.
    private func compare(_ tally: CallTally, with world: ShellWorld, in scene: String) async throws {
        // A killed program does not wait for the answer to its last request, but the tally does.
        world.endDelays()
        try await until { tally.isIdle(except: Self.waiting) }
        let pushes = try await Self.pushes(of: world)
        let done = tally.all
        let (counted, countedPushes) = try await Self.telemetry(of: world)
        // A push can be sent while this test reads the counts.
        let later = try await Self.pushes(of: world)
        for (before, number, after) in zip3(pushes, countedPushes, later) {
            #expect((before...after).contains(number), "\(scene): pushes")
        }
        let unanswered = Self.waiting.union(Self.unanswered[scene, default: []])
        for operation in Set(counted.keys).union(done.keys) {
            let number = counted[operation] ?? CallTally.Count()
            let own = done[operation] ?? CallTally.Count()
            if unanswered.contains(operation) {
                #expect(number.requests >= own.requests, "\(scene): \(operation)")
                #expect(number.requests <= tally.sent[operation] ?? 0, "\(scene): \(operation)")
            } else {
                #expect(number == own, "\(scene): \(operation)")
            }
        }
    }

    /// The numbers of pushes in the server's trace: sent, coalesced, dropped.
    private static func pushes(of world: ShellWorld) async throws -> [Int64] {
        let trace = try await world.cloud.server.send(ReadPushTrace()).elements
        try #require(trace.first.map(\.number) ?? 0 == 0, "the trace has lost its first entries")
        let kinds: [Set<PushTraceEntry.Outcome>] = [[.sent], [.coalesced, .replaced], [.dropped, .expired]]
        return kinds.map { kind in Int64(trace.count { kind.contains($0.outcome) }) }
    }

    private func zip3(_ a: [Int64], _ b: [Int64], _ c: [Int64]) -> [(Int64, Int64, Int64)] {
        zip(a, zip(b, c)).map { ($0, $1.0, $1.1) }
    }

    /// The server's counts for all containers: requests by operation, and pushes.
    private static func telemetry(
        of world: ShellWorld
    ) async throws -> (calls: [String: CallTally.Count], pushes: [Int64]) {
        // The longest period, because a scene may last for days.
        let report = try await world.cloud.server.send(ReadTelemetry(TelemetryQuery(period: .month)))
        let calls = report.operations.filter { $0.name != TelemetryKey.pushOperation }.map { operation in
            let figures = operation.figures
            return (
                operation.name,
                CallTally.Count(
                    requests: figures.requests, failures: figures.clientErrors + figures.serverErrors)
            )
        }
        let total = report.total
        return (
            Dictionary(uniqueKeysWithValues: calls),
            [total.pushesSent, total.pushesCoalesced, total.pushesDropped]
        )
    }
}
