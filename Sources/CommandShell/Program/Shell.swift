import Foundation

/// Runs a program's commands, at a terminal or from a script.
///
/// ```swift
/// var options = ShellOptions()
/// options.input = .commands(["task add 'Buy paint'", "task show"])
/// let shell = Shell(ProgramNames("tasks", title: "Tasks"), machine: machine)
/// let code = await shell.run(options) { environment in RunningProgram(TaskProgram()) }
/// ```
public struct Shell: Sendable {
    /// Opens the program. It throws `ShellError` if that fails.
    public typealias Opening = @Sendable (ShellEnvironment) async throws -> RunningProgram

    /// The line editor that the shell was built with.
    public static var editorVersion: String { LineEditor.version }

    let names: ProgramNames
    let machine: Machine
    let output = OutputChannels.process

    /// Creates a shell.
    public init(_ names: ProgramNames, machine: Machine) {
        self.names = names
        self.machine = machine
    }

    /// Runs the shell to its end and returns the exit code. Errors are printed on standard error and become
    /// the exit code.
    @MainActor
    public func run(_ options: ShellOptions, _ open: Opening) async -> Int32 {
        await guarded(Renderer(isJSON: options.isJSON)) { interrupts in
            let statements = try StatementSource(options.input)
            let renderer = renderer(options)
            let environment = try environment(
                options, renderer,
                asks: statements.isInteractive && !options.asksNothing && !options.isSure)
            let opened = try await open(environment)
            interrupts.beforeExit(cleanUp(opened))
            var runner = StatementRunner(
                program: opened.program, environment: environment, renderer: renderer)
            runner.isDryRun = options.isDryRun
            runner.timeout = options.timeout
            let code = await runner.withBackgroundWork { [runner] in
                await run(options, opened, runner, statements, interrupts)
            }
            await opened.close()
            return code
        }
    }

    @MainActor
    private func run(
        _ options: ShellOptions,
        _ opened: RunningProgram,
        _ runner: StatementRunner,
        _ statements: StatementSource,
        _ interrupts: Interrupts
    ) async -> Int32 {
        for command in opened.firstCommands {
            let outcome = await runner.run(command)
            if let shellError = outcome.shellError {
                output.message(outcome.rendering.messages)
                // At a terminal, the person can type the next step.
                if !statements.isInteractive { return shellError.exit.rawValue }
            }
        }
        if let code = await startUp(options, runner, interrupts, isInteractive: statements.isInteractive) {
            return code
        }
        guard statements.isInteractive else { return await play(statements, by: runner, options, interrupts) }
        if TerminalSize.isTerminal(STDERR_FILENO) { output.message(runner.program.greeting + "\n") }
        let shell = InteractiveShell(runner: runner, output: output, interrupts: interrupts)
        return await shell.run()
    }

    /// Runs the start-up file, and returns the exit code if the shell must end.
    ///
    /// Errors in the file are printed. An interactive session continues; a non-interactive run ends.
    @MainActor
    private func startUp(
        _ options: ShellOptions, _ runner: StatementRunner, _ interrupts: Interrupts, isInteractive: Bool
    ) async -> Int32? {
        let start = StartUpFile(
            of: names, options.startUp, machine: machine, isInteractive: isInteractive)
        guard let start else { return nil }
        do {
            guard let text = try start.text() else { return nil }
            let outcome = await interrupts.interruptible {
                await runner.play(text, from: start.file.path)
            }
            try output.write(outcome.rendering)
            if let code = outcome.exitCode { return code }
            return outcome.shellError == nil || isInteractive ? nil : ExitStatus.scriptStopped.rawValue
        } catch StandardOutput.Failure.closed {
            return ExitStatus.done.rawValue
        } catch {
            let shellError = ShellError(error)
            try? output.write(runner.renderer.render(shellError, line: nil))
            return isInteractive ? nil : shellError.exit.rawValue
        }
    }

    /// Runs the statements of a script or of the command line.
    @MainActor
    private func play(
        _ statements: StatementSource, by runner: StatementRunner, _ options: ShellOptions,
        _ interrupts: Interrupts
    ) async -> Int32 {
        let isScript = statements.isScript
        let script = ScriptRunner(
            run: { statement in
                output.message(runner.echo(of: statement.text))
                return await interrupts.interruptible {
                    await runner.run(statement.text, line: isScript ? statement.line : nil)
                }
            },
            expectsError: runner.expectsError,
            output: output,
            keepsGoing: options.keepsGoing,
            isScript: isScript
        )
        return await script.play(statements.next)
    }
}
