public import Cloudlet
import ObjectModel

/// Write transactions of several stores, valid only inside the closure that receives them.
public final class StoresWriter {
    private let stores: [MirroredStore]
    private let writers: [ObjectWriter]
    /// The stores that the app has chosen for new objects.
    private var chosen: [MirroredObject.ID: Int] = [:]

    init(_ stores: [MirroredStore], _ writers: [ObjectWriter]) {
        self.stores = stores
        self.writers = writers
    }

    /// A reader that sees the changes of this transaction.
    public var reader: StoresReader { StoresReader(stores: writers.map(\.reader)) }

    /// Creates an object with the default values of its entity, for `save(_:)`.
    ///
    /// - Parameter store: the name of the store for the object. By default `save(_:)` chooses the store of
    ///   the objects to which it is related, or else the first one that has the entity.
    /// - Throws: `MirroredStoreError` with the code `unknownName`.
    public func make(_ entity: String, in store: String? = nil) throws -> MirroredObject {
        let able = stores.indices.filter { stores[$0].layout.entities[entity] != nil }
        guard let first = able.first else { throw StoresReader.unknown(entity) }
        guard let store else { return try writers[first].make(entity) }
        guard let index = able.first(where: { stores[$0].identifier == store }) else {
            throw MirroredStoreError(
                .unknownName, entity, "the store \(store) does not have this entity",
                nextStep: "use one of \(able.map { stores[$0].identifier })")
        }
        let object = try writers[index].make(entity)
        chosen[object.id] = index
        return object
    }

    /// Inserts an object into its store: the one that was chosen, the one of its related objects, or the
    /// first one with its entity. If the object exists, stores the changes that were made to this value.
    ///
    /// - Throws: `MirroredStoreError`; with the code `invalidValue` if it is related to an object of another
    ///   store.
    public func save(_ object: MirroredObject) throws {
        let targets = object.targets.keys.sorted().compactMap(object.target)
        let ends = try targets.compactMap(index)
        guard let index = try index(object.id) ?? chosen[object.id] ?? ends.first ?? first(object.entity)
        else {
            throw StoresReader.unknown(object.entity)
        }
        if let other = ends.first(where: { $0 != index }) { throw crossing(object.id, index, other) }
        try writers[index].save(object)
    }

    /// Saves an object like `save(_:)`, and resets which attributes and relationships were set on the value,
    /// as in `ObjectWriter`.
    ///
    /// - Throws: `MirroredStoreError`; with the code `invalidValue` if it is related to an object of another
    ///   store.
    public func save(_ object: inout MirroredObject) throws {
        try save(object)
        object.wasSaved()
    }

    /// Connects two objects of one store by a relationship.
    ///
    /// - Throws: `MirroredStoreError`.
    public func link(_ id: MirroredObject.ID, _ name: String, _ target: MirroredObject.ID) throws {
        let here = try require(id)
        if let there = try index(target), there != here { throw crossing(id, here, there) }
        try writers[here].link(id, name, target)
    }

    /// Ends the connection of two objects by a relationship.
    ///
    /// - Throws: `MirroredStoreError`.
    public func unlink(_ id: MirroredObject.ID, _ name: String, _ target: MirroredObject.ID) throws {
        try writers[try require(id)].unlink(id, name, target)
    }

    /// Deletes an object, and applies the delete rules of its relationships. Deleting a missing object has no
    /// effect.
    ///
    /// - Throws: `MirroredStoreError` with the code `deletionDenied`.
    public func delete(_ id: MirroredObject.ID) throws {
        if let index = try index(id) { try writers[index].delete(id) }
    }

    /// Puts a new object into a share, as `ObjectWriter.assign(_:to:)` does.
    ///
    /// - Throws: `MirroredStoreError` with the code `notFound`.
    public func assign(_ id: MirroredObject.ID, to share: CKShare) throws {
        writers[try require(id)].assign(id, to: share)
    }

    /// The index of the store that contains an object.
    private func index(_ id: MirroredObject.ID) throws -> Int? {
        try stores.indices.first {
            try stores[$0].layout.roots.contains(id.root) && writers[$0].graph.has(id)
        }
    }

    private func first(_ entity: String) -> Int? {
        stores.indices.first { stores[$0].layout.entities[entity] != nil }
    }

    private func require(_ id: MirroredObject.ID) throws -> Int {
        if let index = try index(id) { return index }
        throw MirroredStoreError(
            .notFound, "\(id.root) \(id.name)", "the object does not exist", nextStep: "save it first")
    }

    private func crossing(_ id: MirroredObject.ID, _ here: Int, _ there: Int) -> MirroredStoreError {
        MirroredStoreError(
            .invalidValue, "\(id.root) \(id.name)",
            "it is in the store \(stores[here].identifier), and the object to which it is related in "
                + stores[there].identifier,
            nextStep: "keep the other object's name in an attribute, or create the object in that store")
    }
}
