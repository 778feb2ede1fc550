import CloudService
import Records

/// The indexes that a change of a schema drops, for its review.
struct DroppedIndexes: Sendable {
    private let fields: [(type: TypeSchema, field: String, kept: IndexSet)]

    init(_ change: SchemaComparison) {
        var fields: [(type: TypeSchema, field: String, kept: IndexSet)] = []
        for (name, type) in change.old.types {
            let names = type.fields.map(\.key) + SystemField.inSchemas.map(\.wireName)
            for field in names {
                let kept = change.new.types[name]?.allIndexes(of: field) ?? []
                if !type.allIndexes(of: field).isSubset(of: kept) { fields.append((type, field, kept)) }
            }
        }
        self.fields = fields
    }

    /// A sentence that says what the public database frees; nil if no index is dropped.
    func review(_ request: ScreenRequest, _ environment: CloudEnvironment) async throws -> String? {
        if fields.isEmpty { return nil }
        let place = try request.container()
        let names = Set(fields.map(\.type.name)).sorted { $0.precedesInBytes($1) }
        let unknown = "It drops indexes; how much space that frees is not known."
        guard names.count <= Self.typeCount,
            let spaces = try await request.service.containers.publicSpace(
                ofTypes: names, in: place.container, environment)
        else { return unknown }
        var freed = SpaceFigure(0)
        for (type, field, kept) in fields {
            guard let bytes = (spaces[type.name] ?? TypeSpace()).freed(keeping: kept, of: field, in: type)
            else { return unknown }
            freed = freed + bytes
        }
        return "It drops indexes, which frees \(freed.bytesText) in the public database."
    }

    /// The maximum number of types whose space is measured for a review.
    private static let typeCount = 50
}
