import ArgumentParser
import Records
import RecordsWire

struct SchemaGrant: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "grant", abstract: "Grant a permission to a role in development, or revoke it.",
        usage: """
            cloudlet schema grant iCloud.org.example.app Party create PartyAdmin
            cloudlet schema grant iCloud.org.example.app Party create _icloud --remove
            """,
        discussion: """
            write covers changing and deleting. The roles _world, _icloud and _creator always exist; \
            create others with: cloudlet role create. Grants apply to the public database.
            """
    )

    @Argument(help: "The name of the container.", completion: .containers)
    var container: String

    @Argument(help: "The record type.", completion: .recordTypes)
    var type: String

    @Argument(help: "read, create or write.", completion: .list(["read", "create", "write"]))
    var permission: String

    @Argument(help: "The role.", completion: .roles)
    var role: String

    @Flag(help: "Revoke the permission.")
    var remove = false

    @OptionGroup var options: OperatorOptions

    func run() async throws {
        let permission = try Permission(spelling: permission)
        let call = SetGrant(permission, on: type, to: role, in: container, isThere: !remove)
        try await options.call(call) { $0.listing(whenNone: "nothing has changed", changing: container) }
    }
}

struct SchemaDelete: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: "Delete a record type of development, or a field, with its data.",
        discussion: """
            Useful for a field that was saved with the wrong type: the next save creates it again. \
            Deployed types and fields cannot be deleted.
            """
    )

    @Argument(help: "The name of the container.", completion: .containers)
    var container: String

    @Argument(help: "The record type.", completion: .recordTypes)
    var type: String

    @Argument(help: "The field; the whole type if none is named.")
    var field: String?

    @OptionGroup var confirmation: Confirmation
    @OptionGroup var options: OperatorOptions

    func run() async throws {
        let count = try await options.answer(to: CountPart(part)).records
        let what = field.map { "values of \(type).\($0)" } ?? "records of \(type)"
        try confirmation.ask("delete \(count) \(what) in development of \(container)")
        try await options.call(DeletePart(part)) {
            $0.listing(whenNone: "it did not exist", changing: container)
        }
    }

    private var part: SchemaPart { SchemaPart(type, field: field, in: container) }
}
