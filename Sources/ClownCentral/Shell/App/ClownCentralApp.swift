// Owns the two things that the command line can start: the shell and the walkthrough.
import CloudletServer
import CommandText
import Foundation

/// Clown Central, as the command line starts it.
///
/// ```swift
/// var options = ShellOptions()
/// options.server = .ephemeral
/// options.input = .commands(["seed", "party list --limit 3"])
/// let code = await ClownCentralApp(machine: machine).run(options)
/// ```
public struct ClownCentralApp: Sendable {
    let machine: Machine
    let outlet = Outlet.process

    /// An app on a machine.
    public init(machine: Machine) {
        self.machine = machine
    }

    static let release = CloudletServer.release

    /// The release and what it was built with.
    public static var version: String {
        "clown-central \(release) (\(CloudletServer.build), \(LineEditor.version))"
    }

    /// Runs a shell to its end and answers the exit code. It never throws: what goes wrong is said on
    /// standard error and becomes the code.
    @MainActor
    public func run(_ options: ShellOptions) async -> Int32 {
        await guarded(Renderer(isJSON: options.isJSON)) { interrupts in
            let statements = try StatementSource(options.input)
            let now = try clock(options.now)
            let host = try await Host.open(
                options.server,
                machine: machine,
                now: now,
                seed: options.seed,
                allowsPlainHTTP: options.allowsPlainHTTP,
                talk: outlet.say
            )
            interrupts.beforeExit(cleanUp(host))
            let setting = Setting(
                host: host,
                now: now,
                device: options.device,
                seed: options.seed ?? machine.randomSeed,
                baseFolder: machine.currentFolder,
                devices: options.devices ?? machine.devices(for: options.server),
                settings: options.settings,
                isClockFixed: options.now != nil,
                asks: statements.isInteractive && !options.asksNothing && !options.isSure,
                apiToken: options.apiToken
            )
            let code = await run(options, statements, setting, interrupts)
            await host.close()
            return code
        }
    }

    @MainActor
    private func run(
        _ options: ShellOptions,
        _ statements: StatementSource,
        _ setting: Setting,
        _ interrupts: Interrupts
    ) async -> Int32 {
        var runner = runner(setting, renderer: renderer(options), seed: setting.seed)
        runner.isRehearsal = options.isRehearsal
        runner.timeout = options.timeout
        if options.isVerbose {
            runner.interpreter.requests.monitor { [outlet] in
                outlet.talk($0.line(isJSON: options.isJSON) + "\n")
            }
        }
        return await runner.living { [runner] in await run(options, runner, statements, interrupts) }
    }

    @MainActor
    private func run(
        _ options: ShellOptions,
        _ runner: StatementRunner,
        _ statements: StatementSource,
        _ interrupts: Interrupts
    ) async -> Int32 {
        if let person = options.person {
            let outcome = await runner.run("as \(Quoting.name(person) ?? Quoting.quoted(person))")
            if let complaint = outcome.complaint {
                outlet.talk(outcome.rendering.talk)
                return complaint.exit.rawValue
            }
        }
        if let code = await startUp(options, runner, interrupts, isInteractive: statements.isInteractive) {
            return code
        }
        guard statements.isInteractive else { return await play(statements, by: runner, options, interrupts) }
        if TerminalSize.isTerminal(STDERR_FILENO) {
            outlet.talk("Clown Central. `help` shows the commands, Ctrl-D leaves.\n")
        }
        let shell = InteractiveShell(
            runner: runner,
            outlet: outlet,
            interrupts: interrupts,
            environment: machine.environment
        )
        return await shell.run()
    }

    /// Does what stands in the start-up file, and answers the code to leave with, if it is to be left. A
    /// mistake in it is told, and keeps nobody at a terminal from the prompt; a run without one ends of it.
    @MainActor
    private func startUp(
        _ options: ShellOptions, _ runner: StatementRunner, _ interrupts: Interrupts, isInteractive: Bool
    ) async -> Int32? {
        let start = StartUpFile(options.startUp, machine: machine, isInteractive: isInteractive)
        guard let start else { return nil }
        do {
            guard let text = try start.text() else { return nil }
            let outcome = await interrupts.interruptible {
                await runner.play(text, from: start.file.path)
            }
            try outlet.write(outcome.rendering)
            if let code = outcome.leavesWith { return code }
            return outcome.complaint == nil || isInteractive ? nil : ExitCode.scriptStopped.rawValue
        } catch StandardOutput.Failure.closed {
            return ExitCode.done.rawValue
        } catch {
            let complaint = Complaint(error)
            try? outlet.write(runner.renderer.render(complaint, line: nil))
            return isInteractive ? nil : complaint.exit.rawValue
        }
    }

    /// Runs what stands in a script or on the command line.
    @MainActor
    private func play(
        _ statements: StatementSource, by runner: StatementRunner, _ options: ShellOptions,
        _ interrupts: Interrupts
    ) async -> Int32 {
        let isScript = statements.isScript
        let script = ScriptRunner(
            run: { statement in
                outlet.talk(runner.echo(of: statement.text))
                return await interrupts.interruptible {
                    await runner.run(statement.text, line: isScript ? statement.line : nil)
                }
            },
            expectsError: runner.expectsError,
            outlet: outlet,
            keepsGoing: options.keepsGoing,
            isScript: isScript
        )
        return await script.play(statements.next)
    }
}
