import Foundation

extension Shell {
    /// A hint for arguments that begin with an unknown word: commands of the shell must follow `-c`. Nil if
    /// no hint applies.
    ///
    /// - Parameter subcommands: The subcommands of the program.
    public static func hint(
        for arguments: [String], of names: ProgramNames, _ table: CommandTable, subcommands: [String]
    ) -> String? {
        guard let first = arguments.first, !first.hasPrefix("-"), !subcommands.contains(first) else {
            return nil
        }
        let line = arguments.map(Quoting.quoted).joined(separator: " ")
        do {
            _ = try table.command(for: arguments.map { Word($0) })
            return "commands of the shell follow -c: \(names.invocation) -c '\(line)'"
        } catch {
            let near = DidYouMean.suggestions(for: first, among: subcommands)
            return (ShellError(error).suggestions + near).first.map {
                subcommands.contains($0) ? "did you mean \($0)?" : "did you mean -c '\($0)'?"
            }
        }
    }

    /// Prints a text such as help on standard output, and returns the exit code.
    public static func say(_ text: String) -> Int32 {
        StandardOutput.surviveClosedPipes()
        do {
            try StandardOutput.write(text)
            return ExitStatus.done.rawValue
        } catch StandardOutput.Failure.closed {
            return ExitStatus.done.rawValue
        } catch {
            StandardError.write("error: \(error)\n")
            return ExitStatus.failed.rawValue
        }
    }

    /// Prints an error about the program's arguments, and returns the exit code.
    ///
    /// - Parameters:
    ///   - message: The culprit and the reason.
    ///   - remedy: The next step; nil if there is none.
    ///   - text: The text for standard error; nil uses the message.
    ///   - isJSON: Whether to print the error as JSON on standard output too.
    public static func printError(
        _ message: String, remedy: String? = nil, text: String? = nil, isJSON: Bool
    ) -> Int32 {
        printError(ShellError.usage(message, remedy: remedy), text: text, isJSON: isJSON)
    }

    /// Prints an error and returns the exit code.
    public static func printError(
        _ shellError: ShellError, text: String? = nil, isJSON: Bool = false
    ) -> Int32 {
        StandardOutput.surviveClosedPipes()
        var rendering = Renderer(isJSON: isJSON).render(shellError, line: nil)
        if let text { rendering.messages = text }
        try? OutputChannels.process.write(rendering)
        return shellError.exit.rawValue
    }
}
