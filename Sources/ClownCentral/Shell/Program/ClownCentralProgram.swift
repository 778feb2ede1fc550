import Cloudlet
import CloudletServer
import CloudletShell
import CommandShell
import Foundation

/// The program of Clown Central's shell: the app's own commands and the general ones for any container.
struct ClownCentralProgram: ShellProgram {
    let names = ClownCentralApp.names
    let app: AppSession

    init(_ app: AppSession) { self.app = app }

    /// Creates the program with the seeds, the thumbnail tool and the picture viewer that the environment
    /// offers.
    init(_ cloud: CloudSession) {
        let environment = cloud.environment
        let searchPath = environment.variables["PATH"] ?? "/usr/local/bin:/usr/bin:/bin"
        let thumbnails = environment.workFolder.appendingPathComponent("thumbnails", isDirectory: true)
        let seedFolder = Result {
            try SeedSet.folder(
                environment: environment.variables, executable: environment.executable?.path)
        }
        self.init(
            AppSession(
                cloud, seedFolder: seedFolder.mapError { $0 as? SeedError ?? .noFolder(above: nil) },
                thumbnailer: Thumbnailer(folder: thumbnails, searchPath: searchPath),
                viewer: PictureViewer(searchPath: searchPath, isColored: environment.isColored)))
    }

    /// The program without a server, for help, manual page and completion.
    static let described = ClownCentralProgram(
        AppSession(
            .placeholder(of: ClownCentralApp.names), seedFolder: .failure(.noFolder(above: nil)),
            thumbnailer: nil))

    var commands: [CommandSpec] {
        let cloud = CloudCommands(
            app.cloud, of: names, finder: finder, refineStatus: { [app] in await Self.refined($0, app) },
            unsentCount: { [app] in await app.pendingCount() })
        return PartyCommands(app: app).commands + AttendCommands(app: app).commands.needingAccount()
            + ClownCommands(app: app).commands + PhotoCommands(app: app).commands
            + CardCommands(app: app).commands.needingAccount()
            + NoteCommands(app: app).commands.needingAccount()
            + ShareCommands(app: app).commands.needingAccount()
            + ReceiptCommands(app: app).commands.needingAccount()
            + postCommands.needingAccount()
            + SyncCommands(app: app).commands.needingAccount() + cloud.network
            + cloud.operations + [TreeCommands(app: app).save.needingAccount()] + cloud.audit + cloud.console
            + cloud.zones
            + [PartyCommands(app: app).subscribe.needingAccount()] + cloud.pushes + cloud.processes
            + cloud.identity + SeedCommands(app: app).commands + cloud.people + cloud.load + cloud.faults
            + cloud.records + cloud.containers + cloud.state
    }

    private var postCommands: [CommandSpec] {
        PostCommands(app: app).commands + DraftCommands(app: app).commands + TagCommands(app: app).commands
            + AttachCommands(app: app).commands + PlaceCommands(app: app).commands
    }

    var explainedWords: [ExplainedWord] {
        [
            ExplainedWord(
                "demo", message: "the walkthrough uses servers of its own, so it cannot run in this shell",
                remedy: "quit, then: clown-central demo")
        ]
    }

    var version: [AnswerField] {
        [
            AnswerField("clown-central", .text(ClownCentralApp.release)),
            AnswerField("editor", .text(Shell.editorVersion)),
            AnswerField("build", .text(CloudletServer.build)),
        ]
    }

    var greeting: String {
        """
        \(names.title). `as NAME` signs you in, and `seed` creates sample parties.
        `help` shows the commands, Ctrl-D leaves.
        """
    }

    var prompt: String { get async { await app.cloud.prompt } }

    var historyPlace: String { get async { await app.cloud.historyPlace } }

    var meter: ProgramMeter? { app.cloud.meter }

    func shellError(about error: any Error) async -> ShellError { await app.cloud.shellError(about: error) }

    func whyDisabled(_ command: CommandSpec) async -> ShellError? {
        guard command.needsAccount, await !app.features.areEnabled else { return nil }
        return ShellError(
            code: "notAuthenticated",
            message: "nobody is signed in, and `\(command.name)` needs an account",
            remedy: ShellError.signInRemedy,
            exit: .notSignedIn)
    }

    func prepare() async { await app.cloud.completeSignInIfDue() }

    func handle(_ result: LastResult) async { await app.cloud.handle(result) }

    func enter(_ address: ShellAddress) async throws -> (@Sendable () async -> Void)? {
        try await app.cloud.enter(address)
    }

    func runInBackground() async { await app.syncRunner.run() }

    func disconnect() async {
        await app.cloud.disconnectPushes()
        await app.endSyncs()
    }

    /// Finds a party by name for commands that take any record.
    private var finder: RecordFinder {
        RecordFinder(
            kind: .party, details: "A record is given by the name of a party, or by its record name."
        ) { [app] text in
            guard case .found(let party)? = try? await app.parties.table.lookup(text) else { return nil }
            return party.id
        }
    }

    /// Adds the number of pending changes, and whether thumbnails can be created, to the fields of `status`.
    private static func refined(_ fields: [AnswerField], _ app: AppSession) async -> [AnswerField] {
        var fields = fields
        func insert(_ field: AnswerField, after name: String) {
            let place = fields.firstIndex { $0.name == name }.map { $0 + 1 } ?? fields.endIndex
            fields.insert(field, at: place)
        }
        insert(
            AnswerField("pending", await app.pendingCount().map(Value.count) ?? .missing), after: "database")
        insert(AnswerField("thumbnails", .flag(app.thumbnailer != nil)), after: "faults")
        return fields
    }
}
