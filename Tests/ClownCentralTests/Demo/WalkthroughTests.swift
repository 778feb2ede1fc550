import Foundation
import Testing

@testable import CloudletShell
@testable import ClownCentral
@testable import CommandShell
@testable import ShellKit
@testable import TestKit

@MainActor
@Suite("The walkthrough")
struct WalkthroughTests {
    nonisolated private static func folder() throws -> SceneFolder {
        let url = URL.package.appendingPathComponent("Demo/scenes")
        return try SceneFolder(
            of: ClownCentralApp.names, argument: url, environment: [:], executable: nil)
    }

    @Test("has its scenes, each with claims of its own")
    func scenes() throws {
        let scenes = try Self.folder().scenes([])
        #expect(scenes.count >= 12)
        for scene in scenes {
            #expect(scene.title != scene.name)
            let claims = scene.steps.filter { step in
                guard case .statement(let statement) = step else { return false }
                return statement.text.hasPrefix("expect ")
            }
            #expect(claims.count >= 3)
        }
        #expect(try Self.folder().scenes(["photos"]).map(\.name) == ["04-photos"])
        #expect(throws: ShellError.self) { try Self.folder().scenes(["99"]) }
    }

    @Test(
        "plays, scene by scene",
        .enabled(if: ShellWorld.hasThumbnailer, "vipsthumbnail is not installed"),
        arguments: try folder().scenes([]).map(\.name)
    )
    func plays(name: String) async throws {
        let scene = try #require(try Self.folder().scenes([name]).first)
        try await ShellWorld.run { world in
            let player = ScenePlayer(
                run: { await world.runner.run($0.text, line: $0.line) },
                expectsError: world.runner.expectsError,
                prompt: { await world.prompt },
                outlet: OutputChannels(data: { _ in }, talk: { _ in }),
                paint: Paint(isOn: false),
                audience: nil
            )
            let tally = try await player.play(scene, number: 1, of: 1)
            #expect(tally.failure == nil)
            #expect(tally.claims > 0)
        }
    }
}
