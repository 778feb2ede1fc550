// Owns the command line of the walkthrough.
import ArgumentParser
import ClownCentral
import Foundation

/// `demo`: plays the scenes.
struct DemoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: "Play the walkthrough; every scene checks its own results.",
        discussion: """
            Examples:
              clown-central demo
              clown-central demo --step 3
              clown-central demo photos paging
            """
    )

    @Argument(help: "Numbers or names of scenes; all if none.")
    var scene: [String] = []

    @Flag(help: "Wait for Return before each command.")
    var step = false

    @Option(help: "Read the scenes from this folder.")
    var scenes: String?

    @Option(help: "Colour: auto, always or never.")
    var color: ColorChoice = .auto

    @MainActor
    func run() async throws {
        var options = DemoOptions()
        options.scenes = scene
        options.folder = scenes.map { URL(fileURLWithPath: $0, isDirectory: true) }
        options.isStepwise = step
        options.color = color.rawValue
        throw ExitCode(await ClownCentralApp(machine: .current).demo(options))
    }
}
