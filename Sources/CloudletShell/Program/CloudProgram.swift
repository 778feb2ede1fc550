public import CommandShell

/// The program of `cloudlet shell`: the commands that work on any container, and no others.
public struct CloudProgram: ShellProgram {
    /// What it is called.
    public let names: ProgramNames
    /// What it knows.
    public let session: CloudSession
    private let build: String

    /// A program for a session.
    ///
    /// - Parameter build: The release, for `version`.
    public init(_ names: ProgramNames, session: CloudSession, build: String) {
        self.names = names
        self.session = session
        self.build = build
    }

    /// All commands that work on any container.
    public var commands: [CommandSpec] { CloudCommands(session, of: names).all }

    /// The release, and the line editor.
    public var version: [Field] {
        [Field("cloudlet", .text(build)), Field("editor", .text(Shell.editorVersion))]
    }

    /// Where one is, and who.
    public var prompt: String { get async { await session.prompt } }

    /// The server and the container.
    public var historyPlace: String { get async { await session.historyPlace } }

    /// What was sent so far.
    public var meter: ProgramMeter? { session.meter }

    /// Names that the server knows.
    public func candidates(
        for kind: ValueKind, beginningWith typed: String, behind words: [String]
    ) async -> [Candidate] {
        await session.candidates(for: kind, behind: words)
    }

    /// The complaint in the light of who asks and where.
    public func complaint(about error: any Error) async -> Complaint { await session.complaint(about: error) }

    /// Keeps which records were shown, and what went wrong.
    public func noted(_ result: LastResult) async { await session.note(result) }

    /// Goes on as somebody on a device.
    public func enter(_ address: ShellAddress) async throws -> (@Sendable () async -> Void)? {
        try await session.enter(address)
    }

    /// Ends the connections for pushes.
    public func leave() async { await session.hangUp() }
}
