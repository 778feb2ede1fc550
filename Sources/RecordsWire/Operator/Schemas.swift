package import Records

/// Reads the schema of a container in one environment.
package struct ReadSchema: EnvironmentCall {
    package typealias Answer = SchemaReport
    package static let endpoint = ServerEndpoint.operator(.readSchema)

    package var container: String
    package var environment: CloudEnvironment

    package init(of container: String, _ environment: CloudEnvironment) {
        self.container = container
        self.environment = environment
    }
}

/// Replaces the schema of the development environment.
package struct ImportSchema: InputCall {
    package typealias Answer = SchemaChange
    package static let endpoint = ServerEndpoint.operator(.importSchema)

    package var input: SchemaInput

    package init(_ input: SchemaInput) {
        self.input = input
    }
}

/// Checks whether a schema can replace that of the development environment.
package struct ValidateSchema: InputCall {
    package typealias Answer = SchemaChange
    package static let endpoint = ServerEndpoint.operator(.validateSchema)

    package var input: SchemaInput

    package init(_ input: SchemaInput) {
        self.input = input
    }
}

/// Compares a schema with the schema of a container.
package struct CompareSchema: InputCall {
    package typealias Answer = SchemaChange
    package static let endpoint = ServerEndpoint.operator(.compareSchema)

    package var input: SchemaInput

    package init(_ input: SchemaInput) {
        self.input = input
    }
}

/// Compares a schema with the types, fields and indexes that requests have used since the server started.
package struct CheckSchema: InputCall {
    package typealias Answer = SchemaGapsReport
    package static let endpoint = ServerEndpoint.operator(.checkSchema)

    package var input: SchemaInput

    package init(_ input: SchemaInput) {
        self.input = input
    }
}

/// Deploys the development schema to production. Production's schema is only extended.
package struct DeploySchema: ServerCall {
    package typealias Answer = SchemaChange
    package static let endpoint = ServerEndpoint.operator(.deploySchema)

    package var container: String
    package var environment: CloudEnvironment
    /// Whether to report the changes without making them.
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
        request.place(container, environment)
        request.body.flag("dryRun", isTrial)
    }
}

/// Resets the development schema to that of production, and deletes all data of the development environment.
package struct ResetSchema: EnvironmentCall {
    package typealias Answer = SchemaChange
    package static let endpoint = ServerEndpoint.operator(.resetSchema)

    package var container: String
    package var environment: CloudEnvironment

    package init(of container: String, _ environment: CloudEnvironment = .development) {
        self.container = container
        self.environment = environment
    }
}

/// A schema text for one environment of a container.
package struct SchemaInput: CallInput {
    package var container: String
    package var environment: CloudEnvironment
    package var text: String

    package init(_ text: String, for container: String, _ environment: CloudEnvironment = .development) {
        self.container = container
        self.environment = environment
        self.text = text
    }

    package init(reading request: CallReader) throws(RecordError) {
        text = try request.body.required("schema").string()
        container = try request.parameter("container")
        environment = try request.environment()
    }

    package func write(to request: inout CallWriter) {
        request.place(container, environment)
        request.body.member("schema", text)
    }

    /// Parses the schema. Throws `badRequest` with line and column if it is invalid.
    package func source() throws(RecordError) -> SchemaSource {
        try SchemaSource(text: Array(text.utf8))
    }
}
