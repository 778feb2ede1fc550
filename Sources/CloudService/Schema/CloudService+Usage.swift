import RecordStore
package import Records
import Synchronization

extension CloudService {
    /// What a schema lacks of what was saved and asked for in a container since the server started.
    ///
    /// Throws `notFound` when nothing was, and `accessDenied` on servers that are not for development: they
    /// do not remember it.
    package func gaps(
        in schema: Schema, of container: String, in environment: CloudEnvironment
    ) async throws -> SchemaGaps {
        guard isOpen else {
            throw RecordError(
                .accessDenied, "only servers for development remember what was saved and asked for",
                culprit: container, nextStep: "use one: cloudlet exec --schema FILE -- swift test"
            )
        }
        let real = try await self.schema(of: container, in: environment)
        let place = SchemaCache.Place(container: container, environment: environment)
        let usage = usage.withLock { $0[place] ?? SchemaUsage() }
        if usage.isEmpty {
            throw RecordError(
                .notFound, "nothing was saved or asked for in \(container) since the server started",
                culprit: container,
                nextStep: "run an app's tests against it: cloudlet exec --schema FILE -- swift test"
            )
        }
        var schema = schema
        schema.types.merge(Schema.initial.types) { known, _ in known }
        return usage.gaps(in: schema, real: real)
    }

    /// Remembers the saves of a batch that succeeded.
    func note(_ operations: [RecordOperation], _ results: [ItemResult], by caller: Caller) {
        if !isOpen { return }
        let saves = zip(operations, results).lazy.compactMap { operation, result in
            if case .record(let record) = result {
                (type: record.type, fields: operation.fields)
            } else {
                nil
            }
        }
        usage.withLock { $0[SchemaCache.Place(caller), default: SchemaUsage()].note(saves) }
    }

    /// Remembers a query that was answered.
    func note(_ query: Query, by caller: Caller) {
        if !isOpen { return }
        usage.withLock { $0[SchemaCache.Place(caller), default: SchemaUsage()].note(query) }
    }
}
