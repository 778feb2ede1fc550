import RecordStore
package import Records

/// Two schemas and what tells them apart.
package struct SchemaComparison: Hashable, Sendable {
    package var old: Schema
    package var new: Schema

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

    init(
        _ context: ServiceContext, databases: DatabaseService, assets: AssetService,
        containerRegistry: ContainerRegistry, schemaCache: SchemaCache, usageLog: SchemaUsageLog
    ) {
        self.context = context
        self.databases = databases
        self.assets = assets
        self.containerRegistry = containerRegistry
        self.schemaCache = schemaCache
        self.usageLog = usageLog
    }

    /// The schema of a container in one environment.
    package func schema(of container: String, in environment: CloudEnvironment) async throws -> Schema {
        try await containerRegistry.checkExists(container)
        return try await schemaCache.schema(of: place(container, environment))
    }

    /// What importing a schema into development would change. Throws as `importSchema` does.
    package func checkSchema(
        _ source: SchemaSource, for container: String
    ) async throws -> SchemaComparison {
        let development = try await schema(of: container, in: .development)
        let production = try await schema(of: container, in: .production)
        let source = source.withUsers(of: development)
        try SchemaRules.checkImport(source, over: development, before: production, limits: context.limits)
        return SchemaComparison(old: development, new: source.schema)
    }

    /// Replaces the schema of development; records and values of what it loses go.
    ///
    /// Throws, and changes nothing, when what production has would be lost, or a field would change its type.
    package func importSchema(
        _ source: SchemaSource, into container: String
    ) async throws -> SchemaComparison {
        let production = try await schema(of: container, in: .production)
        let change = try await changeSchema(of: container, in: .development) { [self] development in
            let source = source.withUsers(of: development)
            try SchemaRules.checkImport(source, over: development, before: production, limits: context.limits)
            let lost = development.differences(to: source.schema).filter { $0.kind == .removed }
            try await purge(lost.map(\.part), of: container, schema: development)
            return source.schema
        }
        try await purgeStragglers(of: change, in: container)
        try await dropIndexes(of: container, in: .development, notIn: change.new)
        return change
    }

    /// Adds to production what development has; `read` finds the places of the parts of a schema.
    ///
    /// Throws, and changes nothing, when a field has another type there. A trial changes nothing either.
    package func deploySchema(
        of container: String, isTrial: Bool, read: @Sendable (Schema) throws -> SchemaSource
    ) async throws -> SchemaComparison {
        let source = try read(try await schema(of: container, in: .development))
        if isTrial {
            let production = try await schema(of: container, in: .production)
            return SchemaComparison(
                old: production,
                new: try SchemaRules.deployed(source, onto: production, limits: context.limits))
        }
        let limits = context.limits
        let change = try await changeSchema(of: container, in: .production) { production in
            try SchemaRules.deployed(source, onto: production, limits: limits)
        }
        // Private databases follow when they are opened: there may be very many.
        let shared = DatabaseKey(container: container, environment: .production, owner: nil)
        if context.provider.empty(shared) == nil {
            try await databases.using(shared) { try await $0.records.dropIndexes(notIn: change.new) }
        }
        return change
    }

    /// Makes development what production is: deletes its data, then replaces its schema.
    ///
    /// Cut short, it can be called again until it ends.
    package func resetSchema(of container: String) async throws -> SchemaComparison {
        let production = try await schema(of: container, in: .production)
        let data = DatabaseSelection(container: container, environment: .development)
        try await context.provider.remove(data)
        defer { context.provider.allow(data) }
        return try await changeSchema(of: container, in: .development) { _ in production }
    }

    /// Gives a field an index in development, or takes it away.
    ///
    /// Throws `notFound` for a type or field that is not there, and `badRequest` for an index that a field of
    /// its type cannot have.
    package func setIndex(
        _ index: IndexSet, on fieldName: String, of typeName: String, in container: String, isThere: Bool
    ) async throws -> SchemaComparison {
        let change = try await changeSchema(of: container, in: .development) { schema in
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
        if !isThere { try await dropIndexes(of: container, in: .development, notIn: change.new) }
        return change
    }

    /// Replaces a schema by what `change` makes of the present one. Nobody changes it meanwhile, nor deletes
    /// its container.
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

    private func place(_ container: String, _ environment: CloudEnvironment) -> SchemaCache.Place {
        SchemaCache.Place(container: container, environment: environment)
    }
}

extension SchemaSource {
    /// The schema with the type of user records, which every container has, whether it is written or not.
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
