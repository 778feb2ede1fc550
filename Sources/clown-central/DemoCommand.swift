import ArgumentParser
import CloudletShell
import ClownCentral
import CommandShell
import Foundation

struct DemoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: "Play the walkthrough; every scene checks its own results.",
        discussion: """
            Every scene uses a server of its own, so your data does not change.

            Examples:
              clown-central demo
              clown-central demo --step 3
              clown-central demo photos paging
              clown-central demo --list

            Scenes begin at a fixed time and with a fixed seed, so that each run prints the
            same bytes; --now and --seed choose others.

            With --json the scenes are printed on standard error, and standard output has
            one JSON document with the result of each scene. --color works, too.
            """
    )

    @Argument(
        help: "Numbers or names of scenes; all if none is given.",
        completion: .custom { _, _, prefix in
            ClownCentralApp(machine: .current).sceneNames(beginningWith: prefix)
        })
    var scene: [String] = []

    @Flag(
        help:
            "Wait for Return or a command of yours before each command; some stops invite you to try one.")
    var step = false

    @Flag(help: "List the scenes, including planned ones.")
    var list = false

    @Option(help: "Read the scenes from this folder.", completion: .directory)
    var scenes: String?

    @ParentCommand var shell: ClownCentralCommand

    func validate() throws {
        try shell.refuseFlags(except: ["--seed", "--now", "--json", "--color"], in: "demo")
    }

    @MainActor
    func run() async throws {
        UserMask.tighten()
        var options = DemoOptions()
        options.scenes = scene
        options.folder = scenes.map { URL(fileURLWithPath: $0, isDirectory: true) }
        options.isStepwise = step
        options.isList = list
        let flags = shell.flags
        if let seed = flags.shell.seed { options.seed = seed }
        if let now = flags.shell.now { options.now = now }
        options.isJSON = flags.shell.json
        let machine = Machine.current
        let settings = try flags.settings(machine, container: ClownCentralApp.container)
        if let color = settings["color"] { options.color = color }
        throw ExitCode(await ClownCentralApp(machine: machine).demo(options))
    }
}
