public import CloudSync
public import Cloudlet
import Foundation
import GRDB
import LocalReplica
import ObjectModel

/// Several stores behind one object: each has a folder of its own, and stays on the device or is mirrored
/// with a database of a container.
///
/// A new object goes into the first store that has its entity, or into that of the objects to which it is
/// related. The same entities may be in a store with the scope `.private` and in one with the scope
/// `.shared`: then reads return the person's own objects together with those that other people share.
///
/// ```swift
/// let stores = try MirroredStores(folder: appData, [cloud, shared, local], settings: settings)
/// try await stores.write { objects in
///     var post = try objects.make("Post")             // in "cloud"
///     try objects.save(post)
///     try objects.save(try objects.make("Place"))     // in "local"
/// }
/// try await stores.run()
/// ```
///
/// Objects of two stores have no relationships. To refer from one store to another, keep the name of the
/// object in an attribute.
public final class MirroredStores: Sendable {
    /// The stores in the order of their descriptions.
    public let stores: [MirroredStore]

    /// Opens the stores, each in a folder of its name, and creates those that do not exist.
    ///
    /// - Throws: `MirroredStoreError`; with the code `incompatibleModel` if two descriptions have one name,
    ///   or if an entity has different roots in two stores.
    public init(
        folder: URL, _ descriptions: [StoreDescription], settings: MirroredStore.Settings
    ) throws {
        guard !descriptions.isEmpty, Set(descriptions.map(\.name)).count == descriptions.count else {
            throw MirroredStoreError(
                .incompatibleModel, "the stores", "there is none, or two have the same name",
                nextStep: "describe each store once")
        }
        stores = try descriptions.map { description in
            var settings = settings
            settings.check = description.check
            return try MirroredStore(
                folder: folder.appendingPathComponent(description.name), layout: description.layout,
                container: description.container, scope: description.scope, settings: settings)
        }
        var roots: [String: String] = [:]
        for store in stores {
            for entity in store.layout.entities.values {
                guard roots.updateValue(entity.root, forKey: entity.name) ?? entity.root == entity.root else {
                    throw MirroredStoreError(
                        .incompatibleModel, entity.name, "it inherits from different entities in two stores",
                        nextStep: "make the configurations of one model")
                }
            }
        }
    }

    /// The store with this name.
    ///
    /// - Throws: `MirroredStoreError` with the code `unknownName`.
    public func store(_ name: String) throws -> MirroredStore {
        if let store = stores.first(where: { $0.identifier == name }) { return store }
        throw MirroredStoreError(
            .unknownName, name, "there is no such store", nextStep: "use one of \(stores.map(\.identifier))")
    }

    /// The store that contains an object.
    ///
    /// - Throws: `MirroredStoreError` with the code `notFound`.
    public func store(of id: MirroredObject.ID) async throws -> MirroredStore {
        for store in stores where store.layout.roots.contains(id.root) {
            if try await store.read({ try $0.object(id) != nil }) { return store }
        }
        throw MirroredStoreError(
            .notFound, "\(id.root) \(id.name)", "no store has this object", nextStep: "save it first")
    }

    /// Closes all stores.
    ///
    /// - Throws: `MirroredStoreError` if a read is still running.
    public func close() throws {
        for store in stores { try store.close() }
    }

    // MARK: Transactions

    /// Reads a consistent snapshot of each store.
    ///
    /// - Throws: Errors of `body`, and `MirroredStoreError`.
    public func read<T: Sendable>(
        _ body: @escaping @Sendable (StoresReader) throws -> T
    ) async throws -> T {
        try await Self.read(stores.map { ($0.replica.database, $0.layout) }, body)
    }

    static func read<T: Sendable>(
        _ databases: [(any DatabaseReader, StoreLayout)],
        _ body: @escaping @Sendable (StoresReader) throws -> T
    ) async throws -> T {
        @Sendable func read(
            _ rest: ArraySlice<(any DatabaseReader, StoreLayout)>, _ open: [Graph]
        ) throws -> T {
            guard let (next, layout) = rest.first else {
                return try body(StoresReader(stores: open.map { ObjectReader(graph: $0) }))
            }
            return try next.read { database in
                try read(rest.dropFirst(), open + [Graph(database: database, layout: layout)])
            }
        }
        let (first, layout) = databases[0]
        do {
            return try await first.read { database in
                try read(databases.dropFirst(), [Graph(database: database, layout: layout)])
            }
        } catch { throw MirroredStoreError.translated(error) }
    }

    /// Changes objects of all stores. If `body` throws, or an object breaks a rule, no store is changed.
    ///
    /// Each store commits for itself: if the process ends between two commits, some stores have the changes
    /// and others do not. Other writers wait meanwhile, so write values that arrive often with
    /// `MirroredStore.write(author:_:)` of their own store.
    ///
    /// - Parameter author: the name of the author in the histories.
    /// - Throws: Errors of `body`, and `MirroredStoreError`.
    @discardableResult
    public func write<T: Sendable>(
        author: String = "app", _ body: @escaping @Sendable (StoresWriter) throws -> T
    ) async throws -> T {
        let stores = stores
        // All writers take the stores in the same order, so that no two wait for each other.
        @Sendable func write(_ open: [(ReplicaWriter, ObjectWriter)]) throws -> T {
            guard open.count < stores.count else {
                let result = try body(StoresWriter(stores, open.map(\.1)))
                for (store, (writer, objects)) in zip(stores, open) {
                    try store.finish(objects, writer, author: author, isImport: false)
                }
                return result
            }
            let next = stores[open.count]
            return try next.replica.writeBlocking { try write(open + [($0, next.objects($0))]) }
        }
        do {
            return try await stores[0].replica.write { try write([($0, stores[0].objects($0))]) }
        } catch { throw MirroredStoreError.translated(error) }
    }

    /// Returns the objects of all stores as they are now. The snapshot does not change while imports go on.
    ///
    /// - Throws: `MirroredStoreError`.
    public func snapshot() throws -> StoresSnapshot {
        StoresSnapshot(snapshots: try stores.map { try $0.snapshot() })
    }

    // MARK: Mirroring

    /// Mirrors all stores until nothing remains to be done now. Returns the status of each, by name; stores
    /// that stay on this device have none.
    ///
    /// - Throws: `MirroredStoreError`, `ReplicaError`, and `CancellationError`.
    @discardableResult
    public func mirror() async throws -> [String: SyncStatus] {
        var status: [String: SyncStatus] = [:]
        for store in stores { status[store.identifier] = try await store.mirror() }
        return status
    }

    /// Mirrors all stores whenever there is a reason. Returns only if the task is cancelled.
    ///
    /// - Throws: `MirroredStoreError` and `ReplicaError`. Cancellation throws nothing.
    public func run() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for store in stores { group.addTask { try await store.run() } }
            while try await group.next() != nil {}
        }
    }

    // MARK: Sharing

    /// Does `MirroredStore.share(_:to:)` in the store of the objects.
    ///
    /// - Throws: `MirroredStoreError` and `CKError`.
    public func share(
        _ objects: [MirroredObject.ID], to share: CKShare?
    ) async throws -> (Set<MirroredObject.ID>, CKShare, CKContainer) {
        guard let first = objects.first else {
            throw MirroredStoreError(
                .notFound, "the objects", "there is none to share", nextStep: "name at least one")
        }
        return try await store(of: first).share(objects, to: share)
    }

    /// Accepts invitations into the first store with the scope `.shared`.
    ///
    /// - Throws: `CKError`, and `MirroredStoreError` with the code `notShareable` if there is no such store.
    @discardableResult
    public func acceptShareInvitations(from metadata: [CKShare.Metadata]) async throws -> [CKShare.Metadata] {
        try await (stores.first { $0.scope == .shared } ?? stores[0]).acceptShareInvitations(from: metadata)
    }

    /// The shares to which objects of any store belong, by object.
    ///
    /// - Throws: `MirroredStoreError`.
    public func fetchShares(
        matching objects: [MirroredObject.ID]
    ) async throws -> [MirroredObject.ID: CKShare] {
        var shares: [MirroredObject.ID: CKShare] = [:]
        for store in stores {
            shares.merge(try await store.fetchShares(matching: objects)) { first, _ in first }
        }
        return shares
    }

    /// Whether the person may change an object.
    ///
    /// - Throws: `MirroredStoreError`.
    public func canUpdateRecord(forManagedObjectWith id: MirroredObject.ID) async throws -> Bool {
        try await store(of: id).canUpdateRecord(forManagedObjectWith: id)
    }

    /// Whether the person may delete an object.
    ///
    /// - Throws: `MirroredStoreError`.
    public func canDeleteRecord(forManagedObjectWith id: MirroredObject.ID) async throws -> Bool {
        try await store(of: id).canDeleteRecord(forManagedObjectWith: id)
    }
}

/// The objects of several stores at one moment, for a user interface that reads them in several steps.
public struct StoresSnapshot: Sendable {
    let snapshots: [MirroredSnapshot]

    /// Reads the objects of the snapshot.
    ///
    /// - Throws: Errors of `body`, and `MirroredStoreError`.
    public func read<T: Sendable>(
        _ body: @escaping @Sendable (StoresReader) throws -> T
    ) async throws -> T {
        try await MirroredStores.read(snapshots.map { ($0.snapshot, $0.layout) }, body)
    }
}
