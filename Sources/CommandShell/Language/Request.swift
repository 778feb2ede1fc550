/// The request of a line.
struct Request: Sendable {
    /// The command that the line names; nil for help about a command.
    var spec: CommandSpec?
    let action: CommandAction
    /// Whether the line has the flag `--json`.
    var isJSON = false

    /// Whether a dry run executes the request.
    var isHarmless: Bool { spec?.isHarmless ?? true }
}
