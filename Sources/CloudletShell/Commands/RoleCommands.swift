import Cloudlet
import CommandShell
import Records
import RecordsWire

/// Commands for roles, their members, and the rules that allow or deny access.
struct RoleCommands {
    let session: CloudSession
    let finder: RecordFinder?

    private static let group = ContainerCommands.group
    private static let operatorKeyHelp = ContainerCommands.operatorKeyHelp

    var commands: [CommandSpec] {
        [
            create, membership("grant", "add a person to a role", isMember: true),
            membership("revoke", "remove a person from a role", isMember: false), why,
        ]
    }

    private var create: CommandSpec {
        CommandSpec(
            ["role", "create"],
            group: Self.group,
            summary: "create a role in development",
            arguments: [ArgumentSpec("ROLE", .text)],
            details: Self.operatorKeyHelp,
            examples: ["role create Editor"]
        ) { arguments in
            let role = try arguments.name("ROLE")
            return .work {
                let container = await session.place.container
                return .changes(
                    try await session.server.send(CreateRole(role, in: container)))
            }
        }
    }

    private func membership(_ verb: String, _ summary: String, isMember: Bool) -> CommandSpec {
        CommandSpec(
            ["role", verb],
            group: Self.group,
            summary: summary,
            arguments: [ArgumentSpec("ROLE", .text), ArgumentSpec("PERSON", .person)],
            details: Self.operatorKeyHelp,
            examples: ["role \(verb) Editor alice"]
        ) { arguments in
            let (role, person) = (try arguments.name("ROLE"), try arguments.name("PERSON"))
            return .work { try await setMember(person, of: role, isMember) }
        }
    }

    private func setMember(_ person: String, of role: String, _ isMember: Bool) async throws -> Answer {
        let place = await session.place
        let candidate = RoleCandidate(
            role, person: person, in: place.container, place.callEnvironment)
        let membership =
            isMember
            ? try await session.server.send(GrantRole(candidate))
            : try await session.server.send(RevokeRole(candidate))
        let changed = membership.hasChanged
        let done = isMember ? "\(person) is a member of \(role)" : "\(person) is not a member of \(role)"
        return Answer.message(
            changed ? done : done + ", as before", facts: [AnswerField("changed", .flag(changed))])
    }

    // MARK: Rules

    private var why: CommandSpec {
        CommandSpec(
            ["why"],
            group: Self.group,
            summary: "show which rule allows or denies the current person an action in the public database",
            arguments: [
                ArgumentSpec("OPERATION", .choice(SchemaCommands.permissionNames)),
                ArgumentSpec("TYPE|RECORD", finder?.kind ?? .recordType),
            ],
            details: "write covers changing and deleting."
                + (finder.map { " " + $0.details } ?? " A record is given by its record name."),
            examples: ["why create Note", "why write first"]
        ) { arguments in
            let target = try arguments.requiredWord("TYPE|RECORD")
            let permission = try SchemaCommands.permission(arguments, "OPERATION")
            return .work { try await why(permission, target) }
        }
    }

    private func why(_ permission: Permission, _ target: Word) async throws -> Answer {
        let rule = try await rule(permission, target)
        let fields = [
            AnswerField("allowed", .flag(rule.isAllowed)),
            AnswerField("by", Value(rule.granted.first(where: rule.held.contains)?.name)),
            AnswerField("permission", .text(rule.permission.rawValue)),
            AnswerField("type", .text(rule.recordType)),
            AnswerField("record", Value(rule.recordName)),
            AnswerField("granted", .texts(rule.granted.map(\.name))),
            AnswerField("held", .texts(rule.held.map(\.name))),
        ]
        return Answer(form: .record, entries: [Entry(fields)], notes: [rule.explanation])
    }

    /// Returns the deciding rule. The word is looked up first as a name that the program knows, then as a
    /// record, then as a type. For creating, it is always a type.
    private func rule(_ permission: Permission, _ target: Word) async throws -> AccessReport {
        let context = await session.context
        let token = context.account?.session.webAuthToken
        func asked(type: String? = nil, record: String? = nil) async throws -> AccessReport {
            try await session.server.send(
                ExplainAccess(
                    permission, recordType: type, recordName: record, in: context.place.container,
                    context.place.callEnvironment),
                token: token)
        }
        if permission == .create { return try await asked(type: target.text) }
        if let record = await finder?.find(target.text) { return try await asked(record: record) }
        do {
            return try await asked(record: target.text)
        } catch let error as RecordError where error.code.wireName == "NOT_FOUND" {
            return try await asked(type: target.text)
        }
    }
}
