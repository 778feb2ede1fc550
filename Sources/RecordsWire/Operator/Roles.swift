package import Records

/// Lists the roles of a container in one environment, with their members.
package struct ListRoles: EnvironmentCall {
    package typealias Answer = ListAnswer<RoleReport>
    package static let endpoint = ServerEndpoint.operator(.listRoles)

    package var container: String
    package var environment: CloudEnvironment

    package init(of container: String, _ environment: CloudEnvironment) {
        self.container = container
        self.environment = environment
    }
}

/// Creates a role in the development environment.
package struct CreateRole: ServerCall {
    package typealias Answer = SchemaChange
    package static let endpoint = ServerEndpoint.operator(.createRole)

    package var container: String
    package var environment: CloudEnvironment
    package var role: String

    package init(_ role: String, in container: String, _ environment: CloudEnvironment = .development) {
        self.container = container
        self.environment = environment
        self.role = role
    }

    package init(reading request: CallReader) throws(RecordError) {
        role = try request.body.required("role").string()
        container = try request.parameter("container")
        environment = try request.environment()
    }

    package func write(to request: inout CallWriter) {
        request.place(container, environment)
        request.body.member("role", role)
    }
}

/// Makes a person a member of a role.
package struct GrantRole: InputCall {
    package typealias Answer = RoleMembership
    package static let endpoint = ServerEndpoint.operator(.grantRole)

    package var input: RoleCandidate

    package init(_ input: RoleCandidate) {
        self.input = input
    }
}

/// Removes a person from a role.
package struct RevokeRole: InputCall {
    package typealias Answer = RoleMembership
    package static let endpoint = ServerEndpoint.operator(.revokeRole)

    package var input: RoleCandidate

    package init(_ input: RoleCandidate) {
        self.input = input
    }
}

/// A person and a role in one environment of a container.
package struct RoleCandidate: CallInput {
    package var role: String
    /// The person's sign-in name, e-mail address or user record name.
    package var person: String
    package var container: String
    package var environment: CloudEnvironment

    package init(
        _ role: String, person: String, in container: String, _ environment: CloudEnvironment
    ) {
        self.role = role
        self.person = person
        self.container = container
        self.environment = environment
    }

    package init(reading request: CallReader) throws(RecordError) {
        role = try request.body.required("role").string()
        person = try request.body.required("person").string()
        container = try request.parameter("container")
        environment = try request.environment()
    }

    package func write(to request: inout CallWriter) {
        request.place(container, environment)
        request.body.member("role", role)
        request.body.member("person", person)
    }
}

/// Whether a person is now a member of a role.
package struct RoleMembership: WireObject {
    package var role: String
    package var userRecordName: String
    package var isMember: Bool
    /// Whether the call changed the membership.
    package var hasChanged: Bool

    package init(role: String, userRecordName: String, isMember: Bool, hasChanged: Bool) {
        self.role = role
        self.userRecordName = userRecordName
        self.isMember = isMember
        self.hasChanged = hasChanged
    }

    package init(_ object: JSONNode) throws(RecordError) {
        role = try object.required("role").string()
        userRecordName = try object.required("userRecordName").string()
        isMember = try object.required("isMember").bool()
        hasChanged = try object.required("changed").bool()
    }

    package func writeMembers(to json: inout JSONWriter) {
        json.member("role", role)
        json.member("userRecordName", userRecordName)
        json.member("isMember", isMember)
        json.member("changed", hasChanged)
    }
}

extension RoleReport: WireListed {
    package static var listName: StaticString { "roles" }

    package init(_ object: JSONNode) throws(RecordError) {
        self.init(name: try object.required("name").string(), members: try object.objects("members"))
    }

    package func writeMembers(to json: inout JSONWriter) {
        json.member("name", name)
        json.list("members", members) { $0.write(to: &$1) }
    }
}

extension RoleReport.Member: WireObject {
    package init(_ object: JSONNode) throws(RecordError) {
        self.init(
            userRecordName: try object.required("userRecordName").string(),
            person: try object["person"]?.string())
    }

    package func writeMembers(to json: inout JSONWriter) {
        json.member("userRecordName", userRecordName)
        json.member("person", person)
    }
}
