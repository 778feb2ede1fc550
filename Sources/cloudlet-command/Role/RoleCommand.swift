import ArgumentParser
import Records
import RecordsWire

struct RoleCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "role",
        abstract: "List and create roles, and manage their members.",
        usage: """
            cloudlet role create iCloud.org.example.app PartyAdmin
            cloudlet role grant iCloud.org.example.app PartyAdmin john
            """,
        discussion: """
            The schema defines roles (CREATE ROLE PartyAdmin;) and their permissions (GRANT CREATE \
            TO PartyAdmin in a record type). Everybody has the role _world, signed-in people have \
            _icloud, and the person who created a record has _creator for it.
            """,
        subcommands: [RoleList.self, RoleCreate.self, RoleGrant.self, RoleRevoke.self]
    )
}

struct RoleList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the roles of a container with their members.",
        discussion: """
            Members who let others find them are listed by name, the others by their user record \
            name, which `role revoke` takes as well. The schema has the permissions of roles, also of \
            _world, _icloud and _creator: cloudlet schema export CONTAINER.
            """
    )

    @Argument(help: "The name of the container.", completion: .containers)
    var container: String

    @OptionGroup var place: EnvironmentOption
    @OptionGroup var options: OperatorOptions

    func run() async throws {
        let environment = try place.environment
        try await options.call(ListRoles(of: container, environment)) { roles in
            .table(
                ["ROLE", "MEMBERS"],
                roles.elements.map { role in
                    let names = role.members.map { $0.person ?? $0.userRecordName }
                    return [role.name, (names.joined(separator: ", ") as String?).cell]
                },
                whenEmpty: "no roles yet besides _world, _icloud and _creator; create one: "
                    + "cloudlet role create \(container) PartyAdmin"
            )
            .noting([
                environment.note(on: container), "who may do what: cloudlet schema export \(container)",
            ])
        }
    }
}

struct RoleCreate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create", abstract: "Create a role in development.",
        discussion: "Deploying the schema creates the role in production, without its members."
    )

    @Argument(help: "The name of the container.", completion: .containers)
    var container: String

    @Argument(help: "The role.", completion: .roles)
    var role: String

    @OptionGroup var options: OperatorOptions

    func run() async throws {
        try await options.call(CreateRole(role, in: container)) {
            $0.listing(whenNone: "the role already existed", changing: container)
        }
    }
}

struct RoleGrant: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "grant", abstract: "Add a person to a role."
    )

    @OptionGroup var membership: Membership

    func run() async throws {
        try await membership.options.call(GrantRole(membership.candidate)) {
            try membership.listing($0, "is a member of", "is already a member of")
        }
    }
}

struct RoleRevoke: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke", abstract: "Remove a person from a role."
    )

    @OptionGroup var membership: Membership

    func run() async throws {
        try await membership.options.call(RevokeRole(membership.candidate)) {
            try membership.listing($0, "is no longer a member of", "was not a member of")
        }
    }
}

/// A person, a role and a container: the arguments of `role grant` and `role revoke`.
struct Membership: ParsableArguments {
    @Argument(help: "The name of the container.", completion: .containers)
    var container: String

    @Argument(help: "The role.", completion: .roles)
    var role: String

    @Argument(
        help: "The person: sign-in name, e-mail address or user record name.", completion: .people)
    var person: String

    @OptionGroup var place: EnvironmentOption
    @OptionGroup var options: OperatorOptions

    fileprivate var candidate: RoleCandidate {
        get throws { RoleCandidate(role, person: person, in: container, try place.environment) }
    }

    fileprivate func listing(
        _ membership: RoleMembership, _ done: String, _ unchanged: String
    ) throws -> Listing {
        let words = membership.hasChanged ? done : unchanged
        return Listing(notes: ["\(person) \(words) \(role) in \(try place.environment.rawValue)"])
    }
}
