public import CommandShell

/// The program of `cloudlet shell`, with only the commands that work on any container.
public struct CloudProgram: ShellProgram {
    /// The names of the program.
    public let names: ProgramNames
    /// The session of the program.
    public let session: CloudSession
    private let build: String

    /// Creates the program for a session.
    ///
    /// - Parameter build: The release, for the command `version`.
    public init(_ names: ProgramNames, session: CloudSession, build: String) {
        self.names = names
        self.session = session
        self.build = build
    }

    /// All commands that work on any container.
    public var commands: [CommandSpec] { CloudCommands(session, of: names).all }

    /// The release, and the version of the line editor.
    public var version: [AnswerField] {
        [AnswerField("cloudlet", .text(build)), AnswerField("editor", .text(Shell.editorVersion))]
    }

    /// The container, environment, person and device.
    public var prompt: String { get async { await session.prompt } }

    /// The server and the container; the history of typed lines is kept for each.
    public var historyPlace: String { get async { await session.historyPlace } }

    /// The requests that were sent so far.
    public var meter: ProgramMeter? { session.meter }

    /// Completion candidates from the server.
    public func candidates(
        for kind: ValueKind, beginningWith typed: String, after words: [String]
    ) async -> [Candidate] {
        await session.candidates(for: kind, after: words)
    }

    /// Converts an error, with a remedy for the current person and server.
    public func shellError(about error: any Error) async -> ShellError {
        await session.shellError(about: error)
    }

    /// Completes a pending sign-in if the server can be reached again.
    public func prepare() async { await session.completeSignInIfDue() }

    /// Stores which records a command showed, and its errors.
    public func handle(_ result: LastResult) async { await session.handle(result) }

    /// Switches to a person and device, and returns the function that switches back.
    public func enter(_ address: ShellAddress) async throws -> (@Sendable () async -> Void)? {
        try await session.enter(address)
    }

    /// Ends the connections for pushes.
    public func disconnect() async { await session.disconnectPushes() }
}
