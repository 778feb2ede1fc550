// Owns putting a shell together from the machine and the options.
import CommandText
import Foundation

extension ClownCentralApp {
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
            return ExitCode.done.rawValue
        } catch {
            let complaint = Complaint(error)
            try? outlet.write(renderer.render(complaint, line: nil))
            return complaint.exit.rawValue
        }
    }

    /// What removes the files of this process alone.
    func cleanUp(_ host: Host) -> @Sendable () -> Void {
        let folders = [machine.workFolder, host.temporaryFolder].compactMap { $0 }
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

    /// Prints what was asked for, such as help, and answers the exit code.
    public static func say(_ text: String) -> Int32 {
        StandardOutput.surviveClosedPipes()
        do {
            try StandardOutput.write(text)
            return ExitCode.done.rawValue
        } catch StandardOutput.Failure.closed {
            return ExitCode.done.rawValue
        } catch {
            StandardError.write("error: \(error)\n")
            return ExitCode.failed.rawValue
        }
    }

    /// The interpreter and everything around it.
    func runner(_ setting: Setting, renderer: Renderer, seed: UInt64) -> StatementRunner {
        let thumbnails = machine.workFolder.appendingPathComponent("thumbnails", isDirectory: true)
        let searchPath = machine.environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin"
        let seedFolder = Result {
            try SeedSet.folder(
                environment: machine.environment,
                executable: machine.executable
            )
        }
        let tools = Tools(
            now: setting.now,
            baseFolder: setting.baseFolder,
            workFolder: machine.workFolder,
            seedFolder: seedFolder.mapError { $0 as? SeedError ?? .noFolder(lookedAround: []) },
            thumbnailer: Thumbnailer(folder: thumbnails, searchPath: searchPath),
            talk: { [outlet] in outlet.say($0) },
            confirm: setting.asks ? question : nil,
            home: setting.home?.path ?? machine.home,
            pause: setting.pause ?? machine.pause,
            password: machine.environment["CLOUDLET_PASSWORD"].flatMap { $0.isEmpty ? nil : $0 },
            ask: { [asks = setting.asks] in asks ? Questions.ask($0, isSecret: $1) : nil },
            program: machine.executable.map { URL(fileURLWithPath: $0) },
            environment: machine.environment,
            devices: setting.devices,
            isClockFixed: setting.isClockFixed,
            wallClock: machine.now,
            favourites: FavouriteFile(
                environment: machine.environment, home: setting.home?.path ?? machine.home),
            settings: setting.settings,
            viewer: PictureViewer(searchPath: searchPath, isColored: renderer.dataPaint.isOn),
            show: { [outlet] in try? outlet.write($0) },
            meter: canMove(STDERR_FILENO) ? Self.meter : nil,
            clearScreen: canMove(STDOUT_FILENO) ? Self.clearScreen : nil
        )
        var site = setting.host.site
        site.apiToken = setting.apiToken
        let interpreter = Interpreter(site: site, tools: tools, device: setting.device, seed: seed)
        return StatementRunner(interpreter: interpreter, renderer: renderer, now: setting.now)
    }

    /// Whether a channel goes to a terminal whose cursor can be moved.
    private func canMove(_ descriptor: Int32) -> Bool {
        TerminalSize.isTerminal(descriptor) && !["dumb", ""].contains(machine.environment["TERM"] ?? "")
    }

    /// A line that is written over and over, and taken away at the end.
    private static let meter: @Sendable (ProgressLine?) -> Void = { line in
        StandardError.control("\r" + VisibleText.line(line?.text(width: 78) ?? "") + "\u{1B}[K")
    }

    private static let clearScreen: @Sendable () -> Void = {
        // A terminal that is gone ends the shell by itself.
        try? StandardOutput.control("\u{1B}[H\u{1B}[2J")
    }

    /// Asks at the terminal.
    private var question: @Sendable (String) throws -> Bool {
        let outlet = outlet
        return { text in try Question.ask(text, outlet: outlet) }
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
            choice: Paint.Choice(rawValue: choice) ?? .auto,
            environment: machine.environment,
            isTerminal: TerminalSize.isTerminal(descriptor)
        )
    }
}
