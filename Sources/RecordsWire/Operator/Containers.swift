package import Records

/// Lists all containers, sorted by name.
package struct ListContainers: BareCall {
    package typealias Answer = ListAnswer<ContainerReport>
    package static let endpoint = ServerEndpoint.operator(.listContainers)

    package init() {}
}

/// Creates a container.
package struct CreateContainer: ServerCall {
    package typealias Answer = ContainerReport
    package static let endpoint = ServerEndpoint.operator(.createContainer)

    package var name: String

    package init(_ name: String) {
        self.name = name
    }

    package init(reading request: CallReader) throws(RecordError) {
        name = try request.body.required("name").string()
    }

    package func write(to request: inout CallWriter) {
        request.body.member("name", name)
    }
}

/// Reads the properties and the storage use of a container.
package struct ReadContainer: NamedCall {
    package typealias Answer = ContainerDetails
    package static let endpoint = ServerEndpoint.operator(.readContainer)
    package static let parameter: StaticString = "container"

    package var name: String

    package init(_ name: String) {
        self.name = name
    }
}

/// Lists the creators of a container's public records, sorted by the size of what they store.
package struct ListCreators: ServerCall {
    package typealias Answer = ListAnswer<CreatorReport>
    package static let endpoint = ServerEndpoint.operator(.listCreators)

    package var container: String
    package var environment: CloudEnvironment
    /// The place of the last creator of the page before; nil: the first page.
    package var place: String?

    /// Creators in one answer.
    package static let pageSize = 100

    package init(of container: String, _ environment: CloudEnvironment, after place: String? = nil) {
        self.container = container
        self.environment = environment
        self.place = place
    }

    package init(reading request: CallReader) throws(RecordError) {
        container = try request.parameter("container")
        environment = try request.environment()
        place = try request.query("after")
    }

    package func write(to request: inout CallWriter) {
        request.place(container, environment)
        request.query("after", place)
    }
}

/// Sets the URL of the app's web page, which people open from the pages of shares.
package struct SetContainerFallback: ServerCall {
    package typealias Answer = ContainerReport
    package static let endpoint = ServerEndpoint.operator(.setContainerFallback)

    package var name: String
    /// The URL, to which the short GUID of a share is appended; nil uses the server's fallback URL.
    package var fallbackURL: String?

    package init(_ name: String, fallbackURL: String?) {
        self.name = name
        self.fallbackURL = fallbackURL
    }

    package init(reading request: CallReader) throws(RecordError) {
        name = try request.parameter("container")
        fallbackURL = try request.body["fallbackURL"]?.string()
    }

    package func write(to request: inout CallWriter) {
        request.parameter("container", name)
        request.body.member("fallbackURL", fallbackURL)
    }
}

/// Deletes a container with all its data.
package struct DeleteContainer: NamedCall {
    package typealias Answer = DeletionAnswer
    package static let endpoint = ServerEndpoint.operator(.deleteContainer)
    package static let parameter: StaticString = "container"

    package var name: String

    package init(_ name: String) {
        self.name = name
    }
}

extension ContainerReport: WireListed {
    package static var listName: StaticString { "containers" }

    package init(_ object: JSONNode) throws(RecordError) {
        self.init(
            name: try object.required("name").string(),
            createdAt: try object.required("createdAt").timestamp(),
            warnings: try object.required("warnings").strings(),
            fallbackURL: try object["fallbackURL"]?.string())
    }

    package func writeMembers(to json: inout JSONWriter) {
        json.member("name", name)
        json.member("createdAt", createdAt.milliseconds)
        json.member("warnings", warnings)
        json.member("fallbackURL", fallbackURL)
    }
}

extension CreatorReport: WireListed {
    package static var listName: StaticString { "creators" }

    package init(_ object: JSONNode) throws(RecordError) {
        let kind = try object.required("kind")
        guard let known = Kind(rawValue: try kind.string()) else {
            throw kind.unexpected(nextStep: "use person, serverKeys or operators")
        }
        self.init(
            userRecordName: try object.required("userRecordName").string(), kind: known,
            person: try object["person"]?.string(), records: try object.required("records").int64(),
            recordBytes: try object.required("recordBytes").int64(),
            assetBytes: try object.required("assetBytes").int64())
    }

    package func writeMembers(to json: inout JSONWriter) {
        json.member("userRecordName", userRecordName)
        json.member("kind", kind.rawValue)
        json.member("person", person)
        json.member("records", records)
        json.member("recordBytes", recordBytes)
        json.member("assetBytes", assetBytes)
    }
}

/// A container with its storage use in both environments.
package struct ContainerDetails: WireObject {
    /// The storage use of a container in one environment.
    package struct Contents: WireObject {
        /// The number of private databases.
        package var privateDatabases: Int
        /// The size of all databases and files in bytes.
        package var bytes: Int64
        /// The size of the public database's records in bytes.
        package var publicRecordBytes: Int64
        /// The limit of `publicRecordBytes`; nil if storage is unlimited.
        package var publicRecordBytesLimit: Int64?
        /// The size of the public database's asset files in bytes.
        package var publicAssetBytes: Int64
        /// The limit of `publicAssetBytes`; nil if storage is unlimited.
        package var publicAssetBytesLimit: Int64?

        package init(
            privateDatabases: Int, bytes: Int64, publicRecordBytes: Int64, publicRecordBytesLimit: Int64?,
            publicAssetBytes: Int64, publicAssetBytesLimit: Int64?
        ) {
            self.privateDatabases = privateDatabases
            self.bytes = bytes
            self.publicRecordBytes = publicRecordBytes
            self.publicRecordBytesLimit = publicRecordBytesLimit
            self.publicAssetBytes = publicAssetBytes
            self.publicAssetBytesLimit = publicAssetBytesLimit
        }

        package init(_ object: JSONNode) throws(RecordError) {
            privateDatabases = try object.required("privateDatabases").int()
            bytes = try object.required("bytes").int64()
            publicRecordBytes = try object.required("publicRecordBytes").int64()
            publicRecordBytesLimit = try object["publicRecordBytesLimit"]?.int64()
            publicAssetBytes = try object.required("publicAssetBytes").int64()
            publicAssetBytesLimit = try object["publicAssetBytesLimit"]?.int64()
        }

        package func writeMembers(to json: inout JSONWriter) {
            json.member("privateDatabases", Int64(privateDatabases))
            json.member("bytes", bytes)
            json.member("publicRecordBytes", publicRecordBytes)
            json.member("publicRecordBytesLimit", publicRecordBytesLimit)
            json.member("publicAssetBytes", publicAssetBytes)
            json.member("publicAssetBytesLimit", publicAssetBytesLimit)
        }
    }

    package var container: ContainerReport
    /// The number of people who have used the container.
    package var users: Int64
    package var development: Contents
    package var production: Contents

    package init(
        container: ContainerReport, users: Int64, development: Contents, production: Contents
    ) {
        self.container = container
        self.users = users
        self.development = development
        self.production = production
    }

    package init(_ object: JSONNode) throws(RecordError) {
        container = try ContainerReport(object)
        users = try object.required("users").int64()
        development = try Contents(object.required("development").object())
        production = try Contents(object.required("production").object())
    }

    package func writeMembers(to json: inout JSONWriter) {
        container.writeMembers(to: &json)
        json.member("users", users)
        json.key("development" as StaticString)
        development.write(to: &json)
        json.key("production" as StaticString)
        production.write(to: &json)
    }
}
