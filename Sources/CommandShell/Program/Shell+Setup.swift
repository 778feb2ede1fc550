import Foundation

extension Shell {
    /// Runs `body` with the interrupt handler in place; an error is said and becomes the exit code.
    @MainActor
    func guarded(
        _ renderer: Renderer,
        _ body: (Interrupts) async throws -> Int32
    ) async -> Int32 {
        StandardOutput.surviveClosedPipes()
        WorkFolders.sweep(beside: machine.workFolder)
        defer { try? FileManager.default.removeItem(at: machine.workFolder) }
        do {
            guard let interrupts = Interrupts() else {
                throw Complaint(code: "failed", message: "the system has no pipes left")
            }
            return try await body(interrupts)
        } catch StandardOutput.Failure.closed {
            return ExitStatus.done.rawValue
        } catch {
            let complaint = Complaint(error)
            try? outlet.write(renderer.render(complaint, line: nil))
            return complaint.exit.rawValue
        }
    }

    /// What removes the files of this process alone.
    func cleanUp(_ opened: RunningProgram) -> @Sendable () -> Void {
        let folders = [machine.workFolder] + opened.temporaryFolders
        return { for folder in folders { try? FileManager.default.removeItem(at: folder) } }
    }

    /// The clock that the shell goes by; a moment that is given stands still.
    func clock(_ moment: String?) throws -> @Sendable () -> Date {
        guard let moment else { return machine.now }
        guard let fixed = MomentReader(now: machine.now()).moment(moment) else {
            throw Complaint.usage("--now takes a moment such as 2026-07-04T18:00, not `\(moment)`")
        }
        return { fixed }
    }

    /// What the commands of a shell are given.
    func environment(
        _ options: ShellOptions, _ renderer: Renderer, asks: Bool
    ) throws -> ShellEnvironment {
        var environment = environment(now: try clock(options.now), home: machine.home, renderer)
        environment.isClockFixed = options.now != nil
        environment.seed = options.seed ?? machine.randomSeed
        environment.settings = options.settings
        if asks {
            environment.confirm = { [outlet] in try Question.ask($0, outlet: outlet) }
            environment.ask = Questions.ask
        }
        return environment
    }

    /// The same for any clock, and another home.
    func environment(
        now: @escaping @Sendable () -> Date, home: String, _ renderer: Renderer
    ) -> ShellEnvironment {
        var environment = ShellEnvironment(
            now: now, baseFolder: machine.currentFolder, workFolder: machine.workFolder, home: home,
            favourites: FavouriteFile(of: names, environment: machine.environment, home: home))
        environment.wallClock = machine.now
        environment.wallPause = machine.pause
        environment.pause = machine.pause
        environment.variables = machine.environment
        environment.executable = machine.executable.map { URL(fileURLWithPath: $0) }
        environment.isColored = renderer.dataPaint.isOn
        environment.talk = { [outlet] in outlet.say($0) }
        environment.show = { [outlet] in try? outlet.write($0) }
        if canMove(STDERR_FILENO) { environment.progress = Self.progress }
        if canMove(STDOUT_FILENO) { environment.clearScreen = Self.clearScreen }
        return environment
    }

    /// Whether a channel goes to a terminal whose cursor can be moved.
    private func canMove(_ descriptor: Int32) -> Bool {
        TerminalSize.isTerminal(descriptor) && !["dumb", ""].contains(machine.environment["TERM"] ?? "")
    }

    /// A line that is written over and over, and taken away at the end.
    private static let progress: @Sendable (ProgressLine?) -> Void = { line in
        StandardError.control("\r" + VisibleText.line(line?.text(width: 78) ?? "") + "\u{1B}[K")
    }

    private static let clearScreen: @Sendable () -> Void = {
        // A terminal that is gone ends the shell by itself.
        try? StandardOutput.control("\u{1B}[H\u{1B}[2J")
    }

    /// How this process prints: fitted and coloured on a terminal, plain elsewhere.
    func renderer(_ options: ShellOptions) -> Renderer {
        Renderer(
            isJSON: options.isJSON,
            mode: options.mode.flatMap(OutputMode.init) ?? .table,
            isQuiet: options.isQuiet,
            width: TerminalSize.isTerminal(STDOUT_FILENO) ? TerminalSize.current.columns : nil,
            isForScreen: TerminalSize.isTerminal(STDOUT_FILENO),
            dataPaint: paint(options.color, STDOUT_FILENO),
            talkPaint: paint(options.color, STDERR_FILENO)
        )
    }

    /// The paint for one of the channels.
    func paint(_ choice: String, _ descriptor: Int32) -> Paint {
        Paint(
            choice: ColorChoice(rawValue: choice) ?? .auto,
            environment: machine.environment,
            isTerminal: TerminalSize.isTerminal(descriptor)
        )
    }
}
