public import CloudSync
public import Cloudlet
public import Foundation
import GRDB
public import LocalReplica
public import ObjectModel
import Records
import Synchronization

/// Objects with relationships in SQLite, which are mirrored with a CloudKit database: by default the person's
/// private database.
///
/// ```swift
/// let store = try MirroredStore(folder: appData, layout: layout, container: container, settings: settings)
/// try await store.write { objects in
///     var post = try objects.make("Post")
///     try post.set("title", to: "Balloons")
///     try objects.save(post)
/// }
/// try await store.run()               // mirrors until the task is cancelled
/// ```
///
/// The objects are in the database of a `LocalReplica`, and a `CloudSync` synchronizes its records. So an
/// object, its record, and the record's entry in the outbox change in one transaction, and a crash leaves all
/// of them or none. Conflicts are resolved by attribute: the value that reaches the server last wins.
public final class MirroredStore: Sendable {
    /// The settings of a store.
    public struct Settings: Sendable {
        /// Returns the current time.
        public var now: @Sendable () -> Date
        /// Returns the name of a new object: a UUID.
        public var newName: @Sendable () -> String
        /// Waits for a duration. Throws `CancellationError`.
        public var pause: @Sendable (Duration) async throws -> Void
        /// The length above which a text or binary data becomes an asset, in bytes.
        public var longValue = 750_000
        /// The bytes of fields in a record above which the longest values become assets.
        public var recordBytes = 1_000_000
        /// The maximum number of records in a batch that is sent, and in a transaction of an import.
        public var batchSize = 200
        /// Whether the server announces changes by silent pushes.
        public var subscribes = true
        /// Whether `run()` receives the pushes. With false, the app passes the pushes that it receives to
        /// `MirroredStore.receive(_:)`.
        public var receivesPushes = true
        /// The time between two fetches of a running store of the public database, in seconds.
        public var pollInterval: TimeInterval = 1800
        /// How long the history is kept, in seconds. Older transactions are deleted when the store is opened.
        public var historyAge: TimeInterval = 30 * 86_400
        /// The app's rules for an object besides those of the model: an error that it throws rolls the
        /// transaction back. Changes of other devices are not checked.
        public var check: @Sendable (MirroredObject) throws -> Void = { _ in }
        /// Called with each new status of the sync.
        public var report: @Sendable (SyncStatus) -> Void = { _ in }

        /// Creates settings. The clock, the names and the waiting are parameters, so that a test can repeat a
        /// run.
        ///
        /// - Parameter newName: the names of new objects; by default those of new record IDs: UUIDs.
        public init(
            now: @escaping @Sendable () -> Date,
            newName: @escaping @Sendable () -> String = { CKRecord.ID().recordName },
            pause: @escaping @Sendable (Duration) async throws -> Void
        ) {
            self.now = now
            self.newName = newName
            self.pause = pause
        }
    }

    /// The store's name: that of its folder.
    public let identifier: String
    /// The entities of the store.
    public let layout: StoreLayout
    let settings: Settings
    /// The records of the objects with their pending changes, for reading. Objects are changed by `write`.
    public let replica: LocalReplica
    let translation: RecordTranslation
    /// The sync of the records, for its status and changes of the account; nil for a store that stays on this
    /// device, or is mirrored with the public database. It stores most fetched records as objects; `mirror()`
    /// and `run()` also store those whose files arrive later, and repair relationships.
    public let sync: CloudSync?
    /// The container with which the store is mirrored; nil for a store that stays on this device.
    public let container: CKContainer?
    /// The database with which the store is mirrored; nil for a store that stays on this device.
    public let scope: CKDatabase.Scope?
    let fetchNumbers = FetchNumbers()
    /// The statuses of the sync, while the store runs.
    let reports: StatusReports
    /// The import of fetched pages.
    let pageImports: PageImports
    /// The replicas of the other stores in the same `MirroredStores`.
    let otherReplicas = Mutex<[LocalReplica]>([])

    /// Opens the store in a folder, and creates the folder if necessary. Attributes that are new in the
    /// layout are added to the file, and filled from the records.
    ///
    /// - Parameters:
    ///   - container: the container with whose database the store is mirrored; nil: the objects stay on this
    ///     device.
    ///   - scope: the database: with `.shared` the store contains the objects that other people share with
    ///     the person, with `.public` those of everybody.
    /// - Throws: `MirroredStoreError`; with the code `newerVersion` if a newer version of the app has written
    ///   the file, and with `damaged` if the file cannot be read as a database.
    public init(
        folder: URL, layout: StoreLayout, container: CKContainer?, scope: CKDatabase.Scope = .private,
        settings: Settings
    ) throws {
        identifier = folder.lastPathComponent
        if container != nil { try layout.checkMirroring(isPublic: scope == .public) }
        self.layout = layout
        self.settings = settings
        self.container = container
        translation = RecordTranslation(
            layout: layout, longValue: settings.longValue, recordBytes: settings.recordBytes,
            secret: container.map {
                OwnerSecret(key: $0.connection.encryptionKey, container: $0.containerIdentifier ?? "")
            })
        let replica: LocalReplica
        do {
            replica = try LocalReplica(folder: folder) { BookkeepingTables.register(in: &$0) }
            try replica.writeBlocking { writer in
                let graph = Graph(database: writer.database, layout: layout)
                let changed = try graph.makeTables()
                let isNewLayout = try graph.storeFingerprint()
                if container != nil { try graph.queueImports(of: changed, withRefused: isNewLayout) }
                let oldest = settings.now().addingTimeInterval(-settings.historyAge)
                try graph.deleteHistory(before: oldest)
                try writer.holdAgain()
            }
        } catch {
            throw MirroredStoreError.translated(error)
        }
        self.replica = replica
        self.scope = container == nil ? nil : scope
        let (reports, pageImports) = (StatusReports(), PageImports())
        (self.reports, self.pageImports) = (reports, pageImports)
        if let container, scope != .public {
            sync = Self.sync(with: container, scope == .shared ? .shared : .private, of: replica, settings) {
                $0.preparesImport = { try pageImports.prepare($1, $0) }
                $0.imports = { try pageImports.importPage($1, $0) }
                $0.report = {
                    reports.send($0)
                    settings.report($0)
                }
            }
        } else {
            sync = nil
        }
        pageImports.open(self)
    }

    private static func sync(
        with container: CKContainer, _ scope: SyncScope, of replica: LocalReplica, _ settings: Settings,
        change: (inout SyncConfiguration) -> Void
    ) -> CloudSync {
        var configuration = SyncConfiguration(
            zones: [ObjectZone.home.name], now: settings.now, pause: settings.pause)
        configuration.policy.standard = .lastWriter
        configuration.batchSize = settings.batchSize
        configuration.follows = ObjectZone.isMirrored
        configuration.subscribes = settings.subscribes
        configuration.receivesPushes = settings.receivesPushes
        change(&configuration)
        return CloudSync(container: container, replica: replica, scope: scope, configuration: configuration)
    }

    /// Closes the database. No reads or writes are possible afterwards.
    ///
    /// - Throws: `MirroredStoreError` if a read is still running.
    public func close() throws {
        do { try replica.close() } catch { throw MirroredStoreError.translated(error) }
    }

    /// Removes the files of long values to which no record refers any more. Call it when the app starts,
    /// while nothing is being changed.
    ///
    /// - Throws: `MirroredStoreError`.
    public func removeUnusedFiles() async throws {
        do { try await replica.removeUnusedFiles() } catch { throw MirroredStoreError.translated(error) }
    }

    /// Reads a consistent snapshot of the objects.
    ///
    /// - Throws: Errors of `body`, and `MirroredStoreError`.
    public func read<T: Sendable>(
        _ body: @escaping @Sendable (ObjectReader) throws -> T
    ) async throws -> T {
        let layout = layout
        do {
            return try await replica.read { reader in
                try body(ObjectReader(graph: Graph(database: reader.database, layout: layout)))
            }
        } catch { throw MirroredStoreError.translated(error) }
    }

    /// Changes objects in one transaction, which is rolled back if `body` throws or a changed object breaks a
    /// rule of the model. The changes are on disk when this returns.
    ///
    /// - Parameter author: the name of the author in the history.
    /// - Throws: Errors of `body`, and `MirroredStoreError`.
    @discardableResult
    public func write<T: Sendable>(
        author: String = "app", _ body: @escaping @Sendable (ObjectWriter) throws -> T
    ) async throws -> T {
        do {
            return try await replica.write { writer in
                try self.commit(writer, author: author, isImport: false, body)
            }
        } catch { throw MirroredStoreError.translated(error) }
    }

    func commit<T>(
        _ writer: ReplicaWriter, author: String, isImport: Bool, _ body: (ObjectWriter) throws -> T
    ) throws -> T {
        let objects = objects(writer)
        let result = try body(objects)
        try finish(objects, writer, author: author, isImport: isImport)
        return result
    }

    /// A writer for a transaction.
    func objects(_ writer: ReplicaWriter) -> ObjectWriter {
        ObjectWriter(graph: Graph(database: writer.database, layout: layout), newName: settings.newName)
    }

    /// Ends a transaction.
    ///
    /// - Parameter isChecked: whether the objects were checked before.
    func finish(
        _ objects: ObjectWriter, _ writer: ReplicaWriter, author: String, isImport: Bool,
        isChecked: Bool = false
    ) throws {
        try objects.finish(
            ObjectWriter.Commit(
                writer: writer, translation: translation, author: author, now: settings.now(),
                isImport: isImport, scope: scope, files: replica, check: isChecked ? nil : settings.check))
    }

    /// Returns the result of `body` now, and again after each transaction that changes it, until the loop
    /// ends.
    public func observe<T: Sendable & Equatable>(
        _ body: @escaping @Sendable (ObjectReader) throws -> T
    ) -> AsyncThrowingStream<T, any Error> {
        let layout = layout
        return replica.observe { reader in
            try body(ObjectReader(graph: Graph(database: reader.database, layout: layout)))
        }
    }

    /// Returns a snapshot of the objects as they are now. Later changes and imports do not affect it.
    ///
    /// - Throws: `MirroredStoreError`.
    public func snapshot() throws -> MirroredSnapshot {
        do { return try MirroredSnapshot(replica.database, layout) } catch {
            throw MirroredStoreError.translated(error)
        }
    }
}

/// The objects of a store at one moment, for a user interface that reads them in several steps.
public final class MirroredSnapshot: Sendable {
    let snapshot: any DatabaseReader
    let layout: StoreLayout

    init(_ database: any DatabaseWriter, _ layout: StoreLayout) throws {
        guard let pool = database as? DatabasePool else {
            throw MirroredStoreError(
                .storage, "the store", "a store in memory has no snapshots", nextStep: "use a folder")
        }
        snapshot = try pool.makeSnapshot()
        self.layout = layout
    }

    /// Reads the objects of the snapshot.
    ///
    /// - Throws: Errors of `body`, and `MirroredStoreError`.
    public func read<T: Sendable>(
        _ body: @escaping @Sendable (ObjectReader) throws -> T
    ) async throws -> T {
        let layout = layout
        do {
            return try await snapshot.read {
                try body(ObjectReader(graph: Graph(database: $0, layout: layout)))
            }
        } catch { throw MirroredStoreError.translated(error) }
    }
}

extension Graph {
    /// Queues the records of these root entities for another import.
    ///
    /// - Parameter withRefused: whether to queue the records that an earlier model refused, too.
    fileprivate func queueImports(of roots: [String], withRefused: Bool) throws {
        if roots.isEmpty && !withRefused { return }
        let types = roots.map { "CD_\($0)" }
        let marks = types.map { _ in "?" }.joined(separator: ", ")
        let refused = withRefused ? "name IN (SELECT name FROM mirrored_refusal)" : "0"
        try database.execute(
            sql: """
                INSERT OR IGNORE INTO mirrored_queue (zone, name, type)
                SELECT zone, name, type
                FROM record
                WHERE fields IS NOT NULL AND (type IN (\(marks)) OR \(refused))
                """,
            arguments: StatementArguments(types))
    }

    /// Stores the fingerprint of the layout. Returns false if the store was opened with the same one before.
    fileprivate func storeFingerprint() throws -> Bool {
        let present = layout.fingerprint
        let known = try String.fetchOne(database, sql: "SELECT fingerprint FROM mirrored_layout")
        if known == present { return false }
        try database.execute(sql: "DELETE FROM mirrored_layout")
        try database.execute(sql: "INSERT INTO mirrored_layout VALUES (?)", arguments: [present])
        return true
    }
}
