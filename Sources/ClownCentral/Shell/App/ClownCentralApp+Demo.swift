// Owns playing the walkthrough from beginning to end.
import Foundation

extension ClownCentralApp {
    /// Plays the walkthrough and answers the exit code: 0 when every scene held what it promises.
    @MainActor
    public func demo(_ options: DemoOptions) async -> Int32 {
        await guarded(Renderer(isJSON: options.isJSON)) { interrupts in
            let folder = try SceneFolder(
                argument: options.folder,
                environment: machine.environment,
                executable: machine.executable
            )
            let scenes = try folder.scenes(options.scenes)
            let toCome = options.scenes.isEmpty ? try folder.toCome() : []
            if options.isList {
                let list = SceneList(scenes: scenes, toCome: toCome)
                try outlet.data((options.isJSON ? list.json.text : list.text) + "\n")
                return ExitCode.done.rawValue
            }
            if options.isStepwise {
                outlet.talk("Return plays the next command. Or type one of your own; Ctrl-C stops.\n")
            }
            var tallies: [SceneTally] = []
            for (index, scene) in scenes.enumerated() {
                let place = (number: index + 1, count: scenes.count)
                let tally = try await play(scene, place, folder, options, interrupts)
                tallies.append(tally)
                if tally.isStopped {
                    outlet.talk("the walkthrough was stopped; go on with: demo \(scene.name)\n")
                    return ExitCode.interrupted.rawValue
                }
            }
            let summary = options.isJSON ? SceneTally.json(tallies).text : "\n" + SceneTally.summary(tallies)
            try outlet.data(summary + "\n")
            if !toCome.isEmpty, !options.isJSON {
                try outlet.data("\(Answer.counted(toCome.count, "scene")) to come: demo --list\n")
            }
            return tallies.contains { $0.failure != nil } ? ExitCode.failed.rawValue : ExitCode.done.rawValue
        }
    }

    /// Plays one scene against a server of its own, so that no scene depends on another.
    @MainActor
    private func play(
        _ scene: Scene,
        _ place: (number: Int, count: Int),
        _ folder: SceneFolder,
        _ options: DemoOptions,
        _ interrupts: Interrupts
    ) async throws -> SceneTally {
        let clock = SceneClock(try clock(options.now)())
        let now: @Sendable () -> Date = { clock.now }
        let seed = options.seed &* 1000 &+ UInt64(scene.number)
        let host = try await Host.open(.ephemeral, machine: machine, now: now, seed: seed, talk: outlet.say)
        interrupts.beforeExit(cleanUp(host))
        let home = machine.workFolder.appendingPathComponent("home-\(place.number)", isDirectory: true)
        try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
        let setting = Setting(
            host: host,
            now: now,
            device: "terminal",
            seed: seed,
            baseFolder: folder.baseFolder,
            devices: machine.workFolder.appendingPathComponent("devices-\(place.number)"),
            home: home,
            isClockFixed: true,
            pause: { try clock.wait($0) }
        )
        let (player, runner) = player(setting, options, interrupts)
        let tally: Result<SceneTally, any Error>
        do {
            tally = .success(
                try await runner.living {
                    try await player.play(scene, number: place.number, of: place.count)
                })
        } catch {
            tally = .failure(error)
        }
        await host.close()
        return try tally.get()
    }

    @MainActor
    private func player(
        _ setting: Setting, _ options: DemoOptions, _ interrupts: Interrupts
    ) -> (ScenePlayer, StatementRunner) {
        let channel = options.isJSON ? STDERR_FILENO : STDOUT_FILENO
        let paint = paint(options.color, channel)
        let width = TerminalSize.isTerminal(channel) ? TerminalSize.current.columns : 110
        let renderer = Renderer(width: width, dataPaint: paint, talkPaint: paint)
        let runner = runner(setting, renderer: renderer, seed: setting.seed)
        let player = ScenePlayer(
            run: { statement in
                await interrupts.interruptible { await runner.run(statement.text, line: statement.line) }
            },
            expectsError: runner.expectsError,
            prompt: { await runner.interpreter.prompt },
            outlet: options.isJSON ? outlet.talkOnly : outlet,
            paint: paint,
            audience: options.isStepwise ? audience(runner, interrupts) : nil
        )
        return (player, runner)
    }

    /// Somebody at the keyboard, with the line editor if there is a terminal.
    @MainActor
    private func audience(_ runner: StatementRunner, _ interrupts: Interrupts) -> ScenePlayer.Audience {
        let isTerminal = TerminalSize.isTerminal(STDIN_FILENO)
        let editor = isTerminal ? LineEditor(completing: runner.interpreter, interrupts: interrupts) : nil
        return ScenePlayer.Audience(
            read: { prompt in
                guard let editor else { return .line(readLine() ?? "") }
                return editor.read(prompt: prompt)
            },
            run: { line in await interrupts.interruptible { await runner.runAside(line) } }
        )
    }
}
