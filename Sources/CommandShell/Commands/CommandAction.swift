/// The work of a command, after its arguments have been read.
public enum CommandAction: Sendable {
    /// Work of the program, which returns an answer.
    case work(@Sendable () async throws -> Answer)
    /// Work of the shell itself, which may run other statements.
    case shell(@Sendable (StatementRunner) async throws -> StatementOutcome)
    /// A claim about the result of the previous command.
    case claim(Expectation)
    /// Help about a command or group; about all commands if the topic is empty.
    case help(topic: [String])
    /// Leaves the shell with an exit code.
    case exit(Int32)
}
