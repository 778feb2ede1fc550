import RecordStore
package import Records

/// Two schemas and the differences between them.
package struct SchemaComparison: Hashable, Sendable {
    package var old: Schema
    package var new: Schema
    /// The bytes that dropping indexes made free in the public database; nil if that is not known.
    package var freedBytes: Int64?

    package init(old: Schema, new: Schema) {
        self.old = old
        self.new = new
    }

    package var differences: [SchemaDifference] { old.differences(to: new) }
}

/// Reads and changes the schemas of containers, and removes the data of the parts that a schema loses.
package final class SchemaService: Sendable {
    let context: ServiceContext
    let databases: DatabaseService
    let assets: AssetService
    let containerRegistry: ContainerRegistry
    let schemaCache: SchemaCache
    let usageLog: SchemaUsageLog
    private let slowWork: SlowWork

    init(
        _ context: ServiceContext, databases: DatabaseService, assets: AssetService,
        containerRegistry: ContainerRegistry, schemaCache: SchemaCache, usageLog: SchemaUsageLog,
        slowWork: SlowWork
    ) {
        self.context = context
        self.databases = databases
        self.assets = assets
        self.containerRegistry = containerRegistry
        self.schemaCache = schemaCache
        self.usageLog = usageLog
        self.slowWork = slowWork
    }

    /// Runs work that parses, compares or writes schemas of a container. It takes long for large schemas, so
    /// it runs on the threads for large bodies, and never on one that answers requests.
    package func computing<T>(for container: String, _ work: () throws -> T) async throws -> T {
        try await slowWork.computing(for: .container(container), work)
    }

    /// The schema of a container in one environment.
    package func schema(of container: String, in environment: CloudEnvironment) async throws -> Schema {
        try await containerRegistry.checkExists(container)
        return try await schemaCache.schema(of: place(container, environment))
    }

    /// Returns the changes that importing a schema into development would make. Throws as
    /// `SchemaRules.checkImport` does.
    package func checkSchema(
        _ source: SchemaSource, for container: String
    ) async throws -> SchemaComparison {
        let development = try await schema(of: container, in: .development)
        let production = try await schema(of: container, in: .production)
        return try await computing(for: container) {
            let source = source.withUsers(of: development)
            try SchemaRules.checkImport(source, over: development, before: production, limits: context.limits)
            return SchemaComparison(old: development, new: source.schema)
        }
    }

    /// Replaces the development schema, and deletes the records and values of the parts that it loses.
    ///
    /// Throws as `SchemaRules.checkImport` does, and then changes nothing. Throws, too, for records that
    /// cannot be deleted because other records refer to them: the schema is then unchanged, but the records
    /// that were deleted before the error are gone. `check` receives the change just before it is made, and
    /// may refuse it by throwing.
    package func importSchema(
        _ source: SchemaSource, into container: String,
        check: @Sendable (SchemaComparison) throws -> Void = { _ in }
    ) async throws -> SchemaComparison {
        let production = try await schema(of: container, in: .production)
        try await openPublic(of: container, in: .development)
        var change = try await changeSchema(of: container, in: .development) { [self] development in
            let (new, lost) = try await computing(for: container) {
                let source = source.withUsers(of: development)
                try SchemaRules.checkImport(
                    source, over: development, before: production, limits: context.limits)
                let change = SchemaComparison(old: development, new: source.schema)
                try check(change)
                return (change.new, change.differences.filter { $0.kind == .removed })
            }
            try await purge(lost.map(\.part), of: container, schema: development)
            return new
        }
        try await purgeStragglers(of: change, in: container)
        change.freedBytes = try await dropIndexes(of: container, in: .development, notIn: change.new)
        return change
    }

    /// Adds all parts of the development schema to production. `read` determines the source positions of a
    /// schema's parts, for errors.
    ///
    /// Throws, and changes nothing, when a field has another type in production. A trial never changes
    /// anything. `check` receives the change just before it is made, and may refuse it by throwing.
    package func deploySchema(
        of container: String, isTrial: Bool, read: @Sendable (Schema) throws -> SchemaSource,
        check: @Sendable (SchemaComparison) throws -> Void = { _ in }
    ) async throws -> SchemaComparison {
        let development = try await schema(of: container, in: .development)
        let source = try await computing(for: container) { try read(development) }
        let limits = context.limits
        if isTrial {
            let production = try await schema(of: container, in: .production)
            return try await computing(for: container) {
                SchemaComparison(
                    old: production, new: try SchemaRules.deployed(source, onto: production, limits: limits))
            }
        }
        try await openPublic(of: container, in: .production)
        var change = try await changeSchema(of: container, in: .production) { [self] production in
            try await computing(for: container) {
                let deployed = try SchemaRules.deployed(source, onto: production, limits: limits)
                try check(SchemaComparison(old: production, new: deployed))
                return deployed
            }
        }
        // Private databases drop their indexes when they are next opened, because there may be very many of
        // them.
        let publicKey = DatabaseKey(container: container, environment: .production, owner: nil)
        if context.provider.empty(publicKey) == nil {
            let schema = change.new
            change.freedBytes = try await databases.using(publicKey) {
                try await $0.records.dropIndexes(notIn: schema)
            }
        }
        return change
    }

    /// Resets development to production: deletes its data, then replaces its schema.
    ///
    /// If it is interrupted, call it again.
    package func resetSchema(of container: String) async throws -> SchemaComparison {
        let production = try await schema(of: container, in: .production)
        let data = DatabaseSelection(container: container, environment: .development)
        context.provider.makeRoomForDeletion()
        try await context.provider.remove(data)
        defer { context.provider.allow(data) }
        return try await changeSchema(of: container, in: .development) { _ in production }
    }

    /// Adds an index to a field in development, or removes it.
    ///
    /// Throws `notFound` for a type or field that does not exist, and `badRequest` for an index that fields
    /// of this type cannot have.
    package func setIndex(
        _ index: IndexSet, on fieldName: String, of typeName: String, in container: String, isThere: Bool
    ) async throws -> SchemaComparison {
        if !isThere { try await openPublic(of: container, in: .development) }
        var change = try await changeSchema(of: container, in: .development) { schema in
            var schema = schema
            guard var type = schema.types[typeName] else {
                throw RecordError(
                    .notFound, "Did not find record type: \(typeName)", culprit: typeName,
                    nextStep: "check the spelling: cloudlet schema export \(container)"
                )
            }
            try type.set(index, on: fieldName, isThere: isThere)
            schema.types[typeName] = type
            return schema
        }
        if !isThere {
            change.freedBytes = try await dropIndexes(of: container, in: .development, notIn: change.new)
        }
        return change
    }

    /// Replaces a schema by the result of `change`. Meanwhile, no other change of the container's schemas
    /// runs, and the container is not deleted.
    func changeSchema(
        of container: String, in environment: CloudEnvironment,
        _ change: @Sendable (Schema) async throws -> Schema
    ) async throws -> SchemaComparison {
        let (old, new) = try await schemaCache.replace(place(container, environment)) { [self] schema in
            try await containerRegistry.checkExists(container)
            return try await change(schema)
        }
        return SchemaComparison(old: old, new: new)
    }

    private func place(_ container: String, _ environment: CloudEnvironment) -> ContainerKey {
        ContainerKey(container: container, environment: environment)
    }
}

extension SchemaSource {
    /// The schema with the type of user records added if it is missing, because every container has it.
    fileprivate func withUsers(of development: Schema) -> SchemaSource {
        let users = TypeSchema.users.name
        if schema.types[users] != nil { return self }
        var source = self
        source.schema.types[users] = development.types[users] ?? .users
        return source
    }
}

extension TypeSchema {
    fileprivate mutating func set(
        _ index: IndexSet, on name: String, isThere: Bool
    ) throws(RecordError) {
        if let system = SystemField(spelling: name), SystemField.inSchemas.contains(system) {
            var indexes = systemIndexes[system] ?? []
            try Self.set(index, in: &indexes, isThere, name, .scalar(system.type))
            systemIndexes[system] = indexes.isEmpty ? nil : indexes
            return
        }
        guard var field = fields[name] else {
            throw RecordError(
                .notFound, "Did not find field: '\(name)' in type: '\(self.name)'", culprit: name,
                nextStep: "check the spelling, or save a record that has this field"
            )
        }
        try Self.set(index, in: &field.indexes, isThere, name, field.isEncrypted ? nil : field.type)
        fields[name] = field
    }

    private static func set(
        _ index: IndexSet, in indexes: inout IndexSet, _ isThere: Bool, _ name: String, _ type: FieldType?
    ) throws(RecordError) {
        if !isThere {
            indexes.subtract(index)
            return
        }
        guard let type, IndexSet.possible(for: type).isSuperset(of: index) else {
            throw RecordError(
                .badRequest, "Field '\(name)' cannot have this index", culprit: name,
                nextStep: type == nil
                    ? "encrypted fields cannot be queried; use a plain field"
                    : "use an index that fields of this type can have"
            )
        }
        indexes.formUnion(index)
    }
}
