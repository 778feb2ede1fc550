import Foundation

extension Shell {
    /// Runs `body` with the interrupt handler installed. An error is printed and becomes the exit code.
    @MainActor
    func guarded(
        _ renderer: Renderer,
        _ body: (Interrupts) async throws -> Int32
    ) async -> Int32 {
        StandardOutput.surviveClosedPipes()
        WorkFolders.sweep(beside: machine.workFolder)
        defer { try? FileManager.default.removeItem(at: machine.workFolder) }
        do {
            try WorkFolders.create(machine.workFolder)
            guard let interrupts = Interrupts() else {
                throw ShellError(code: "failed", message: "the system cannot create another pipe")
            }
            return try await body(interrupts)
        } catch StandardOutput.Failure.closed {
            return ExitStatus.done.rawValue
        } catch {
            let shellError = ShellError(error)
            try? output.write(renderer.render(shellError, line: nil))
            return shellError.exit.rawValue
        }
    }

    /// Deletes the temporary folders of this process.
    func cleanUp(_ opened: RunningProgram) -> @Sendable () -> Void {
        let folders = [machine.workFolder] + opened.temporaryFolders
        return { for folder in folders { try? FileManager.default.removeItem(at: folder) } }
    }

    /// The clock of the shell. A given time stands still; nil uses the machine's clock.
    func clock(_ moment: String?) throws -> @Sendable () -> Date {
        guard let moment else { return machine.now }
        guard let fixed = MomentReader(now: machine.now()).moment(moment) else {
            throw ShellError.usage("--now takes a time such as 2026-07-04T18:00, not `\(moment)`")
        }
        return { fixed }
    }

    /// The environment of the shell's commands.
    func environment(
        _ options: ShellOptions, _ renderer: Renderer, asks: Bool
    ) throws -> ShellEnvironment {
        var environment = environment(now: try clock(options.now), home: machine.home, renderer)
        environment.isClockFixed = options.now != nil
        environment.seed = options.seed ?? machine.randomSeed
        environment.settings = options.settings
        environment.isSure = options.isSure
        if asks {
            environment.confirm = { [output] in try Question.confirm($0, output: output) }
            environment.ask = Question.ask
        }
        return environment
    }

    /// The environment for any clock and home folder.
    func environment(
        now: @escaping @Sendable () -> Date, home: String, _ renderer: Renderer
    ) -> ShellEnvironment {
        var environment = ShellEnvironment(
            now: now, baseFolder: machine.currentFolder, workFolder: machine.workFolder, home: home,
            favourites: FavouriteFile(of: names, environment: machine.environment, home: home))
        environment.wallClock = machine.now
        environment.wallPause = machine.pause
        environment.pause = machine.pause
        environment.limitPause = machine.pause
        environment.variables = machine.environment
        environment.executable = machine.executable.map { URL(fileURLWithPath: $0) }
        environment.isColored = renderer.dataPaint.isOn
        environment.message = { [output] in output.say($0) }
        environment.show = { [output] in try? output.write($0) }
        if canMove(STDERR_FILENO) { environment.progress = Self.progress }
        if canMove(STDOUT_FILENO) { environment.clearScreen = Self.clearScreen }
        return environment
    }

    /// Whether a file descriptor is a terminal with a movable cursor.
    private func canMove(_ descriptor: Int32) -> Bool {
        TerminalSize.isTerminal(descriptor) && !["dumb", ""].contains(machine.environment["TERM"] ?? "")
    }

    /// Writes a progress line over the previous one; nil removes it.
    private static let progress: @Sendable (ProgressLine?) -> Void = { line in
        StandardError.control("\r" + VisibleText.line(line?.text(width: 78) ?? "") + "\u{1B}[K")
    }

    private static let clearScreen: @Sendable () -> Void = {
        // If the terminal is closed, the shell ends anyway.
        try? StandardOutput.control("\u{1B}[H\u{1B}[2J")
    }

    /// The renderer for standard output: fitted and coloured on a terminal, plain elsewhere.
    func renderer(_ options: ShellOptions) -> Renderer {
        Renderer(
            isJSON: options.isJSON,
            mode: options.mode.flatMap(OutputMode.init) ?? .table,
            isQuiet: options.isQuiet,
            width: TerminalSize.isTerminal(STDOUT_FILENO) ? TerminalSize.current.columns : nil,
            isForScreen: TerminalSize.isTerminal(STDOUT_FILENO),
            dataPaint: paint(options.color, STDOUT_FILENO),
            messagePaint: paint(options.color, STDERR_FILENO)
        )
    }

    /// The colours for a file descriptor.
    func paint(_ choice: String, _ descriptor: Int32) -> Paint {
        Paint(
            choice: ColorChoice(rawValue: choice) ?? .auto,
            environment: machine.environment,
            isTerminal: TerminalSize.isTerminal(descriptor)
        )
    }
}
