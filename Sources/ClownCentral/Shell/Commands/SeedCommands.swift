import Cloudlet
import CloudletShell
import CommandShell
import Foundation

/// The commands that load sample parties and clowns: `seed` as a signed-in person, `import` with a server
/// key.
struct SeedCommands {
    let app: AppSession

    /// The person who saves the seeds when nobody is signed in.
    private static let seeder = "seeder"

    var commands: [CommandSpec] { [seed, importSet] }

    private var seed: CommandSpec {
        CommandSpec(
            ["seed"],
            group: "Parties",
            summary: "fill the database with sample parties and clowns",
            arguments: [ArgumentSpec("SET", .seedSet, .optional)],
            details: "If nobody is signed in, the account `seeder` is used.",
            examples: ["seed"]
        ) { arguments in
            let set = arguments.word("SET")
            return .work { try await seed(set) }
        }
    }

    private func seed(_ word: Word?) async throws -> Answer {
        let name = word?.text ?? SeedSet.defaultName
        let seeds = try seeds(word)
        let context = await app.cloud.context
        var container = await app.cloud.container
        if context.account == nil {
            let account = try await app.cloud.account(of: Self.seeder).session
            container = app.cloud.server.container(in: context.place, account, device: context.device)
        }
        let loaded = try await SeedLoader(database: container.publicCloudDatabase).load(seeds)
        let fields = [
            AnswerField("set", .text(name)), AnswerField("parties", .count(loaded.parties)),
            AnswerField("clowns", .count(loaded.clowns)), AnswerField("others", .count(loaded.refused)),
        ]
        let counts =
            "\(Answer.counted(loaded.parties, "party")) and \(Answer.counted(loaded.clowns, "clown"))"
        let refused = Answer.counted(loaded.refused, "record")
        let note = loaded.refused == 0 ? "stored \(counts)" : "\(counts) exist; \(refused) of another person"
        return Answer(form: .message, facts: fields, notes: [note])
    }

    /// The parties of the named seed set, or of the default set if `word` is nil.
    private func seeds(_ word: Word?) throws -> [SeedParty] {
        let folder = try app.seedFolder.get()
        let name = word?.text ?? SeedSet.defaultName
        let known = SeedSet.names(in: folder)
        guard known.contains(name) else {
            let sets = known.isEmpty ? "" : "; the sets are \(known.joined(separator: ", "))"
            throw ShellError(
                code: "notFound", message: "there is no seed set `\(name)` in \(folder.path)\(sets)",
                span: word?.range, suggestions: DidYouMean.suggestions(for: name, among: known),
                remedy: "name a set of that folder, or another folder: \(SeedSet.folderVariable)=FOLDER"
            )
        }
        return try SeedSet.load(named: name, from: folder, referenceDate: app.environment.now())
    }

    private var importSet: CommandSpec {
        CommandSpec(
            ["import"],
            group: "Faults and load",
            summary: "import a seed set as an app's own server does; equal records are skipped",
            arguments: [ArgumentSpec("SET", .seedSet, .optional)],
            details: "Signs its requests with the key of `server-key`. A second import changes nothing.",
            examples: ["import"]
        ) { arguments in
            let set = arguments.word("SET")
            return .work { try await importSet(set) }
        }
    }

    private func importSet(_ word: Word?) async throws -> Answer {
        guard let key = await app.cloud.importKey else {
            throw ShellError(
                code: "noServerKey", message: "an import needs a server key", remedy: "server-key",
                exit: .notSignedIn)
        }
        let seeds = try seeds(word)
        let context = await app.cloud.context
        var connection = app.cloud.server.connection(
            in: context.place.environment, nil, device: context.device)
        connection.serverKey = key
        let container = CKContainer(identifier: context.place.container, connection: connection)
        let before = app.cloud.requests.count
        let tally = try await Importer(database: container.publicCloudDatabase).importRecords(
            SeedLoader.records(of: seeds))
        let requests = app.cloud.requests.count - before
        let facts = [
            AnswerField("new", .count(tally.new)), AnswerField("changed", .count(tally.changed)),
            AnswerField("unchanged", .count(tally.unchanged)), AnswerField("requests", .count(requests)),
        ]
        return Answer(
            form: .record, entries: [Entry(facts)],
            notes: ["imported: \(tally.new) new, \(tally.changed) changed, \(tally.unchanged) unchanged"])
    }
}
