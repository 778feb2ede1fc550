/// What a line asks for.
struct Request: Sendable {
    /// The command that the line names; nil where it asks for help about one.
    var spec: CommandSpec?
    let action: CommandAction
    /// Whether this one answer is wanted as JSON.
    var isJSON = false

    /// Whether a rehearsal does it.
    var isHarmless: Bool { spec?.isHarmless ?? true }
}
