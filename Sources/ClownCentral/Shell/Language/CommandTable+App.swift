// Owns the description of the commands that an app does in a process of its own.
import CommandText
import Foundation

extension CommandTable {
    static let appCommands = [appRun, appKill]

    private static let group = "Apps"

    private static let appRun = CommandSpec(
        path: ["app", "run"],
        group: group,
        summary: "do a command in a process of its own, as this person on this device",
        arguments: [ArgumentSpec("COMMAND", .text)],
        details: "Needs a server that listens: --ephemeral or --server.",
        examples: ["app run 'zone fetch Jokes --keep jokes.json'"],
        build: { .app(AppCommand(line: try $0.requiredWord("COMMAND").text, killedAt: nil)) }
    )

    private static let appKill = CommandSpec(
        path: ["app", "kill"],
        group: group,
        summary: "do the same, and kill the process at once when it has said something",
        arguments: [ArgumentSpec("COMMAND", .text)],
        flags: [FlagSpec("at", "WORDS", .text, "what it says")],
        details: "The process gets no chance to end in order, as when the system takes an app out of memory.",
        examples: ["app kill 'zone fetch Jokes --page 20 --keep jokes.json' --at 'page 2'"],
        build: { arguments in
            let line = try arguments.requiredWord("COMMAND")
            guard let words = arguments.text("at") else {
                throw Complaint.usage("say with --at when to kill it", at: line.range)
            }
            return .app(AppCommand(line: line.text, killedAt: words))
        }
    )
}
