import ObjectModel
public import Records

/// Consistent snapshots of several stores, valid only inside the closure that receives them.
public struct StoresReader {
    let stores: [ObjectReader]

    /// The object with this ID; nil if no store has it.
    ///
    /// - Throws: `MirroredStoreError`.
    public func object(_ id: MirroredObject.ID) throws -> MirroredObject? {
        try reader(of: id)?.object(id)
    }

    /// The objects of an entity and of those that inherit from it, store by store.
    ///
    /// - Parameters:
    ///   - condition: SQL, as in `ObjectReader.objects(_:where:_:order:)`.
    ///   - arguments: the values for the question marks of the condition.
    ///   - order: SQL, the order within each store; by default the objects' names.
    /// - Throws: `MirroredStoreError` with the code `unknownName` if no store has the entity.
    public func objects(
        _ entity: String, where condition: String = "1", _ arguments: [FieldValue] = [], order: String = "id"
    ) throws -> [MirroredObject] {
        let able = stores.filter { $0.graph.layout.entities[entity] != nil }
        guard !able.isEmpty else { throw Self.unknown(entity) }
        return try able.flatMap { try $0.objects(entity, where: condition, arguments, order: order) }
    }

    /// The objects at the other end of a relationship, sorted by name.
    ///
    /// - Throws: `MirroredStoreError`.
    public func related(_ id: MirroredObject.ID, _ name: String) throws -> [MirroredObject] {
        try reader(of: id)?.related(id, name) ?? []
    }

    private func reader(of id: MirroredObject.ID) throws -> ObjectReader? {
        try stores.first { try $0.graph.layout.roots.contains(id.root) && $0.graph.has(id) }
    }

    static func unknown(_ entity: String) -> MirroredStoreError {
        MirroredStoreError(
            .unknownName, entity, "no store has this entity",
            nextStep: "add it to the configuration of a store")
    }
}
