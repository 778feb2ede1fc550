package import Records

/// Adds an index to a field in the development environment, or removes it.
package struct SetIndex: ServerCall {
    package typealias Answer = SchemaChange
    package static let endpoint = ServerEndpoint.operator(.setIndex)

    package var container: String
    package var environment: CloudEnvironment
    package var type: String
    package var field: String
    package var index: IndexSet
    package var isThere: Bool

    package init(
        _ index: IndexSet, on field: String, of type: String, in container: String,
        _ environment: CloudEnvironment = .development, isThere: Bool = true
    ) {
        self.container = container
        self.environment = environment
        self.type = type
        self.field = field
        self.index = index
        self.isThere = isThere
    }

    package init(reading request: CallReader) throws(RecordError) {
        index = try IndexSet(spelling: request.body.required("index").string())
        field = try request.body.required("field").string()
        type = try request.body.required("type").string()
        container = try request.parameter("container")
        environment = try request.environment()
        isThere = try request.body["remove"]?.bool() != true
    }

    package func write(to request: inout CallWriter) {
        request.place(container, environment)
        request.body.member("type", type)
        request.body.member("field", field)
        request.body.member("index", index.schemaNames.lowercased())
        request.body.member("remove", !isThere)
    }
}

/// Grants a role a permission on a record type in the development environment, or revokes it.
package struct SetGrant: ServerCall {
    package typealias Answer = SchemaChange
    package static let endpoint = ServerEndpoint.operator(.setGrant)

    package var container: String
    package var environment: CloudEnvironment
    package var type: String
    package var permission: Permission
    package var role: String
    package var isThere: Bool

    package init(
        _ permission: Permission, on type: String, to role: String, in container: String,
        _ environment: CloudEnvironment = .development, isThere: Bool = true
    ) {
        self.container = container
        self.environment = environment
        self.type = type
        self.permission = permission
        self.role = role
        self.isThere = isThere
    }

    package init(reading request: CallReader) throws(RecordError) {
        permission = try Permission(spelling: request.body.required("permission").string())
        type = try request.body.required("type").string()
        role = try request.body.required("role").string()
        container = try request.parameter("container")
        environment = try request.environment()
        isThere = try request.body["remove"]?.bool() != true
    }

    package func write(to request: inout CallWriter) {
        request.place(container, environment)
        request.body.member("type", type)
        request.body.member("permission", permission.rawValue)
        request.body.member("role", role)
        request.body.member("remove", !isThere)
    }
}

/// Counts the records of a type in the development environment, or those with a value in one field.
package struct CountPart: InputCall {
    package typealias Answer = RecordCount
    package static let endpoint = ServerEndpoint.operator(.countPart)

    package var input: SchemaPart

    package init(_ input: SchemaPart) {
        self.input = input
    }
}

/// Deletes a record type or field in the development environment, with its data.
package struct DeletePart: InputCall {
    package typealias Answer = SchemaChange
    package static let endpoint = ServerEndpoint.operator(.deletePart)

    package var input: SchemaPart

    package init(_ input: SchemaPart) {
        self.input = input
    }
}

/// A record type or field of a container's schema.
package struct SchemaPart: CallInput {
    package var container: String
    package var environment: CloudEnvironment
    package var type: String
    /// The field; nil: the whole record type.
    package var field: String?

    package init(
        _ type: String, field: String? = nil, in container: String,
        _ environment: CloudEnvironment = .development
    ) {
        self.container = container
        self.environment = environment
        self.type = type
        self.field = field
    }

    package init(reading request: CallReader) throws(RecordError) {
        type = try request.body.required("type").string()
        field = try request.body["field"]?.string()
        container = try request.parameter("container")
        environment = try request.environment()
    }

    package func write(to request: inout CallWriter) {
        request.place(container, environment)
        request.body.member("type", type)
        request.body.member("field", field)
    }

    /// The part in the form of `SchemaSource`.
    package var part: SchemaSource.Part {
        field.map { .field($0, of: type) } ?? .type(type)
    }
}

/// The number of records.
package struct RecordCount: WireObject {
    package var records: Int

    package init(records: Int) {
        self.records = records
    }

    package init(_ object: JSONNode) throws(RecordError) {
        records = try object.required("records").int()
    }

    package func writeMembers(to json: inout JSONWriter) {
        json.member("records", Int64(records))
    }
}

extension IndexSet {
    /// The index with this name, in upper or lower case. Throws `badRequest` if there is none.
    package init(spelling name: String) throws(RecordError) {
        guard let index = Self.kinds[name.lowercased()] else {
            throw RecordError(
                .badRequest, "there is no kind of index with this name", culprit: name,
                nextStep: "use queryable, sortable or searchable"
            )
        }
        self = index
    }
}

extension Permission {
    /// The permission with this name, in upper or lower case. Throws `badRequest` if there is none.
    package init(spelling name: String) throws(RecordError) {
        guard let permission = Permission(rawValue: name.uppercased()) else {
            throw RecordError(
                .badRequest, "there is no permission with this name", culprit: name,
                nextStep: "use read, create or write"
            )
        }
        self = permission
    }
}
