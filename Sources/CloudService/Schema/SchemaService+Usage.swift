import RecordStore
package import Records

extension SchemaService {
    /// Compares a schema with the saves and queries in a container since the server started, and returns the
    /// types, fields and indexes that it lacks.
    ///
    /// Throws `notFound` when nothing was saved or queried, and `accessDenied` on servers that are not open,
    /// since those keep no log.
    package func gaps(
        in schema: Schema, of container: String, in environment: CloudEnvironment
    ) async throws -> SchemaGaps {
        guard context.isOpen else {
            throw RecordError(
                .accessDenied, "only open servers log saves and queries",
                culprit: container, nextStep: "use an open server: cloudlet exec --schema FILE -- swift test"
            )
        }
        let real = try await self.schema(of: container, in: environment)
        let place = ContainerKey(container: container, environment: environment)
        let usage = usageLog.usage(in: place)
        if usage.isEmpty {
            throw RecordError(
                .notFound, "nothing was saved or queried in \(container) since the server started",
                culprit: container,
                nextStep: "run the app's tests against it: cloudlet exec --schema FILE -- swift test"
            )
        }
        return try await computing(for: container) {
            var schema = schema
            schema.types.merge(Schema.initial.types) { known, _ in known }
            return usage.gaps(in: schema, real: real)
        }
    }
}
