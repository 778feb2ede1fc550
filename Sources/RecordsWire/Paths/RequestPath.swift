package import Records

/// The path of a request to the web services: container, environment, database and endpoint.
package struct RequestPath: Hashable, Sendable {
    package var container: String
    package var environment: CloudEnvironment
    /// The database; nil for endpoints that concern a device.
    package var database: DatabaseKind?
    package var endpoint: Endpoint

    package init(
        container: String, environment: CloudEnvironment, database: DatabaseKind?, endpoint: Endpoint
    ) {
        self.container = container
        self.environment = environment
        self.database = database
        self.endpoint = endpoint
    }

    /// Parses a path without its query.
    ///
    /// Throws `notFound` for an unknown endpoint or a path outside of the web services, `badRequest` for an
    /// unknown environment or database, and `badDatabase` if the database does not support the endpoint.
    package init(path: String) throws(RecordError) {
        var parts = path.utf8.split(separator: UInt8(ascii: "/")).map { Substring($0) }[...]
        let module = parts.popFirst()
        guard module == "database" || module == "device", parts.popFirst() == "1",
            let container = parts.popFirst().flatMap({ PercentEncoding.decode($0) }), !container.isEmpty
        else {
            throw RecordError(
                .notFound, "unknown endpoint", culprit: path,
                nextStep: "begin the path with /database/1/{container}/{environment}/{database}/"
            )
        }
        self.container = container
        environment = try CloudEnvironment(wire: String(parts.popFirst() ?? ""))
        let name = module == "database" ? parts.first : nil
        database = name.flatMap { DatabaseKind(rawValue: String($0)) }
        if database != nil { parts = parts.dropFirst() }
        guard let endpoint = Endpoint(parts: parts) else {
            throw Self.unknown(parts, database: database, module: module ?? "", path: path)
        }
        self.endpoint = endpoint
        try checkDatabase(path)
    }

    /// The path, percent-encoded.
    package var text: String {
        let module = endpoint.isForDevices ? "device" : "database"
        let place = "/\(module)/1/\(PercentEncoding.encode(container))/\(environment.rawValue)/"
        guard let database, !endpoint.isForDevices else { return place + endpoint.rawValue }
        return place + database.rawValue + "/" + endpoint.rawValue
    }

    /// Device endpoints have no database. A database in their path is ignored, because Apple's documentation
    /// shows one.
    private mutating func checkDatabase(_ path: String) throws(RecordError) {
        if endpoint.isForDevices {
            database = nil
            return
        }
        guard let database, endpoint.databases.contains(database) else {
            let allowed = endpoint.databases.map(\.rawValue).sorted().joined(separator: " or ")
            throw RecordError(
                .badDatabase, "\(endpoint.rawValue) is not available on this database", culprit: path,
                nextStep: "use the \(allowed) database"
            )
        }
    }

    private static func unknown(
        _ parts: ArraySlice<Substring>, database: DatabaseKind?, module: Substring, path: String
    ) -> RecordError {
        if module == "database", database == nil {
            return RecordError(
                .badRequest, "unknown database", culprit: parts.first.map(String.init),
                nextStep: "use public, private or shared"
            )
        }
        return RecordError(.notFound, "unknown endpoint", culprit: path)
    }
}
