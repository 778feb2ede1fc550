import Cloudlet
import CommandShell
import Records
import RecordsWire

/// Commands for the fields of record types, and for the permissions on public records.
struct SchemaCommands {
    let session: CloudSession

    private static let group = ContainerCommands.group
    private static let operatorKeyHelp = ContainerCommands.operatorKeyHelp
    private static let permissions: [Permission] = [.create, .read, .write]
    static let permissionNames = permissions.map(\.word)
    private static let verbs = ["grant", "delete", "deploy"]

    var commands: [CommandSpec] { [grant, delete, deploy, describe] }

    private var grant: CommandSpec {
        CommandSpec(
            ["schema", "grant"],
            group: Self.group,
            summary: "grant a role a permission on a record type in development, or revoke it",
            arguments: [
                ArgumentSpec("TYPE", .recordType), ArgumentSpec("PERMISSION", .choice(Self.permissionNames)),
                ArgumentSpec("ROLE", .text),
            ],
            flags: [FlagSpec("remove", "", .nothing, "revoke the permission")],
            details: """
                Besides the roles of the container, there are _world, _icloud and _creator. \
                \(Self.operatorKeyHelp)
                """,
            examples: [
                "schema grant Note create Editor", "schema grant Note create _icloud --remove",
            ]
        ) { arguments in
            let type = try arguments.name("TYPE")
            let permission = try Self.permission(arguments, "PERMISSION")
            let (role, isThere) = (try arguments.name("ROLE"), !arguments.has("remove"))
            return .work {
                let container = await session.place.container
                let grant = SetGrant(permission, on: type, to: role, in: container, isThere: isThere)
                return .changes(try await session.server.send(grant))
            }
        }
    }

    private var delete: CommandSpec {
        CommandSpec(
            ["schema", "delete"],
            group: Self.group,
            summary: "delete a record type of development, or a field of it, with its data",
            arguments: [ArgumentSpec("TYPE", .recordType), ArgumentSpec("FIELD", .field, .optional)],
            details: "Deployed types and fields cannot be deleted. \(Self.operatorKeyHelp)",
            examples: ["schema delete Note text"]
        ) { arguments in
            let (type, field) = (try arguments.name("TYPE"), arguments.word("FIELD")?.text)
            return .work {
                let part = SchemaPart(type, field: field, in: await session.place.container)
                return .changes(try await session.server.send(DeletePart(part)))
            }
        }
    }

    private var deploy: CommandSpec {
        CommandSpec(
            ["schema", "deploy"],
            group: Self.group,
            summary: "deploy the development schema to production, permanently",
            flags: [FlagSpec("yes", "", .nothing, "do not ask")],
            details: Self.operatorKeyHelp,
            examples: ["schema deploy", "schema deploy --yes"]
        ) { arguments in
            let isSure = arguments.has("yes")
            return .work {
                let container = await session.place.container
                let question = "deploy the schema of \(container) to production, permanently?"
                guard try session.environment.isConfirmed(question, isSure: isSure) else {
                    return Answer.message("nothing was deployed")
                }
                return .changes(try await session.server.send(DeploySchema(of: container)))
            }
        }
    }

    private var describe: CommandSpec {
        CommandSpec(
            ["schema"],
            aliases: ["\\d", "\\dt", ".schema", ".tables"],
            group: Self.group,
            summary: "show the record types, or the fields of one with their indexes",
            arguments: [ArgumentSpec("TYPE", .recordType, .optional)],
            details: """
                QUERY (queryable) is for = and membership, SORT (sortable) for ranges and order, SEARCH
                (searchable) for words. Every type has system fields, which predicates name as shown
                here; the last column has their names in the schema. For a type with the name of a
                verb, type: schema -- grant.
                Development servers show the schema to everybody, others only with the operator's key:
                CLOUDLET_OPERATOR_KEY_FILE=FILE.
                """,
            examples: ["schema", "schema Note"]
        ) { arguments in
            let type = arguments.word("TYPE")
            return .work { try await describe(type) }
        }
    }

    /// Lists all record types of the current container and environment, or describes one with its fields.
    private func describe(_ word: Word?) async throws -> Answer {
        let here = await session.place
        let types = try await session.server.recordTypes(in: here)
        guard let word else { return Answer.recordTypes(types) }
        if let type = types.first(where: { $0.name == word.text }) { return Answer.fields(of: type) }
        let near =
            DidYouMean.suggestions(for: word.text, among: types.map(\.name))
            + DidYouMean.suggestions(for: word.text, among: Self.verbs)
        let place = "\(here.environment) of \(here.container)"
        throw ShellError(
            code: "notFound", message: "there is no record type `\(word.text)` in \(place)",
            span: word.range, suggestions: near.map { "schema \($0)" }, remedy: "schema")
    }

    static func permission(_ arguments: ParsedArguments, _ argument: String) throws -> Permission {
        let word = try arguments.requiredWord(argument)
        if let permission = permissions.first(where: { $0.word == word.text }) { return permission }
        throw ShellError.usage(
            "the permissions are create, read and write, not `\(word.text)`", at: word.range,
            suggestions: DidYouMean.suggestions(for: word.text, among: permissionNames))
    }
}

extension Permission {
    /// The permission as written in commands.
    fileprivate var word: String { rawValue.lowercased() }
}

extension Answer {
    /// Lists the changes that an operator's call made to the schema.
    static func changes(_ change: SchemaChange) -> Answer {
        let lines = change.differences.map(\.text)
        return Answer(
            form: .list, entries: lines.map { Entry([AnswerField("change", .text($0))]) },
            columns: [Column("CHANGE", "change")], facts: [AnswerField("changes", .count(lines.count))],
            whenEmpty: "nothing has changed"
        )
    }
}

extension Answer {
    fileprivate static func recordTypes(_ types: [RecordTypeReport]) -> Answer {
        let entries = types.map { type in
            Entry([
                AnswerField("type", .text(type.name)), AnswerField("fields", .count(type.ownFields.count)),
                AnswerField(
                    "indexes", .count(type.fields.reduce(0) { $0 + $1.indexes.rawValue.nonzeroBitCount })),
            ])
        }
        let hint =
            "no record types yet; in development a save creates one: record save Note first text=Hello"
        // The type of user records exists from the start.
        let isNew = types.allSatisfy { $0.name == "Users" } && !types.isEmpty
        return Answer(
            form: .list, entries: entries,
            columns: [Column("TYPE", "type"), Column("FIELDS", "fields"), Column("INDEXES", "indexes")],
            notes: isNew ? [hint] : [], whenEmpty: hint)
    }

    fileprivate static func fields(of type: RecordTypeReport) -> Answer {
        let own = type.ownFields
        let entries = (own + type.fields.filter(\.isSystem)).map { field in
            Entry([
                AnswerField("field", .text(field.key ?? field.name)), AnswerField("type", .text(field.type)),
                AnswerField("queryable", .flag(field.indexes.contains(.queryable))),
                AnswerField("sortable", .flag(field.indexes.contains(.sortable))),
                AnswerField("searchable", .flag(field.indexes.contains(.searchable))),
                AnswerField("schemaName", field.isSystem ? .text(field.name) : .missing),
            ])
        }
        let grants = type.grants.map {
            "\($0.role) may \($0.permissions.map(\.word).joined(separator: ", "))"
        }
        return Answer(
            form: .list, entries: entries,
            columns: [
                Column("FIELD", "field"), Column("TYPE", "type"), Column("QUERY", "queryable"),
                Column("SORT", "sortable"), Column("SEARCH", "searchable"),
                Column("IN THE SCHEMA", "schemaName"),
            ],
            facts: [AnswerField("recordType", .text(type.name)), AnswerField("fields", .count(own.count))],
            notes: [
                "in public: " + (grants.isEmpty ? "nobody has a permission" : grants.joined(separator: "; "))
            ]
        )
    }
}
