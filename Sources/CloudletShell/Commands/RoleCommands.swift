import Cloudlet
import CommandShell

/// Roles, their members, and which rule allows something.
struct RoleCommands {
    let session: CloudSession
    let finder: RecordFinder?

    private static let group = ContainerCommands.group
    private static let embedded = ContainerCommands.embedded

    var commands: [CommandSpec] {
        [
            create, membership("grant", "make somebody a member of a role", isMember: true),
            membership("revoke", "end a membership of a role", isMember: false), why,
        ]
    }

    private var create: CommandSpec {
        CommandSpec(
            ["role", "create"],
            group: Self.group,
            summary: "make a role in development",
            arguments: [ArgumentSpec("ROLE", .text)],
            details: Self.embedded,
            examples: ["role create PartyAdmin"]
        ) { arguments in
            let role = try arguments.name("ROLE")
            return .work {
                let container = await session.place.container
                return .changes(
                    try await session.server.operate(
                        .post, "containers", container, "development", "roles", "create",
                        body: OperatorBody(role: role)))
            }
        }
    }

    private func membership(_ verb: String, _ summary: String, isMember: Bool) -> CommandSpec {
        CommandSpec(
            ["role", verb],
            group: Self.group,
            summary: summary,
            arguments: [ArgumentSpec("ROLE", .text), ArgumentSpec("PERSON", .person)],
            details: Self.embedded,
            examples: ["role \(verb) PartyAdmin alice"]
        ) { arguments in
            let (role, person) = (try arguments.name("ROLE"), try arguments.name("PERSON"))
            return .work { try await setMember(person, of: role, isMember) }
        }
    }

    private func setMember(_ person: String, of role: String, _ isMember: Bool) async throws -> Answer {
        let place = await session.place
        let reply = try await session.server.operate(
            .post, "containers", place.container, place.environment.rawValue, "roles",
            isMember ? "grant" : "revoke", body: OperatorBody(role: role, person: person))
        let changed = reply.changed ?? false
        let done = isMember ? "\(person) is a member of \(role)" : "\(person) is no member of \(role)"
        return Answer.talk(changed ? done : done + ", as before", facts: [Field("changed", .flag(changed))])
    }

    // MARK: Rules

    private var why: CommandSpec {
        CommandSpec(
            ["why"],
            group: Self.group,
            summary: "say which rule lets the present person do something in public, or does not",
            arguments: [
                ArgumentSpec("OPERATION", .choice(SchemaCommands.permissions)),
                ArgumentSpec("TYPE|RECORD", finder?.kind ?? .recordType),
            ],
            details: "write is changing and deleting."
                + (finder.map { " " + $0.details } ?? " A record is named by its own name."),
            examples: ["why create Party", "why write Coffee"]
        ) { arguments in
            let target = try arguments.requiredWord("TYPE|RECORD")
            let permission = try SchemaCommands.permission(arguments, "OPERATION")
            return .work { try await why(permission, target) }
        }
    }

    private func why(_ permission: String, _ target: Word) async throws -> Answer {
        let rule = try await rule(permission, target)
        let fields = [
            Field("allowed", .flag(rule.allowed)),
            Field("by", Value(rule.granted.first(where: rule.held.contains))),
            Field("permission", .text(rule.permission)),
            Field("type", .text(rule.recordType)),
            Field("record", Value(rule.recordName)),
            Field("granted", .texts(rule.granted)),
            Field("held", .texts(rule.held)),
        ]
        return Answer(form: .record, entries: [Entry(fields)], notes: [rule.explanation])
    }

    /// A word is a name that the program knows, else a record, else a type; creating is always about a type.
    private func rule(_ permission: String, _ target: Word) async throws -> RuleReply {
        let now = await session.whereabouts
        let token = now.account?.session.webAuthToken
        func asked(type: String? = nil, record: String? = nil) async throws -> RuleReply {
            try await session.server.rule(
                permission, type: type, record: record, in: now.place, token: token)
        }
        if permission == "create" { return try await asked(type: target.text) }
        if let record = await finder?.find(target.text) { return try await asked(record: record) }
        do {
            return try await asked(record: target.text)
        } catch let complaint as Complaint where complaint.code == "notFound" {
            return try await asked(type: target.text)
        }
    }
}
