import Foundation

extension Shell {
    /// What to say about command-line arguments that begin with a word: commands of the shell go behind `-c`.
    ///
    /// - Parameter subcommands: What the program has beside its shell.
    public static func hint(
        for arguments: [String], of names: ProgramNames, _ table: CommandTable, subcommands: [String]
    ) -> String? {
        guard let first = arguments.first, !first.hasPrefix("-"), !subcommands.contains(first) else {
            return nil
        }
        let line = arguments.map(Quoting.quoted).joined(separator: " ")
        do {
            _ = try table.command(for: arguments.map { Word($0) })
            return "commands of the shell go behind -c: \(names.invocation) -c '\(line)'"
        } catch {
            let near = DidYouMean.suggestions(for: first, among: subcommands)
            return (Complaint(error).suggestions + near).first.map {
                subcommands.contains($0) ? "did you mean \($0)?" : "did you mean -c '\($0)'?"
            }
        }
    }

    /// Prints what was asked for, such as help, and answers the exit code.
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

    /// Says what is wrong with how the program was started, and answers the exit code.
    ///
    /// - Parameters:
    ///   - message: What is wrong.
    ///   - remedy: The next step, if there is one.
    ///   - text: What to say to people, where that is more than the message.
    ///   - isJSON: Whether programs are to hear it, too.
    public static func complain(
        _ message: String, remedy: String? = nil, text: String? = nil, isJSON: Bool
    ) -> Int32 {
        complain(Complaint.usage(message, remedy: remedy), text: text, isJSON: isJSON)
    }

    /// Says what went wrong, and answers the exit code.
    public static func complain(
        _ complaint: Complaint, text: String? = nil, isJSON: Bool = false
    ) -> Int32 {
        StandardOutput.surviveClosedPipes()
        var rendering = Renderer(isJSON: isJSON).render(complaint, line: nil)
        if let text { rendering.talk = text }
        try? Outlet.process.write(rendering)
        return complaint.exit.rawValue
    }
}
