// Owns the description of the commands about containers, schemas, roles and rules.
import Cloudlet
import CommandText
import Foundation

extension CommandTable {
    static let operatorCommands = [
        containerCreate, containerUse, containerList, environment, schemaGrant, schemaDelete, schemaDeploy,
        schema, roleCreate, roleGrant, roleRevoke, why,
    ]

    private static let group = "Containers, schema and roles"
    private static let embedded = "A server elsewhere wants its key: CLOUDLET_OPERATOR_KEY_FILE=FILE."
    private static let permissions = ["create", "read", "write"]
    private static let environments = ["development", "production"]

    private static let containerCreate = CommandSpec(
        path: ["container", "create"],
        group: group,
        summary: "make a container, and hear what is unwise about its name",
        arguments: [ArgumentSpec("NAME", .text)],
        details: embedded,
        examples: ["container create iCloud.org.example.parties"],
        build: { .operate(.createContainer(try $0.name("NAME"))) }
    )

    private static let containerUse = CommandSpec(
        path: ["container", "use"],
        group: group,
        summary: "go on in another container",
        arguments: [ArgumentSpec("NAME", .text)],
        examples: ["container use iCloud.org.example.parties"],
        build: { .operate(.useContainer(try $0.name("NAME"))) }
    )

    private static let containerList = CommandSpec(
        path: ["container", "list"],
        group: group,
        summary: "show the containers, and who the person is in each",
        details: embedded,
        examples: ["container list"],
        build: { _ in .operate(.listContainers) }
    )

    private static let environment = CommandSpec(
        path: ["environment"],
        group: group,
        summary: "go on in development or in production",
        arguments: [ArgumentSpec("NAME", .choice(environments))],
        examples: ["environment production"],
        build: { arguments in
            let word = try arguments.requiredWord("NAME")
            guard let environment = CloudConnection.Environment(rawValue: word.text) else {
                throw Complaint.usage(
                    "there are development and production", at: word.range,
                    suggestions: DidYouMean.suggestions(for: word.text, among: environments))
            }
            return .operate(.useEnvironment(environment))
        }
    )

    private static let schemaGrant = CommandSpec(
        path: ["schema", "grant"],
        group: group,
        summary: "give a role a permission on a record type of development, or take it away",
        arguments: [
            ArgumentSpec("TYPE", .recordType), ArgumentSpec("PERMISSION", .choice(permissions)),
            ArgumentSpec("ROLE", .text),
        ],
        flags: [FlagSpec("remove", "", .nothing, "take it away")],
        details: "Beside roles of the container's own there are _world, _icloud and _creator. \(embedded)",
        examples: ["schema grant Party create PartyAdmin", "schema grant Party create _icloud --remove"],
        build: { arguments in
            let request = GrantRequest(
                type: try arguments.name("TYPE"), permission: try permission(arguments, "PERMISSION"),
                role: try arguments.name("ROLE"), isRemoved: arguments.has("remove")
            )
            return .operate(.grant(request))
        }
    )

    private static let schemaDelete = CommandSpec(
        path: ["schema", "delete"],
        group: group,
        summary: "delete a record type of development, or a field of it, with its data",
        arguments: [ArgumentSpec("TYPE", .recordType), ArgumentSpec("FIELD", .field(), .optional)],
        details: "What is deployed stays. \(embedded)",
        examples: ["schema delete Party guests"],
        build: {
            .operate(.deleteFromSchema(type: try $0.name("TYPE"), field: $0.word("FIELD")?.text))
        }
    )

    private static let schemaDeploy = CommandSpec(
        path: ["schema", "deploy"],
        group: group,
        summary: "add to production what development has, for good",
        details: embedded,
        examples: ["schema deploy"],
        build: { _ in .operate(.deploySchema) }
    )

    private static let schema = CommandSpec(
        path: ["schema"],
        aliases: ["\\d", ".schema"],
        group: group,
        summary: "show the record types, or the fields of one and how each can be asked for",
        arguments: [ArgumentSpec("TYPE", .recordType, .optional)],
        details: """
            QUERY (queryable) is for = and membership, SORT (sortable) for ranges and order, SEARCH
            (searchable) for words. Every type has the fields of the system, which predicates call as they are
            shown; the last column is what the schema calls them. A type of the name of a verb is asked for
            behind --: schema -- grant.
            Development servers tell everybody, others whoever has the operator's key:
            CLOUDLET_OPERATOR_KEY_FILE=FILE.
            """,
        examples: ["schema", "schema Party"],
        build: { .operate(.describeSchema(type: $0.word("TYPE"))) }
    )

    private static let roleCreate = CommandSpec(
        path: ["role", "create"],
        group: group,
        summary: "make a role in development",
        arguments: [ArgumentSpec("ROLE", .text)],
        details: embedded,
        examples: ["role create PartyAdmin"],
        build: { .operate(.createRole(try $0.name("ROLE"))) }
    )

    private static let roleGrant = membership("grant", "make somebody a member of a role", isMember: true)
    private static let roleRevoke = membership("revoke", "end a membership of a role", isMember: false)

    private static func membership(_ verb: String, _ summary: String, isMember: Bool) -> CommandSpec {
        CommandSpec(
            path: ["role", verb],
            group: group,
            summary: summary,
            arguments: [ArgumentSpec("ROLE", .text), ArgumentSpec("PERSON", .person)],
            details: embedded,
            examples: ["role \(verb) PartyAdmin alice"],
            build: {
                let (role, person) = (try $0.name("ROLE"), try $0.name("PERSON"))
                return .operate(.setMember(role: role, person: person, isMember: isMember))
            }
        )
    }

    private static let why = CommandSpec(
        path: ["why"],
        group: group,
        summary: "say which rule lets the present person do something in public, or does not",
        arguments: [
            ArgumentSpec("OPERATION", .choice(permissions)), ArgumentSpec("TYPE|RECORD", .party),
        ],
        details: "write is changing and deleting. A record is a party by its name, or any record by its own.",
        examples: ["why create Party", "why write Coffee"],
        build: { arguments in
            let target = try arguments.requiredWord("TYPE|RECORD")
            return .operate(.why(permission: try permission(arguments, "OPERATION"), target: target))
        }
    )

    private static func permission(_ arguments: ParsedArguments, _ name: String) throws -> String {
        let word = try arguments.requiredWord(name)
        if permissions.contains(word.text) { return word.text }
        throw Complaint.usage(
            "one can create, read or write, not `\(word.text)`", at: word.range,
            suggestions: DidYouMean.suggestions(for: word.text, among: permissions))
    }
}
