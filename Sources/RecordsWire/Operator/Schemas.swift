package import Records

/// Reads the schema of a container in one environment.
package struct ReadSchema: ServerCall {
    package typealias Answer = SchemaReport
    package static let endpoint = ServerEndpoint.operator(.readSchema)

    package var container: String
    package var environment: CloudEnvironment

    package init(of container: String, _ environment: CloudEnvironment) {
        self.container = container
        self.environment = environment
    }

    package init(reading request: CallReader) throws(RecordError) {
        container = try request.parameter("container")
        environment = try request.environment()
    }

    package func write(to request: inout CallWriter) {
        request.parameter("container", container)
        request.parameter("environment", environment.rawValue)
    }
}

/// Replaces the schema of development.
package struct ImportSchema: ServerCall {
    package typealias Answer = SchemaChange
    package static let endpoint = ServerEndpoint.operator(.importSchema)

    package var input: SchemaInput

    package init(_ input: SchemaInput) {
        self.input = input
    }

    package init(reading request: CallReader) throws(RecordError) {
        input = try SchemaInput(reading: request)
    }

    package func write(to request: inout CallWriter) {
        input.write(to: &request)
    }
}

/// Checks whether a schema could replace that of development.
package struct ValidateSchema: ServerCall {
    package typealias Answer = SchemaChange
    package static let endpoint = ServerEndpoint.operator(.validateSchema)

    package var input: SchemaInput

    package init(_ input: SchemaInput) {
        self.input = input
    }

    package init(reading request: CallReader) throws(RecordError) {
        input = try SchemaInput(reading: request)
    }

    package func write(to request: inout CallWriter) {
        input.write(to: &request)
    }
}

/// Compares a schema with that of a container.
package struct CompareSchema: ServerCall {
    package typealias Answer = SchemaChange
    package static let endpoint = ServerEndpoint.operator(.compareSchema)

    package var input: SchemaInput

    package init(_ input: SchemaInput) {
        self.input = input
    }

    package init(reading request: CallReader) throws(RecordError) {
        input = try SchemaInput(reading: request)
    }

    package func write(to request: inout CallWriter) {
        input.write(to: &request)
    }
}

/// Compares a schema with what was saved and asked for since the server started.
package struct CheckSchema: ServerCall {
    package typealias Answer = SchemaGapsReport
    package static let endpoint = ServerEndpoint.operator(.checkSchema)

    package var input: SchemaInput

    package init(_ input: SchemaInput) {
        self.input = input
    }

    package init(reading request: CallReader) throws(RecordError) {
        input = try SchemaInput(reading: request)
    }

    package func write(to request: inout CallWriter) {
        input.write(to: &request)
    }
}

/// Adds to production what development has.
package struct DeploySchema: ServerCall {
    package typealias Answer = SchemaChange
    package static let endpoint = ServerEndpoint.operator(.deploySchema)

    package var container: String
    package var environment: CloudEnvironment
    /// Whether only to say what would change.
    package var isTrial: Bool

    package init(
        of container: String, _ environment: CloudEnvironment = .development, isTrial: Bool = false
    ) {
        self.container = container
        self.environment = environment
        self.isTrial = isTrial
    }

    package init(reading request: CallReader) throws(RecordError) {
        isTrial = try request.body["dryRun"]?.bool() ?? false
        container = try request.parameter("container")
        environment = try request.environment()
    }

    package func write(to request: inout CallWriter) {
        request.parameter("container", container)
        request.parameter("environment", environment.rawValue)
        request.body.flag("dryRun", isTrial)
    }
}

/// Makes development what production is; its data goes.
package struct ResetSchema: ServerCall {
    package typealias Answer = SchemaChange
    package static let endpoint = ServerEndpoint.operator(.resetSchema)

    package var container: String
    package var environment: CloudEnvironment

    package init(of container: String, _ environment: CloudEnvironment = .development) {
        self.container = container
        self.environment = environment
    }

    package init(reading request: CallReader) throws(RecordError) {
        container = try request.parameter("container")
        environment = try request.environment()
    }

    package func write(to request: inout CallWriter) {
        request.parameter("container", container)
        request.parameter("environment", environment.rawValue)
    }
}

/// A schema in the schema language, and the container that it is for.
package struct SchemaInput: Hashable, Sendable {
    package var container: String
    package var environment: CloudEnvironment
    package var text: String

    package init(_ text: String, for container: String, _ environment: CloudEnvironment = .development) {
        self.container = container
        self.environment = environment
        self.text = text
    }

    fileprivate init(reading request: CallReader) throws(RecordError) {
        text = try request.body.required("schema").string()
        container = try request.parameter("container")
        environment = try request.environment()
    }

    fileprivate func write(to request: inout CallWriter) {
        request.parameter("container", container)
        request.parameter("environment", environment.rawValue)
        request.body.member("schema", text)
    }

    /// The schema with the places of its parts. Throws `badRequest` for a text that is no schema.
    package func source() throws(RecordError) -> SchemaSource {
        try SchemaSource(text: Array(text.utf8))
    }
}
