// Owns `cloudlet role`: who is a member of which role.

import ArgumentParser
import Records
import RecordsWire

/// Lists roles, and makes people their members.
struct RoleCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "role",
        abstract: "List roles, and make people their members.",
        usage: """
            cloudlet role create iCloud.org.example.app PartyAdmin
            cloudlet role grant iCloud.org.example.app PartyAdmin john
            """,
        discussion: """
            What a role may do stands in the schema: CREATE ROLE PartyAdmin; and in a record type GRANT \
            CREATE TO PartyAdmin. Everybody holds _world, whoever is signed in _icloud, and whoever made a \
            record its _creator.
            """,
        subcommands: [RoleList.self, RoleCreate.self, RoleGrant.self, RoleRevoke.self]
    )
}

/// Lists roles.
struct RoleList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the roles of a container with their members."
    )

    @Argument(help: "The name of the container.", completion: .containers)
    var container: String

    @OptionGroup var place: EnvironmentOption
    @OptionGroup var options: OperatorOptions

    func run() async throws {
        try await options.call(.get("containers", container, place.environment.rawValue, "roles")) { answer in
            let roles = try answer.required("roles").elements
            return .table(
                ["ROLE", "MEMBERS"],
                roles.map { [$0["name"]?.stringValue ?? "", $0.members] },
                whenEmpty: "no roles yet; create one in the schema: CREATE ROLE PartyAdmin;"
            )
        }
    }
}

/// Creates a role.
struct RoleCreate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create", abstract: "Create a role in development.",
        discussion: "Deploying the schema takes it to production; its members are named there anew."
    )

    @Argument(help: "The name of the container.", completion: .containers)
    var container: String

    @Argument(help: "The role.", completion: .roles)
    var role: String

    @OptionGroup var options: OperatorOptions

    func run() async throws {
        let call = OperatorCall.post("containers", container, "development", "roles", "create") {
            $0.member("role", role)
        }
        try await options.call(call) { $0.differences(whenNone: "it was there before") }
    }
}

/// Makes somebody a member of a role.
struct RoleGrant: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "grant", abstract: "Make somebody a member of a role."
    )

    @OptionGroup var membership: Membership

    func run() async throws {
        try await membership.set("grant", "is a member of", "was a member before of")
    }
}

/// Ends a membership.
struct RoleRevoke: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke", abstract: "Let somebody be a member of a role no longer."
    )

    @OptionGroup var membership: Membership

    func run() async throws {
        try await membership.set("revoke", "is no longer a member of", "was no member of")
    }
}

/// Who, of which role, where.
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

    fileprivate func set(_ verb: String, _ done: String, _ unchanged: String) async throws {
        let environment = try place.environment.rawValue
        let call = OperatorCall.post("containers", container, environment, "roles", verb) {
            $0.member("role", role)
            $0.member("person", person)
        }
        try await options.call(call) { answer in
            let isNew = try answer.required("changed").bool()
            return Listing(notes: ["\(person) \(isNew ? done : unchanged) \(role) in \(environment)"])
        }
    }
}

extension JSONNode {
    fileprivate var members: String {
        let names = self["members"]?.elements.compactMap {
            $0["person"]?.stringValue ?? $0["userRecordName"]?.stringValue
        }
        return names?.isEmpty == false ? names?.joined(separator: ", ") ?? "" : "-"
    }
}
