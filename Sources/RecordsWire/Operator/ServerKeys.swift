package import Records

/// Lists the server-to-server keys of a container, including revoked ones.
package struct ListKeys: ServerCall {
    package typealias Answer = ListAnswer<ServerKeyReport>
    package static let endpoint = ServerEndpoint.operator(.listKeys)

    package var container: String

    package init(of container: String) {
        self.container = container
    }

    package init(reading request: CallReader) throws(RecordError) {
        container = try request.parameter("container")
    }

    package func write(to request: inout CallWriter) {
        request.parameter("container", container)
    }
}

/// Registers the public key of a server-to-server key.
package struct RegisterKey: ServerCall {
    package typealias Answer = ServerKeyReport
    package static let endpoint = ServerEndpoint.operator(.registerKey)

    package var container: String
    package var environment: CloudEnvironment
    /// The operator's name for the key.
    package var label: String
    /// The public key in PEM form.
    package var publicKey: String

    package init(
        for container: String, _ environment: CloudEnvironment, label: String = "", publicKey: String
    ) {
        self.container = container
        self.environment = environment
        self.label = label
        self.publicKey = publicKey
    }

    package init(reading request: CallReader) throws(RecordError) {
        container = try request.parameter("container")
        environment = try request.environment()
        label = try request.body["label"]?.string() ?? ""
        publicKey = try request.body.required("publicKey").string()
    }

    package func write(to request: inout CallWriter) {
        request.place(container, environment)
        request.body.member("label", label)
        request.body.member("publicKey", publicKey)
    }
}

/// Revokes a key.
package struct RevokeKey: ServerCall {
    package typealias Answer = IDAnswer
    package static let endpoint = ServerEndpoint.operator(.revokeKey)

    package var id: String

    package init(id: String) {
        self.id = id
    }

    package init(reading request: CallReader) throws(RecordError) {
        id = try request.parameter("id")
    }

    package func write(to request: inout CallWriter) {
        request.parameter("id", id)
    }
}

/// A server-to-server key without its public key.
package struct ServerKeyReport: WireListed {
    package static var listName: StaticString { "keys" }

    package var id: String
    package var container: String
    package var environment: CloudEnvironment
    package var label: String
    /// The user record name of the key's changes.
    package var userRecordName: String
    package var created: Timestamp
    /// When it was revoked; nil while it is valid.
    package var revoked: Timestamp?

    package init(_ key: ServerKey) {
        id = key.id
        container = key.container
        environment = key.environment
        label = key.label
        userRecordName = key.owner
        created = key.created
        revoked = key.revoked
    }

    package init(_ object: JSONNode) throws(RecordError) {
        id = try object.required("id").string()
        container = try object.required("container").string()
        environment = try object.required("environment").environment()
        label = try object.required("label").string()
        userRecordName = try object.required("userRecordName").string()
        created = try object.required("createdAt").timestamp()
        revoked = try object["revokedAt"]?.timestamp()
    }

    package func writeMembers(to json: inout JSONWriter) {
        json.member("id", id)
        json.member("container", container)
        json.member("environment", environment.rawValue)
        json.member("label", label)
        json.member("userRecordName", userRecordName)
        json.member("createdAt", created.milliseconds)
        json.member("revokedAt", revoked?.milliseconds)
    }
}
