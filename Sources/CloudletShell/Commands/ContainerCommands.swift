import Cloudlet
import CommandShell
import Records
import RecordsWire

/// Commands that create containers, and that select the container and environment of later commands.
struct ContainerCommands {
    let session: CloudSession

    /// The help text about the operator's key, which calls of the operator require.
    static let operatorKeyHelp =
        "A remote server requires the operator's key: CLOUDLET_OPERATOR_KEY_FILE=FILE."
    static let group = "Containers"
    private static let environments = ["development", "production"]

    var commands: [CommandSpec] { [create, use, list, environment] }

    private var create: CommandSpec {
        CommandSpec(
            ["container", "create"],
            group: Self.group,
            summary: "create a container, with a warning if its name is unsuitable",
            arguments: [ArgumentSpec("NAME", .text)],
            details: Self.operatorKeyHelp,
            examples: ["container create iCloud.org.example.notes"]
        ) { arguments in
            let name = try arguments.name("NAME")
            return .work { try await create(name) }
        }
    }

    private func create(_ name: String) async throws -> Answer {
        let warnings = try await session.server.send(CreateContainer(name)).warnings
        let fields = [
            AnswerField("container", .text(name)), AnswerField("warnings", .texts(warnings)),
        ]
        return Answer(
            form: .record, entries: [Entry(fields)], facts: [AnswerField("warned", .count(warnings.count))],
            notes: ["created \(name)"] + warnings.map { "warning: \($0)" }
        )
    }

    private var use: CommandSpec {
        CommandSpec(
            ["container", "use"],
            group: Self.group,
            summary: "switch to another container",
            arguments: [ArgumentSpec("NAME", .text)],
            examples: ["container use iCloud.org.example.notes"]
        ) { arguments in
            let name = try arguments.name("NAME")
            return .work {
                let environment = await session.place.environment
                return await go(
                    to: CloudSession.ContainerEnvironment(container: name, environment: environment))
            }
        }
    }

    private var list: CommandSpec {
        CommandSpec(
            ["container", "list"],
            group: Self.group,
            summary: "show the containers, with the current person's user record name in each",
            details: Self.operatorKeyHelp,
            examples: ["container list"]
        ) { _ in
            .work { try await list() }
        }
    }

    private func list() async throws -> Answer {
        let names = try await session.server.send(ListContainers()).elements.map(\.name)
        let environment = await session.place.environment
        var entries: [Entry] = []
        var users: Set<String> = []
        for name in names {
            let place = CloudSession.ContainerEnvironment(container: name, environment: environment)
            let user = try await userRecordName(in: place)
            users.formUnion([user].compactMap { $0 })
            entries.append(Entry([AnswerField("container", .text(name)), AnswerField("user", Value(user))]))
        }
        return Answer(
            form: .list, entries: entries,
            columns: [Column("CONTAINER", "container"), Column("USER", "user")],
            facts: [AnswerField("identifiers", .count(users.count))],
            whenEmpty: "no containers yet; create one: container create iCloud.org.example.app"
        )
    }

    /// The user record name of the current person in a container; nil if nobody is signed in.
    private func userRecordName(in place: CloudSession.ContainerEnvironment) async throws -> String? {
        let context = await session.context
        guard let account = context.account?.session else { return nil }
        let container = session.server.container(in: place, account, device: context.device)
        return try await container.userRecordID().recordName
    }

    private var environment: CommandSpec {
        CommandSpec(
            ["environment"],
            group: Self.group,
            summary: "switch to development or production",
            arguments: [ArgumentSpec("NAME", .choice(Self.environments))],
            examples: ["environment production"]
        ) { arguments in
            let word = try arguments.requiredWord("NAME")
            guard let environment = CloudConnection.Environment(rawValue: word.text) else {
                throw ShellError.usage(
                    "there is no environment `\(word.text)`; it is development or production", at: word.range,
                    suggestions: DidYouMean.suggestions(for: word.text, among: Self.environments))
            }
            return .work {
                let container = await session.place.container
                return await go(
                    to: CloudSession.ContainerEnvironment(container: container, environment: environment))
            }
        }
    }

    private func go(to place: CloudSession.ContainerEnvironment) async -> Answer {
        await session.select(place)
        let facts = [
            AnswerField("container", .text(place.container)),
            AnswerField("environment", .text(place.environment.rawValue)),
        ]
        return Answer.message("in \(place.environment) of \(place.container)", facts: facts)
    }
}
