import ArgumentParser
import Records
import RecordsWire

struct SchemaIndex: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "index", abstract: "Give a field of development an index, or take it away.",
        discussion: """
            queryable serves equality, sortable ranges and order, searchable the words of a text. An index \
            takes space in the database of whoever saves. recordName is the field behind queries without a \
            filter.
            """
    )

    @Argument(help: "The name of the container.", completion: .containers)
    var container: String

    @Argument(help: "The record type.", completion: .recordTypes)
    var type: String

    @Argument(help: "The field: one of the type's, or recordName, createdTimestamp and the like.")
    var field: String

    @Argument(
        help: "queryable, sortable or searchable.",
        completion: .list(["queryable", "sortable", "searchable"]))
    var index: String

    @Flag(help: "Take the index away.")
    var remove = false

    @OptionGroup var options: OperatorOptions

    func run() async throws {
        let index = try IndexSet(spelling: index)
        let call = SetIndex(index, on: field, of: type, in: container, isThere: !remove)
        try await options.call(call) { $0.listing(whenNone: "it was so before") }
    }
}

struct SchemaDeploy: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "deploy", abstract: "Add to production what development has.",
        discussion: """
            Types, fields, roles and grants; indexes become those of development. What is deployed can \
            neither be removed nor change its type. Look first: cloudlet schema diff CONTAINER.
            """
    )

    @Argument(help: "The name of the container.", completion: .containers)
    var container: String

    @OptionGroup var confirmation: Confirmation
    @OptionGroup var options: OperatorOptions

    func run() async throws {
        let changes = try await options.answer(to: DeploySchema(of: container, isTrial: true)).lines
        if !changes.isEmpty {
            for change in changes { Talk.say(change) }
            try confirmation.ask("deploy this to production of \(container), for good")
        }
        try await options.call(DeploySchema(of: container)) {
            Listing(notes: [$0.differences.isEmpty ? "production has all that development has" : "deployed"])
        }
    }
}

struct SchemaReset: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reset", abstract: "Make development what production is; its data goes.",
        discussion: "Deletes everybody's records and files in development. Production is not touched."
    )

    @Argument(help: "The name of the container.", completion: .containers)
    var container: String

    @OptionGroup var confirmation: Confirmation
    @OptionGroup var options: OperatorOptions

    func run() async throws {
        try confirmation.ask("delete all data of \(container) in development, and reset its schema")
        try await options.call(ResetSchema(of: container)) {
            $0.listing(whenNone: "the schemas were the same").noting(["development is as production"])
        }
    }
}
