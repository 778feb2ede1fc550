/// What a command does, once its arguments are understood.
public enum CommandAction: Sendable {
    /// Work of the program, which comes to an answer.
    case work(@Sendable () async throws -> Answer)
    /// Work of the shell itself, which may run other statements.
    case shell(@Sendable (StatementRunner) async throws -> StatementOutcome)
    /// A claim about the result of the command before.
    case claim(Expectation)
    /// Help about a topic; about everything if it has no words.
    case help(topic: [String])
    /// Leaves the shell with a code.
    case leave(Int32)
}
