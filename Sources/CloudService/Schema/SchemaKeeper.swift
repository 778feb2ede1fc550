// Owns the schemas in use: read once, grown one save at a time, on disk before anything relies on them.

import RecordStore
import Records

/// Keeps the schema of each container and environment.
actor SchemaKeeper {
    struct Place: Hashable {
        var container: String
        var environment: CloudEnvironment
    }

    private let directory: any Directory
    private var schemas: [Place: Schema] = [:]
    /// Growths go one by one: each sees what the one before wrote.
    private var isGrowing = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(directory: any Directory) {
        self.directory = directory
    }

    /// The present schema.
    func schema(of place: Place) async throws -> Schema {
        if let schema = schemas[place] { return schema }
        let schema = try await directory.schema(of: place.container, in: place.environment)
        // Another call may have read or grown it meanwhile; what is kept is never older than what was read.
        if let present = schemas[place] { return present }
        schemas[place] = schema
        return schema
    }

    /// Forgets what was read of a container that is removed.
    func forget(_ container: String) {
        schemas = schemas.filter { $0.key.container != container }
    }

    /// Adds the types and fields that a growth found, to what others may have added meanwhile.
    ///
    /// Throws `tryAgainLater` when two saves at once gave one new field different types; the later one then
    /// finds the type settled.
    func add(_ growth: SchemaGrowth, to place: Place) async throws -> Schema {
        await begin()
        defer { end() }
        var schema = try await schema(of: place)
        var changed: [TypeSchema] = []
        for name in growth.grown.sorted() {
            guard let grown = growth.schema.types[name] else { continue }
            let type = try Self.joined(grown, with: schema.types[name])
            if type == schema.types[name] { continue }
            schema.types[name] = type
            changed.append(type)
        }
        if changed.isEmpty { return schema }
        try await directory.save(changed, of: place.container, in: place.environment)
        schemas[place] = schema
        return schema
    }

    private static func joined(
        _ grown: TypeSchema, with known: TypeSchema?
    ) throws(RecordError) -> TypeSchema {
        var type = known ?? TypeSchema(name: grown.name)
        for (fieldName, field) in grown.fields {
            if let known = type.fields[fieldName], known.type != field.type {
                throw RecordError(
                    .tryAgainLater,
                    "the type of field '\(fieldName)' was settled by another save just now",
                    culprit: fieldName,
                    nextStep: "try again; if it is refused, send \(known.type.name)", retryAfter: 1
                )
            }
            type.fields[fieldName] = type.fields[fieldName] ?? field
        }
        return type
    }

    private func begin() async {
        if isGrowing {
            await withCheckedContinuation { waiting.append($0) }
        } else {
            isGrowing = true
        }
    }

    /// Hands the turn to the next who waits, if there is one.
    private func end() {
        if waiting.isEmpty { isGrowing = false } else { waiting.removeFirst().resume() }
    }
}
