public import CloudSync
public import Cloudlet
import Foundation
import GRDB
import LocalReplica
public import ObjectModel
import Synchronization

/// Several stores that are used as one. Each has its own folder, and stays on the device or is mirrored with
/// a database of a container.
///
/// A new object goes into the store of the objects to which it is related, or else into the first store that
/// has its entity. A store with the scope `.private` and one with the scope `.shared` can have the same
/// entities: then reads return the person's own objects together with those that other people share.
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
/// Objects of different stores cannot be related. To refer to an object of another store, keep its name in an
/// attribute.
public final class MirroredStores: Sendable {
    /// The stores in the order of their descriptions.
    public let stores: [MirroredStore]
    /// Why changes of a transaction are missing in some of its stores, after the process ended or the disk
    /// failed while it was committed. Normally empty: opening the stores, or the next call of
    /// `write(author:_:)`, makes the changes.
    public var unfinished: [MirroredStoreError] { problems.withLock { $0 } }

    private let newName: @Sendable () -> String
    /// Called with the name of a store when it has committed its part of a transaction. A test can throw
    /// there to simulate the end of the process.
    private let committed: @Sendable (String) throws -> Void
    /// The IDs of transactions that some stores have committed, and others may not have.
    private let incomplete = Mutex<Set<String>>([])
    private let problems: Mutex<[MirroredStoreError]>

    /// Opens the stores, each in a folder of its name, and creates those that do not exist.
    ///
    /// - Throws: `MirroredStoreError`; with the code `incompatibleModel` if two descriptions have one name,
    ///   or if an entity has different roots in two stores.
    public convenience init(
        folder: URL, _ descriptions: [StoreDescription], settings: MirroredStore.Settings
    ) throws {
        try self.init(folder: folder, descriptions, settings: settings) { _ in }
    }

    package init(
        folder: URL, _ descriptions: [StoreDescription], settings: MirroredStore.Settings,
        committed: @escaping @Sendable (String) throws -> Void
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
        newName = settings.newName
        self.committed = committed
        for store in stores {
            let others = stores.filter { $0 !== store }.map(\.replica)
            store.otherReplicas.withLock { $0 = others }
        }
        do { problems = Mutex(try JointRecovery(stores: stores, isOpening: true).run()) } catch {
            throw MirroredStoreError.translated(error)
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
    /// The changes are on disk when this returns. Each store commits for itself: if the process ends between
    /// two commits, opening the stores again makes the changes that are missing. If the disk fails between
    /// two commits, the call throws, and the next one makes them first. A task that is cancelled before the
    /// call changes nothing; cancelling it later has no effect on the call.
    ///
    /// Other writers wait meanwhile, so write values that arrive often with `MirroredStore.write(author:_:)`
    /// of their own store.
    ///
    /// - Parameter author: the name of the author in the histories.
    /// - Throws: Errors of `body`, `MirroredStoreError`, and `CancellationError`.
    @discardableResult
    public func write<T: Sendable>(
        author: String = "app", _ body: @escaping @Sendable (StoresWriter) throws -> T
    ) async throws -> T {
        try Task.checkCancellation()
        do {
            try finishIncompleteCommits()
            let (result, joint) = try await stores[0].replica.writeWithoutCancellation { writer in
                try self.commit([(writer, self.stores[0].objects(writer))], author, body)
            }
            if let joint { try await end(joint) }
            return result
        } catch { throw MirroredStoreError.translated(error) }
    }

    /// Opens the transactions of the other stores inside that of the first one, so the last store commits
    /// first. All writers open the stores in the same order, which prevents deadlocks.
    private func commit<T>(
        _ open: [(ReplicaWriter, ObjectWriter)], _ author: String, _ body: (StoresWriter) throws -> T
    ) throws -> (T, JointCommit?) {
        guard open.count < stores.count else {
            let result = try body(StoresWriter(stores, open.map(\.1)))
            let changes = try zip(stores, open).map { store, open in
                (store: store.identifier, changes: try open.1.changes(by: author))
            }
            let joint = JointCommit(id: newName, changes.reversed())
            for (store, (writer, objects)) in zip(stores, open) {
                try store.finish(objects, writer, author: author, isImport: false)
                try joint?.note(in: store.identifier, writer)
            }
            return (result, joint)
        }
        let next = stores[open.count]
        let (result, joint) = try next.replica.writeBlocking { writer in
            try commit(open + [(writer, next.objects(writer))], author, body)
        }
        if let joint {
            incomplete.withLock { _ = $0.insert(joint.id) }
            try committed(next.identifier)
        }
        return (result, joint)
    }

    /// Forgets a transaction that all stores have committed. If that fails, the call has succeeded
    /// nevertheless: the other stores have noted the transaction, so nothing makes its changes again.
    private func end(_ joint: JointCommit) async throws {
        try committed(stores[0].identifier)
        incomplete.withLock { _ = $0.remove(joint.id) }
        try? await store(joint.first).replica.writeWithoutCancellation {
            try JointRecovery.forget(joint.id, $0)
        }
    }

    /// Makes the changes that are missing after failed commits. Waits for the commits of other writers.
    private func finishIncompleteCommits() throws {
        let known = incomplete.withLock { $0 }
        if known.isEmpty { return }
        let found = try JointRecovery(stores: stores, isOpening: false).run()
        incomplete.withLock { $0.subtract(known) }
        problems.withLock { problems in
            for problem in found where !problems.contains(problem) { problems.append(problem) }
        }
    }

    /// Returns a snapshot of the objects of all stores as they are now. Later changes do not affect it.
    ///
    /// - Throws: `MirroredStoreError`.
    public func snapshot() throws -> StoresSnapshot {
        StoresSnapshot(snapshots: try stores.map { try $0.snapshot() })
    }

    // MARK: Mirroring

    /// Mirrors all stores, one after the other, until nothing can be done now. Returns the status of each, by
    /// name; stores that stay on this device have none.
    ///
    /// - Throws: `MirroredStoreError`, `ReplicaError`, and `CancellationError`.
    @discardableResult
    public func mirror() async throws -> [String: SyncStatus] {
        var status: [String: SyncStatus] = [:]
        for store in stores { status[store.identifier] = try await store.mirror() }
        return status
    }

    /// Mirrors all stores whenever there is a reason. Returns when the task is cancelled; at once if all
    /// stores stay on this device.
    ///
    /// - Throws: `MirroredStoreError` and `ReplicaError`. Cancellation throws nothing.
    public func run() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for store in stores { group.addTask { try await store.run() } }
            while try await group.next() != nil {}
        }
    }

    // MARK: Sharing

    /// Calls `MirroredStore.share(_:to:)` of the store that contains the first object.
    ///
    /// - Throws: `MirroredStoreError` and `CKError`.
    public func share(
        _ objects: [MirroredObject.ID], to share: CKShare?
    ) async throws -> (Set<MirroredObject.ID>, CKShare, CKContainer) {
        guard let first = objects.first else {
            throw MirroredStoreError(
                .notFound, "the objects", "the list is empty", nextStep: "name at least one")
        }
        return try await store(of: first).share(objects, to: share)
    }

    /// Accepts each invitation into the store with the scope `.shared` of its container.
    ///
    /// - Throws: `CKError`, and `MirroredStoreError` with the code `notShareable` if there is no such store.
    @discardableResult
    public func acceptShareInvitations(from metadata: [CKShare.Metadata]) async throws -> [CKShare.Metadata] {
        let ofContainers = Dictionary(grouping: metadata, by: \.containerIdentifier)
        for (container, metadata) in ofContainers.sorted(by: { $0.key < $1.key }) {
            let shared = stores.first {
                $0.scope == .shared && $0.container?.containerIdentifier == container
            }
            guard let shared else {
                throw MirroredStoreError(
                    .notShareable, container, "no store has the scope .shared and this container",
                    nextStep: "describe one")
            }
            try await shared.acceptShareInvitations(from: metadata)
        }
        return metadata
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
