import ArgumentParser
import Records
import RecordsWire

/// `cloudlet operator`: manages the people who sign in to the console.
struct OperatorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "operator", abstract: "Add, list and remove operators of the console.",
        usage: """
            cloudlet operator add paul --role developer --password-stdin < password.txt
            cloudlet operator add paul --role admin --container iCloud.org.example.app
            cloudlet operator list
            """,
        discussion: """
            A viewer sees everything but private data. A developer also changes public records, \
            and schemas and roles in development. An admin also deploys schemas, and manages \
            credentials, people and operators. A role applies to one container or to all.
            """,
        subcommands: [OperatorAdd.self, OperatorList.self, OperatorRemove.self]
    )
}

struct OperatorAdd: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Add an operator, or give one another role or password.")

    @Argument(help: "The name to sign in with.")
    var name: String

    @Option(help: "viewer, developer or admin.", completion: .list(["viewer", "developer", "admin"]))
    var role: OperatorRole

    @Option(
        help: "The only container to which the role applies. Default: all, and the whole server",
        completion: .containers)
    var container: String?

    @Flag(help: "Read the password from the first line of standard input; needed for a new operator.")
    var passwordStdin = false

    @OptionGroup var options: OperatorOptions

    func run() async throws {
        let password = passwordStdin ? try PasswordInput.read() : nil
        try await options.call(SetOperator(name, role: role, in: container, password: password)) {
            Listing(notes: ["\(name) is \($0.words)"])
        }
    }
}

struct OperatorList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List the operators.")

    @OptionGroup var options: OperatorOptions

    func run() async throws {
        try await options.call(ListOperators()) { operators in
            .table(
                ["NAME", "ROLES"], operators.elements.map { [$0.name, ($0.words as String?).cell] },
                whenEmpty: "no operators yet; add one: cloudlet operator add NAME --role viewer "
                    + "--password-stdin")
        }
    }
}

struct OperatorRemove: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Remove an operator, and end the operator's sessions, or remove one role.")

    @Argument(help: "The operator's name.")
    var name: String

    @Option(
        help: "Only remove the role in this container. Default: remove the operator",
        completion: .containers)
    var container: String?

    @OptionGroup var options: OperatorOptions

    func run() async throws {
        if let container {
            return try await options.call(SetOperator(name, role: nil, in: container)) {
                Listing(notes: ["\(name) is \($0.words)"])
            }
        }
        try await options.call(RemoveOperator(name)) { _ in Listing(notes: ["removed \(name)"]) }
    }
}

extension OperatorReport {
    /// The roles in words: `viewer everywhere, admin in iCloud.test`.
    fileprivate var words: String {
        let everywhere = role.map { ["\($0.rawValue) everywhere"] } ?? []
        return (everywhere + containers.map { "\($0.role.rawValue) in \($0.container)" })
            .joined(separator: ", ")
    }
}

extension OperatorRole: ExpressibleByArgument {}
