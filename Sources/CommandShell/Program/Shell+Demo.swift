import Foundation

extension Shell {
    /// Plays a walkthrough and returns the exit code: 0 if all claims of all scenes hold.
    ///
    /// - Parameter open: Creates a program for each scene, so that no scene depends on another.
    @MainActor
    public func demo(_ options: DemoOptions, _ open: Opening) async -> Int32 {
        await guarded(Renderer(isJSON: options.isJSON)) { interrupts in
            let folder = try SceneFolder(
                of: names,
                argument: options.folder,
                environment: machine.environment,
                executable: machine.executable
            )
            let scenes = try folder.scenes(options.scenes)
            let planned = options.scenes.isEmpty ? try folder.planned() : []
            if options.isList {
                let list = SceneList(scenes: scenes, planned: planned)
                try output.data((options.isJSON ? list.json.text : list.text) + "\n")
                return ExitStatus.done.rawValue
            }
            if options.isStepwise {
                output.message("Return plays the next command; you can type others before. Ctrl-C stops.\n")
            }
            var tallies: [SceneTally] = []
            for (index, scene) in scenes.enumerated() {
                let place = (number: index + 1, count: scenes.count)
                let tally = try await play(scene, place, folder, options, interrupts, open)
                tallies.append(tally)
                if tally.isStopped {
                    output.message("the walkthrough was stopped; continue with: demo \(scene.name)\n")
                    return ExitStatus.interrupted.rawValue
                }
            }
            let summary = options.isJSON ? SceneTally.json(tallies).text : "\n" + SceneTally.summary(tallies)
            try output.data(summary + "\n")
            if !planned.isEmpty, !options.isJSON {
                try output.data("\(Answer.counted(planned.count, "scene")) to come: demo --list\n")
            }
            return tallies.contains { $0.failure != nil }
                ? ExitStatus.failed.rawValue : ExitStatus.done.rawValue
        }
    }

    /// The names of the scenes with this prefix; empty if the folder of scenes is not found.
    public func sceneNames(beginningWith prefix: String) -> [String] {
        let folder = try? SceneFolder(
            of: names, argument: nil, environment: machine.environment, executable: machine.executable)
        return ((try? folder?.scenes([])) ?? []).map(\.name).filter {
            $0.hasPrefix(prefix) && ShellWord.isPlain($0)
        }
    }

    /// Plays one scene with its own program.
    @MainActor
    private func play(
        _ scene: Scene,
        _ place: (number: Int, count: Int),
        _ folder: SceneFolder,
        _ options: DemoOptions,
        _ interrupts: Interrupts,
        _ open: Opening
    ) async throws -> SceneTally {
        let renderer = demoRenderer(options)
        let environment = try environment(of: scene, place.number, folder, options, renderer)
        let opened = try await open(environment)
        interrupts.beforeExit(cleanUp(opened))
        let runner = StatementRunner(
            program: opened.program, environment: environment, renderer: renderer)
        let player = player(runner, options, interrupts)
        let tally: Result<SceneTally, any Error>
        do {
            tally = .success(
                try await runner.withBackgroundWork {
                    try await player.play(scene, number: place.number, of: place.count)
                })
        } catch {
            tally = .failure(error)
        }
        await opened.close()
        return try tally.get()
    }

    /// The environment of a scene, with a clock that advances without waiting, and with its own folders.
    private func environment(
        of scene: Scene, _ number: Int, _ folder: SceneFolder, _ options: DemoOptions, _ renderer: Renderer
    ) throws -> ShellEnvironment {
        let clock = SceneClock(try clock(options.now)())
        let workFolder = machine.workFolder.appendingPathComponent("scene-\(number)", isDirectory: true)
        let home = workFolder.appendingPathComponent("home", isDirectory: true)
        try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
        var environment = environment(now: { clock.now }, home: home.path, renderer)
        // The favourites of the person who plays the walkthrough are left alone.
        environment.favourites = FavouriteFile(of: names, environment: [:], home: home.path)
        environment.wallClock = { clock.now }
        environment.pause = { seconds in
            try clock.wait(seconds)
            // Background work can run while a command repeats itself.
            await Task.yield()
        }
        // A slow answer also advances the scene's clock, so that a request can time out.
        environment.wallPause = { [machine] seconds in
            try await machine.pause(seconds)
            try clock.wait(seconds)
        }
        environment.isClockFixed = true
        environment.seed = options.seed &* 1000 &+ UInt64(scene.number)
        environment.baseFolder = folder.baseFolder
        environment.workFolder = workFolder
        return environment
    }

    private func demoRenderer(_ options: DemoOptions) -> Renderer {
        let channel = options.isJSON ? STDERR_FILENO : STDOUT_FILENO
        let paint = paint(options.color, channel)
        let width = TerminalSize.isTerminal(channel) ? TerminalSize.current.columns : 110
        return Renderer(width: width, dataPaint: paint, messagePaint: paint)
    }

    @MainActor
    private func player(
        _ runner: StatementRunner, _ options: DemoOptions, _ interrupts: Interrupts
    ) -> ScenePlayer {
        ScenePlayer(
            run: { statement in
                await interrupts.interruptible { await runner.run(statement.text, line: statement.line) }
            },
            expectsError: runner.expectsError,
            prompt: { await runner.program.prompt },
            output: options.isJSON ? output.messagesOnly : output,
            paint: runner.renderer.dataPaint,
            stepPrompt: options.isStepwise ? stepPrompt(runner, interrupts) : nil
        )
    }

    /// The person at the keyboard, with a line editor if standard input is a terminal.
    @MainActor
    private func stepPrompt(_ runner: StatementRunner, _ interrupts: Interrupts) -> ScenePlayer.StepPrompt {
        let isTerminal = TerminalSize.isTerminal(STDIN_FILENO)
        let editor = isTerminal ? LineEditor(completing: runner, interrupts: interrupts) : nil
        return ScenePlayer.StepPrompt(
            read: { prompt in
                guard let editor else { return .line(readLine() ?? "") }
                return editor.read(prompt: prompt)
            },
            run: { line in await interrupts.interruptible { await runner.runAside(line) } }
        )
    }
}
