// Owns what is said about a command line, a variable or a file of settings that makes no sense.
import CommandText
import Foundation

extension ClownCentralApp {
    /// What to say about command-line arguments that begin with a word: commands of the shell go behind `-c`.
    public static func hint(for arguments: [String]) -> String? {
        let programs = ["demo", "new", "run"]
        guard let first = arguments.first, !first.hasPrefix("-"), !programs.contains(first) else {
            return nil
        }
        let line = arguments.map(Quoting.quoted).joined(separator: " ")
        do {
            _ = try CommandTable.standard.command(for: arguments.map { Word($0) })
            return "commands of the shell go behind -c: clown-central -c '\(line)'"
        } catch {
            let names = Complaint(error).suggestions + DidYouMean.suggestions(for: first, among: programs)
            return names.first.map {
                programs.contains($0) ? "did you mean \($0)?" : "did you mean -c '\($0)'?"
            }
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
        StandardOutput.surviveClosedPipes()
        let complaint = Complaint.usage(message, remedy: remedy)
        var rendering = Renderer(isJSON: isJSON).render(complaint, line: nil)
        if let text { rendering.talk = text }
        try? Outlet.process.write(rendering)
        return complaint.exit.rawValue
    }
}
