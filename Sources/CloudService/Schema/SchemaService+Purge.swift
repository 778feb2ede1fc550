import RecordStore
package import Records

extension SchemaService {
    /// Removes a record type, or one field of it, from development, with all its records or values.
    ///
    /// Throws for a part that does not exist or that production has, and for records that cannot be deleted
    /// because other records refer to them. The schema is then unchanged, but the records that were deleted
    /// before the error are gone.
    package func deleteFromSchema(
        _ part: SchemaSource.Part, of container: String
    ) async throws -> SchemaComparison {
        let production = try await schema(of: container, in: .production)
        let change = try await changeSchema(of: container, in: .development) { [self] development in
            let rest = try SchemaRules.schema(development, without: part, before: production)
            try await purge([part], of: container, schema: development)
            return rest
        }
        try await purgeStragglers(of: change, in: container)
        try await dropIndexes(of: container, in: .development, notIn: change.new)
        return change
    }

    /// Removes the data of removed parts that was saved after `purge` but before the schema changed, by calls
    /// that had read the old schema.
    func purgeStragglers(of change: SchemaComparison, in container: String) async throws {
        let lost = change.differences.filter { $0.kind == .removed }.map(\.part)
        if !lost.isEmpty { try await purge(lost, of: container, schema: change.old) }
    }

    /// The number of records in development that are of a type, or have a value in a field.
    package func count(_ part: SchemaSource.Part, of container: String) async throws -> Int {
        let schema = try await schema(of: container, in: .development)
        let development = DatabaseSelection(container: container, environment: .development)
        var count = 0
        for key in try context.provider.existing(development) {
            count += try await databases.using(key) { database in
                var found = 0
                try await visit(part, in: database, schema: schema) { found += $0.count }
                return found
            }
        }
        return count
    }

    /// Removes from every development database the data of parts that the schema is about to lose.
    func purge(
        _ parts: [SchemaSource.Part], of container: String, schema: Schema
    ) async throws {
        let development = DatabaseSelection(container: container, environment: .development)
        for key in try context.provider.existing(development) {
            try await databases.using(key) { database in
                for part in parts { try await purge(part, in: database, schema: schema) }
                try await assets.collectReleased(in: database)
            }
        }
    }

    /// Drops the indexes that a schema does not have, in every database of an environment.
    ///
    /// - Returns: the bytes that became free in the public database; nil if that is not known.
    @discardableResult
    func dropIndexes(
        of container: String, in environment: CloudEnvironment, notIn schema: Schema
    ) async throws -> Int64? {
        var freed: Int64?
        for key in try context.provider.existing(
            DatabaseSelection(container: container, environment: environment)
        ) {
            let bytes = try await databases.using(key) { try await $0.records.dropIndexes(notIn: schema) }
            if key.owner == nil { freed = bytes }
        }
        return freed
    }

    /// Opens the public database of an environment, if there is one, before its schema changes. A database
    /// that is opened afterwards drops indexes at once, and then nobody knows what became free.
    func openPublic(of container: String, in environment: CloudEnvironment) async throws {
        let key = DatabaseKey(container: container, environment: environment, owner: nil)
        if context.provider.empty(key) == nil { try await databases.using(key) { _ in } }
    }

    // MARK: Records

    /// Deletes the records or values of a part. Repeats while deletions succeed, because a record that others
    /// referred to may be deletable afterwards.
    private func purge(
        _ part: SchemaSource.Part, in database: OpenDatabase, schema: Schema
    ) async throws {
        while true {
            var (removed, failures) = (0, [RecordError]())
            try await visit(part, in: database, schema: schema) { records in
                for (zone, records) in Dictionary(grouping: records, by: \.id.zone.name) {
                    let operations = records.map(part.removal)
                    let failed = try await remove(operations, in: zone, of: database, schema: schema)
                    failures += failed.filter { $0.code != .notFound }
                    removed += records.count - failed.count
                }
            }
            guard let failure = failures.first else { return }
            if removed == 0 { throw failure }
        }
    }

    /// Commits removals, in halves if the records are too much for one batch. Returns the errors of those
    /// that failed.
    private func remove(
        _ operations: [RecordOperation], in zone: String, of database: OpenDatabase, schema: Schema
    ) async throws -> [RecordError] {
        // An operator's clean-up sends no notifications.
        let batch = WriteBatch(
            zone: zone, operations: operations,
            stamp: Stamp(at: context.runtime.now(), by: Caller.operatorName), schema: schema,
            limits: context.limits,
            mayNotify: { _, _ in false }
        )
        do {
            return try await database.records.commit(batch).compactMap(\.error)
        } catch let error as RecordError where error.code == .limitExceeded && operations.count > 1 {
            let half = operations.count / 2
            let first = try await remove(
                Array(operations[..<half]), in: zone, of: database, schema: schema)
            let second = try await remove(
                Array(operations[half...]), in: zone, of: database, schema: schema)
            return first + second
        }
    }

    /// Calls `work` with the records of a database that have a part, page by page.
    private func visit(
        _ part: SchemaSource.Part, in database: OpenDatabase, schema: Schema,
        _ work: ([StoredRecord]) async throws -> Void
    ) async throws {
        guard let type = part.typeName else { return }
        var plan = QueryPlan(
            recordType: type, zone: nil, limit: context.limits.recordsPerResponse, schema: schema.types[type]
        )
        repeat {
            let page = try await database.records.query(plan)
            let found = try page.records.filter { try part.isFound(in: context.codec.decode($0.fields)) }
            if !found.isEmpty { try await work(found) }
            plan.cursor = page.cursor
        } while plan.cursor != nil
    }
}

extension ItemResult {
    fileprivate var error: RecordError? {
        if case .failure(_, let error) = self { error } else { nil }
    }
}

extension SchemaSource.Part {
    /// The record type of the part; nil for a role.
    fileprivate var typeName: String? {
        switch self {
        case .role: nil
        case .type(let name), .field(_, let name): name
        }
    }

    fileprivate func isFound(in fields: Fields) -> Bool {
        if case .field(let name, _) = self { fields[name] != nil } else { true }
    }

    /// The operation that removes the part from a record: deletes the record or removes its field. The change
    /// tag only ensures that a record that was deleted meanwhile is not created again.
    fileprivate func removal(_ record: StoredRecord) -> RecordOperation {
        guard case .field(let name, _) = self else {
            return RecordOperation(.forceDelete, recordName: record.id.name)
        }
        return RecordOperation(
            .forceUpdate, recordName: record.id.name, changeTag: record.changeTag, removedFields: [name]
        )
    }
}
