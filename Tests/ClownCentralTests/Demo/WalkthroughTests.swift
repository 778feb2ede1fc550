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

    /// Scenes whose requests this process does not see all: they start programs of their own, or cancel a
    /// request before its answer.
    nonisolated private static let uncountedScenes: Set<String> = [
        "12-killed-fetch", "28-killed-app", "37-operations", "41-nothing-kept", "46-at-the-prompt",
    ]

    @Test(
        "plays, scene by scene, and the server's telemetry equals what the clients did, call by call",
        .enabled(if: ShellWorld.hasThumbnailer, "vipsthumbnail is not installed"),
        arguments: try CoverageTests.folder().scenes([]).map(\.name)
    )
    func plays(name: String) async throws {
        let scene = try #require(try CoverageTests.folder().scenes([name]).first)
        let tally = CallTally()
        try await ShellWorld.run(over: { tally.counting($0) }) { world in
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
            if Self.uncountedScenes.contains(name) { return }
            let done = tally.all
            let counted = try await Self.telemetry(of: world)
            #expect(Set(counted.keys) == Set(done.keys))
            for (operation, count) in done { #expect(counted[operation] == count, "\(operation)") }
        }
    }

    /// The server's counts for all containers, by operation.
    private static func telemetry(of world: ShellWorld) async throws -> [String: CallTally.Count] {
        // The longest period, because a scene may last for days.
        let report = try await world.cloud.server.send(ReadTelemetry(TelemetryQuery(period: .month)))
        let operations = report.operations.filter {
            !CallTally.isWaiting($0.name) && $0.name != TelemetryKey.pushOperation
        }
        return Dictionary(
            uniqueKeysWithValues: operations.map { operation in
                let figures = operation.figures
                return (
                    operation.name,
                    CallTally.Count(
                        requests: figures.requests, failures: figures.clientErrors + figures.serverErrors)
                )
            })
    }
}
