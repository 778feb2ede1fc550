// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import CommandShell

/// A list of tasks.
actor TaskList {
    private(set) var titles: [String] = []

    func add(_ title: String) { titles.append(title) }
}

/// A small but complete program with a shell.
public struct TaskProgram: ShellProgram {
    public let names = ProgramNames("tasks", title: "Tasks")
    let list = TaskList()

    public init() {}

    public var commands: [CommandSpec] {
        [
            CommandSpec(
                ["task", "add"], group: "Tasks", summary: "write a task down",
                arguments: [ArgumentSpec("TITLE", .text)], examples: ["task add 'Buy paint'"]
            ) { arguments in
                let title = try arguments.name("TITLE")
                return .work {
                    await list.add(title)
                    return .message("added \(title)")
                }
            },
            CommandSpec(
                ["task", "show"], group: "Tasks", summary: "show the tasks that begin with TITLE",
                arguments: [ArgumentSpec("TITLE", ValueKind("task"), .optional)], examples: ["task show Buy"]
            ) { arguments in
                let title = arguments.word("TITLE")?.text ?? ""
                return .work {
                    let found = await list.titles.filter { $0.hasPrefix(title) }
                    return Answer(
                        form: .list, entries: found.map { Entry([AnswerField("title", .text($0))]) },
                        columns: [Column("TITLE", "title")], whenEmpty: "no tasks yet; try: task add TITLE")
                }
            },
        ]
    }

    public func candidates(
        for kind: ValueKind, beginningWith typed: String, after words: [String]
    ) async -> [Candidate] {
        kind.name == "task" ? await list.titles.map { Candidate($0) } : []
    }
}
