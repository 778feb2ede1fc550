import ArgumentParser
import Records
import RecordsWire

struct SchemaIndex: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "index", abstract: "Add an index to a field in development, or remove it.",
        discussion: """
            queryable is for equality, sortable for ranges and sort order, searchable for words in a \
            text. An index uses space in every database with records of the type. Queries without a \
            filter need a queryable recordName.
            """
    )

    @Argument(help: "The name of the container.", completion: .containers)
    var container: String

    @Argument(help: "The record type.", completion: .recordTypes)
    var type: String

    @Argument(help: "The field: one of the type, or a system field such as recordName or createdTimestamp.")
    var field: String

    @Argument(
        help: "queryable, sortable or searchable.",
        completion: .list(["queryable", "sortable", "searchable"]))
    var index: String

    @Flag(help: "Remove the index.")
    var remove = false

    @OptionGroup var options: OperatorOptions

    func run() async throws {
        let index = try IndexSet(spelling: index)
        let call = SetIndex(index, on: field, of: type, in: container, isThere: !remove)
        try await options.call(call) { $0.listing(whenNone: "nothing has changed", changing: container) }
    }
}

struct SchemaDeploy: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "deploy", abstract: "Deploy the development schema to production.",
        discussion: """
            Adds types, fields, roles and grants; indexes become those of development. Deployed \
            types and fields cannot be removed, and fields cannot change their type. Show the \
            changes first: cloudlet schema diff CONTAINER.
            """
    )

    @Argument(help: "The name of the container.", completion: .containers)
    var container: String

    @OptionGroup var confirmation: Confirmation
    @OptionGroup var options: OperatorOptions

    func run() async throws {
        let changes = try await options.answer(to: DeploySchema(of: container, isTrial: true)).lines
        if !changes.isEmpty {
            for change in changes { Messages.say(change) }
            try confirmation.ask("deploy this to production of \(container), permanently")
        }
        try await options.call(DeploySchema(of: container)) {
            Listing(notes: [$0.differences.isEmpty ? "nothing to deploy" : "deployed"])
        }
    }
}

struct SchemaReset: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reset", abstract: "Reset development to production's schema, and delete its data.",
        discussion: "Deletes everybody's records and files in development. Production does not change."
    )

    @Argument(help: "The name of the container.", completion: .containers)
    var container: String

    @OptionGroup var confirmation: Confirmation
    @OptionGroup var options: OperatorOptions

    func run() async throws {
        try confirmation.ask("delete all data of \(container) in development, and reset its schema")
        try await options.call(ResetSchema(of: container)) {
            $0.listing(whenNone: "the schemas were the same").noting(["development equals production"])
        }
    }
}
