package import Records

/// Asks which rule allows or denies the signed-in person an action in the public database.
package struct ExplainAccess: ServerCall {
    package typealias Answer = AccessReport
    package static let endpoint = ServerEndpoint.development(.explainAccess)

    package var container: String
    package var environment: CloudEnvironment
    package var permission: Permission
    /// The type of a record to create, if no record is named.
    package var recordType: String?
    package var recordName: String?

    package init(
        _ permission: Permission, recordType: String? = nil, recordName: String? = nil, in container: String,
        _ environment: CloudEnvironment
    ) {
        self.container = container
        self.environment = environment
        self.permission = permission
        self.recordType = recordType
        self.recordName = recordName
    }

    package init(reading request: CallReader) throws(RecordError) {
        environment = try request.body.required("environment").environment()
        container = try request.body.required("container").string()
        permission = try Permission(spelling: request.body.required("permission").string())
        recordType = try request.body["recordType"]?.string()
        recordName = try request.body["recordName"]?.string()
    }

    package func write(to request: inout CallWriter) {
        request.body.member("container", container)
        request.body.member("environment", environment.rawValue)
        request.body.member("permission", permission.rawValue)
        request.body.member("recordType", recordType)
        request.body.member("recordName", recordName)
    }
}

/// The decision of the access rules, with its reasons.
package struct AccessReport: WireObject {
    package var isAllowed: Bool
    package var permission: Permission
    package var recordType: String
    package var recordName: String?
    /// The roles that have the permission.
    package var granted: [Role]
    /// The roles that the person holds.
    package var held: [Role]
    /// The decision in one sentence.
    package var explanation: String

    package init(
        isAllowed: Bool, permission: Permission, recordType: String, recordName: String?, granted: [Role],
        held: [Role], explanation: String
    ) {
        self.isAllowed = isAllowed
        self.permission = permission
        self.recordType = recordType
        self.recordName = recordName
        self.granted = granted
        self.held = held
        self.explanation = explanation
    }

    package init(_ object: JSONNode) throws(RecordError) {
        isAllowed = try object.required("allowed").bool()
        permission = try Permission(spelling: object.required("permission").string())
        recordType = try object.required("recordType").string()
        recordName = try object["recordName"]?.string()
        granted = try object.required("granted").strings().map { Role(name: $0) }
        held = try object.required("held").strings().map { Role(name: $0) }
        explanation = try object.required("explanation").string()
    }

    package func writeMembers(to json: inout JSONWriter) {
        json.member("allowed", isAllowed)
        json.member("permission", permission.rawValue)
        json.member("recordType", recordType)
        json.member("recordName", recordName)
        json.member("granted", granted.map(\.name))
        json.member("held", held.map(\.name))
        json.member("explanation", explanation)
    }
}

/// Reads the record types of a container. Unlike `ReadSchema`, it requires no operator's key.
package struct ReadTypes: ServerCall {
    package typealias Answer = SchemaReport
    package static let endpoint = ServerEndpoint.development(.readTypes)

    package var container: String
    package var environment: CloudEnvironment

    package init(of container: String, _ environment: CloudEnvironment = .development) {
        self.container = container
        self.environment = environment
    }

    package init(reading request: CallReader) throws(RecordError) {
        environment = .development
        if let name = try request.query("environment") { environment = try CloudEnvironment(wire: name) }
        container = try request.query("container") ?? ""
    }

    package func write(to request: inout CallWriter) {
        request.query("container", container)
        request.query("environment", environment.rawValue)
    }
}

/// Reads the storage use of a container and of the signed-in person.
package struct ReadStorage: ServerCall {
    package typealias Answer = StorageReport
    package static let endpoint = ServerEndpoint.development(.readStorage)

    package var container: String

    package init(of container: String) {
        self.container = container
    }

    package init(reading request: CallReader) throws(RecordError) {
        container = try request.query("container") ?? ""
    }

    package func write(to request: inout CallWriter) {
        request.query("container", container)
    }
}

/// The storage use of a container and a person.
package struct StorageReport: WireObject {
    /// The number of asset files in all databases of the container. Equal contents in one database are one
    /// file.
    package var assetFiles: Int
    /// The size in bytes of the person's private databases in all containers; nil without a signed-in person.
    package var privateBytes: Int64?
    /// The limit of `privateBytes`; nil if storage is unlimited.
    package var privateBytesLimit: Int64?

    package init(assetFiles: Int, privateBytes: Int64? = nil, privateBytesLimit: Int64? = nil) {
        self.assetFiles = assetFiles
        self.privateBytes = privateBytes
        self.privateBytesLimit = privateBytesLimit
    }

    package init(_ object: JSONNode) throws(RecordError) {
        assetFiles = try object.required("assetFiles").int()
        privateBytes = try object["privateBytes"]?.int64()
        privateBytesLimit = try object["privateBytesLimit"]?.int64()
    }

    package func writeMembers(to json: inout JSONWriter) {
        json.member("assetFiles", Int64(assetFiles))
        json.member("privateBytes", privateBytes)
        json.member("privateBytesLimit", privateBytesLimit)
    }
}

/// Reads the trace of the latest pushes.
package struct ReadPushTrace: ServerCall {
    package typealias Answer = ListAnswer<PushTraceEntry>
    package static let endpoint = ServerEndpoint.development(.readPushTrace)

    /// The number of the first entry to return; 0: all entries.
    package var from: Int

    package init(from: Int = 0) {
        self.from = from
    }

    package init(reading request: CallReader) throws(RecordError) {
        from = try request.query("from").flatMap { Int($0) } ?? 0
    }

    package func write(to request: inout CallWriter) {
        request.query("from", from == 0 ? nil : String(from))
    }
}

extension PushTraceEntry: WireListed {
    package static var listName: StaticString { "trace" }

    package init(_ object: JSONNode) throws(RecordError) {
        let outcome = try object.required("outcome")
        guard let known = Outcome(rawValue: try outcome.string()) else { throw outcome.unexpected() }
        self.init(
            number: try object.required("number").int(), at: try object.required("at").timestamp(),
            container: try object.required("container").string(), user: try object.required("user").string(),
            notification: try object.required("notification").string(),
            subscription: try object.required("subscription").string(),
            device: try object["device"]?.string(), outcome: known, reason: try object["reason"]?.string())
    }

    package func writeMembers(to json: inout JSONWriter) {
        json.member("number", Int64(number))
        json.member("at", at.milliseconds)
        json.member("container", container)
        json.member("user", user)
        json.member("notification", notification)
        json.member("subscription", subscription)
        json.member("device", device)
        json.member("outcome", outcome.rawValue)
        json.member("reason", reason)
    }
}
