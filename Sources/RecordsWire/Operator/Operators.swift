package import Records

/// Lists the operators who have an account.
package struct ListOperators: BareCall {
    package typealias Answer = ListAnswer<OperatorReport>
    package static let endpoint = ServerEndpoint.operator(.listOperators)

    package init() {}
}

/// Sets or removes a role of an operator. With a password, a missing operator is added.
package struct SetOperator: ServerCall {
    package typealias Answer = OperatorReport
    package static let endpoint = ServerEndpoint.operator(.setOperator)

    package var name: String
    /// nil removes the role.
    package var role: OperatorRole?
    /// The only container in which the role is valid; nil: all containers and the whole server.
    package var container: String?
    /// The new password; nil keeps the present one.
    package var password: String?

    /// The text that removes the role. A request without a role is refused, so that a forgotten member does
    /// not remove the role.
    private static let noRole = "none"

    package init(_ name: String, role: OperatorRole?, in container: String? = nil, password: String? = nil) {
        self.name = name
        self.role = role
        self.container = container
        self.password = password
    }

    package init(reading request: CallReader) throws(RecordError) {
        name = try request.parameter("name")
        let role = try request.body.required("role")
        self.role = try role.string() == Self.noRole ? nil : role.operatorRole()
        container = try request.body["container"]?.string()
        password = try request.body["password"]?.string()
    }

    package func write(to request: inout CallWriter) {
        request.parameter("name", name)
        request.body.member("role", role?.rawValue ?? Self.noRole)
        request.body.member("container", container)
        request.body.member("password", password)
    }
}

/// Removes an operator, and ends the operator's sessions.
package struct RemoveOperator: NamedCall {
    package typealias Answer = DeletionAnswer
    package static let endpoint = ServerEndpoint.operator(.removeOperator)
    package static let parameter: StaticString = "name"

    package var name: String

    package init(_ name: String) {
        self.name = name
    }
}

/// Makes a link that signs one person in to the console, once.
package struct MakeConsoleLink: BareCall {
    package typealias Answer = ConsoleLink
    package static let endpoint = ServerEndpoint.operator(.makeConsoleLink)

    package init() {}
}

/// A link to the console.
package struct ConsoleLink: WireObject {
    package var url: String
    /// Seconds for which the link is valid.
    package var seconds: Int

    package init(url: String, seconds: Int) {
        self.url = url
        self.seconds = seconds
    }

    package init(_ object: JSONNode) throws(RecordError) {
        url = try object.required("url").string()
        seconds = Int(clamping: try object.required("seconds").int64())
    }

    package func writeMembers(to json: inout JSONWriter) {
        json.member("url", url)
        json.member("seconds", Int64(seconds))
    }
}

/// Reads a page of the audit log, newest first.
package struct ReadAudit: ServerCall {
    package typealias Answer = ListAnswer<AuditEntry>
    package static let endpoint = ServerEndpoint.operator(.readAudit)

    /// The only container whose changes to return; nil: all changes.
    package var container: String?
    /// The number of the last entry of the page before; nil: the first page.
    package var before: Int64?

    package init(of container: String? = nil, before: Int64? = nil) {
        self.container = container
        self.before = before
    }

    package init(reading request: CallReader) throws(RecordError) {
        container = try request.query("container")
        before = try request.query("before").flatMap { Int64($0) }
    }

    package func write(to request: inout CallWriter) {
        request.query("container", container)
        request.query("before", before.map { String($0) })
    }
}

/// The account of an operator.
package struct OperatorReport: WireListed {
    package static var listName: StaticString { "operators" }

    package var name: String
    /// The role in all containers and for the whole server; nil if the operator has roles in single
    /// containers only.
    package var role: OperatorRole?
    package var containers: [ContainerRole]

    /// A role in one container.
    package struct ContainerRole: WireObject {
        package var container: String
        package var role: OperatorRole

        package init(container: String, role: OperatorRole) {
            self.container = container
            self.role = role
        }

        package init(_ object: JSONNode) throws(RecordError) {
            container = try object.required("container").string()
            role = try object.required("role").operatorRole()
        }

        package func writeMembers(to json: inout JSONWriter) {
            json.member("container", container)
            json.member("role", role.rawValue)
        }
    }

    package init(_ account: OperatorAccount) {
        name = account.name
        role = account.role
        containers = account.containers.sorted { $0.key.precedesInBytes($1.key) }
            .map { ContainerRole(container: $0.key, role: $0.value) }
    }

    package init(_ object: JSONNode) throws(RecordError) {
        name = try object.required("name").string()
        role = try object["role"]?.operatorRole()
        containers = try object.objects("containers")
    }

    package func writeMembers(to json: inout JSONWriter) {
        json.member("name", name)
        json.member("role", role?.rawValue)
        json.list("containers", containers) { $0.write(to: &$1) }
    }
}

extension AuditEntry: WireListed {
    package static var listName: StaticString { "entries" }

    package init(_ object: JSONNode) throws(RecordError) {
        self.init(
            number: try object.required("number").int64(), at: try object.required("at").timestamp(),
            by: try object.required("by").string(), container: try object["container"]?.string(),
            environment: try object["environment"]?.environment(),
            action: try object.required("action").string(),
            subject: try object.required("subject").string(), before: try object["before"]?.string(),
            after: try object["after"]?.string())
        person = try object["person"]?.string()
    }

    package func writeMembers(to json: inout JSONWriter) {
        json.member("number", number)
        json.member("at", at.milliseconds)
        json.member("by", by)
        json.member("container", container)
        json.member("environment", environment?.rawValue)
        json.member("action", action)
        json.member("subject", subject)
        json.member("before", before)
        json.member("after", after)
        json.member("person", person)
    }
}

extension JSONNode {
    fileprivate func operatorRole() throws(RecordError) -> OperatorRole {
        let text = try string()
        if let role = OperatorRole(rawValue: text) { return role }
        throw unexpected(nextStep: "use viewer, developer or admin, or none to remove the role")
    }
}
