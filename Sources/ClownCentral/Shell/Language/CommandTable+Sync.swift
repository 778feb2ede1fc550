// Owns the description of the commands about keeping devices in step.
import Foundation

extension CommandTable {
    static let syncCommands = [
        syncStart, syncStop, syncResume, sync, pending, conflicts, networkOn, networkOff, undo,
    ]

    private static let group = "Sync"

    private static let sync = CommandSpec(
        path: ["sync"],
        group: group,
        summary: "bring this device and the cloud in step: send, merge, fetch",
        flags: [
            FlagSpec("wait", "", .nothing, "wait as long as the server asks for, until all is in step"),
            FlagSpec("say", "", .nothing, "say each step"),
        ],
        details: """
            Without --wait, what can be done now is done, and the answer says what is left and why.
            What is typed on two devices is merged; nothing of it is lost. `conflicts` shows what was merged.
            """,
        examples: ["sync", "sync --wait"],
        build: { .personal(.sync(.run(waits: $0.has("wait"), says: $0.has("say")))) }
    )

    private static let syncStart = CommandSpec(
        path: ["sync", "start"],
        group: group,
        summary: "keep this device in step by itself, with every edit and every push",
        examples: ["sync start"],
        build: { _ in .personal(.sync(.start)) }
    )

    private static let syncStop = CommandSpec(
        path: ["sync", "stop"],
        group: group,
        summary: "sync only when asked",
        examples: ["sync stop"],
        build: { _ in .personal(.sync(.stop)) }
    )

    private static let syncResume = CommandSpec(
        path: ["sync", "resume"],
        group: group,
        summary: "use a zone again whose data you had removed in the settings",
        arguments: [ArgumentSpec("ZONE", .zone)],
        examples: ["sync resume Notes"],
        build: { .personal(.sync(.resume(zone: try $0.name("ZONE")))) }
    )

    private static let pending = CommandSpec(
        path: ["pending"],
        group: group,
        summary: "show what the server has not been told yet",
        examples: ["pending"],
        build: { _ in .personal(.sync(.pending)) }
    )

    private static let conflicts = CommandSpec(
        path: ["conflicts"],
        group: group,
        summary: "show what was changed on two devices at once, and what became of it",
        flags: [FlagSpec("forget", "", .nothing, "forget them after")],
        examples: ["conflicts"],
        build: { .personal(.sync(.conflicts(forgets: $0.has("forget")))) }
    )

    private static let networkOn = CommandSpec(
        path: ["network", "on"],
        group: group,
        summary: "let this device reach the server again",
        examples: ["network on"],
        build: { _ in .personal(.sync(.network(isOn: true))) }
    )

    private static let networkOff = CommandSpec(
        path: ["network", "off"],
        group: group,
        summary: "take this device off line, as in an airplane",
        examples: ["network off"],
        build: { _ in .personal(.sync(.network(isOn: false))) }
    )

    private static let undo = CommandSpec(
        path: ["undo"],
        group: group,
        summary: "bring back what the last command deleted",
        details:
            "What was deleted can be brought back until something else is deleted, or the shell is left.",
        examples: ["undo"],
        build: { _ in .personal(.sync(.undo)) }
    )
}
