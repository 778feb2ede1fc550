import Dispatch
public import Foundation
package import GRDB
public import Records

/// The copy of a person's records on this device, complete without a network.
///
/// Each edit and the note that the server has to be told are one transaction; so are each page of changes
/// that is fetched and the token that belongs to it. Whatever happens to the process, both are there or
/// neither.
///
/// ```swift
/// let replica = try LocalReplica(folder: appData)
/// var note = ReplicaRecord(type: "Note", id: RecordID(name: "n1", zone: "Notes"))
/// note[field: "text"] = "Bring balloons"
/// try await replica.write { try $0.save(note) }
/// let notes = replica.observe { try $0.records(ofType: "Note", in: "Notes") }
/// for try await present in notes { show(present) }
/// ```
///
/// A replica belongs to one person: keep one folder for each.
public final class LocalReplica: Sendable {
    /// Where those who observe are told, one after the other.
    private static let observers = DispatchQueue(label: "replica.observers")

    private let database: any DatabaseWriter
    private let files: ReplicaFiles
    private let culprit: String

    /// Opens the replica in that folder, which is made if it is not there.
    ///
    /// - Throws: `ReplicaError`; `newerVersion` for a file that a newer app has written, which stays so.
    public convenience init(folder: URL) throws {
        try self.init(folder: folder, steps: DiskSteps())
    }

    /// - Parameter steps: How files get to the disk.
    convenience init(folder: URL, steps: DiskSteps) throws {
        let file = folder.appendingPathComponent("replica.sqlite")
        do {
            try DiskSteps.makeFolder(folder)
            let pool = try Self.open(file)
            let files = ReplicaFiles(folder.appendingPathComponent("files", isDirectory: true), steps: steps)
            try self.init(pool, files: files, file.path)
        } catch {
            throw ReplicaError(storage: error, file.path)
        }
    }

    /// A replica in memory, gone with the value; its files are kept in that folder.
    ///
    /// - Throws: `ReplicaError`.
    public convenience init(inMemoryWithFiles files: URL) throws {
        do {
            let files = ReplicaFiles(files, steps: nil)
            try self.init(DatabaseQueue(configuration: Self.configuration), files: files, "the replica")
        } catch {
            throw ReplicaError(storage: error, "the replica")
        }
    }

    private init(_ database: any DatabaseWriter, files: ReplicaFiles, _ culprit: String) throws {
        self.database = database
        self.files = files
        self.culprit = culprit
        let migrator = Migrations.migrator
        if try database.read(migrator.hasBeenSuperseded) {
            throw ReplicaError(
                .newerVersion, culprit, "a newer version of the app has written it",
                nextStep: "update the app on this device")
        }
        try migrator.migrate(database)
    }

    /// A connection to a file with the settings of a replica: durability, page cache, checkpoints.
    package static func open(_ file: URL) throws -> DatabasePool {
        var configuration = Self.configuration
        // A saved edit is on the disk before anybody is told that it is saved.
        // Checkpoints are rare, so that a first sync does not write each page of the tree many times.
        configuration.prepareDatabase { database in
            try database.execute(sql: "PRAGMA synchronous = FULL")
            try database.execute(sql: "PRAGMA wal_autocheckpoint = 10000")
            try database.execute(sql: "PRAGMA cache_size = -16000")
        }
        return try DatabasePool(path: file.path, configuration: configuration)
    }

    private static var configuration: Configuration {
        var configuration = Configuration()
        configuration.busyMode = .timeout(10)
        configuration.foreignKeysEnabled = false
        return configuration
    }

    /// Closes the file; nothing can be read or written after.
    ///
    /// - Throws: `ReplicaError` while somebody still reads.
    public func close() throws {
        do { try database.close() } catch { throw ReplicaError(storage: error, culprit) }
    }

    // MARK: Transactions

    /// Reads one state of the replica.
    ///
    /// - Throws: what `body` throws, and `ReplicaError`.
    public func read<T: Sendable>(
        _ body: @escaping @Sendable (ReplicaReader) throws -> T
    ) async throws -> T {
        let culprit = culprit
        do {
            return try await database.read { try body(ReplicaReader(database: $0)) }
        } catch let error as DatabaseError {
            throw ReplicaError(storage: error, culprit)
        }
    }

    /// Changes the replica in one transaction: all of it happens, or, when `body` throws, nothing. What was
    /// done is on the disk when this returns.
    ///
    /// - Throws: what `body` throws, and `ReplicaError`.
    @discardableResult
    public func write<T: Sendable>(
        _ body: @escaping @Sendable (ReplicaWriter) throws -> T
    ) async throws -> T {
        let (culprit, files) = (culprit, files)
        do {
            return try await database.write { database in
                let before = database.totalChangesCount
                let result = try body(ReplicaWriter(database: database))
                do { try files.flush() } catch { throw ReplicaError(storage: error, culprit) }
                // The engine does not tell of changes in tables without row numbers.
                if database.totalChangesCount != before { try database.notifyChanges(in: Table("record")) }
                return result
            }
        } catch let error as DatabaseError {
            throw ReplicaError(storage: error, culprit)
        }
    }

    /// What `body` reads, now and whenever it may have changed, until the loop is left.
    public func observe<T: Sendable & Equatable>(
        _ body: @escaping @Sendable (ReplicaReader) throws -> T
    ) -> AsyncThrowingStream<T, any Error> {
        let (database, culprit) = (database, culprit)
        return AsyncThrowingStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let observation = ValueObservation.tracking { try body(ReplicaReader(database: $0)) }
                .removeDuplicates()
            let observer = observation.start(
                in: database, scheduling: .async(onQueue: Self.observers),
                onError: { continuation.finish(throwing: ReplicaError(storage: $0, culprit)) },
                onChange: { continuation.yield($0) }
            )
            continuation.onTermination = { _ in observer.cancel() }
        }
    }

    // MARK: Files

    /// Copies a file into the replica, for a field of a record. It is on the disk before the next transaction
    /// is, so that no record ever names a file that a loss of power took.
    ///
    /// - Throws: `ReplicaError` if the file cannot be read or copied.
    public func keepFile(at url: URL) throws -> Asset {
        do {
            return try files.keep(url)
        } catch {
            throw ReplicaError(
                .unreadableFile, url.lastPathComponent, "it cannot be copied (\(error))",
                nextStep: "look whether the file is there and may be read")
        }
    }

    /// Where the file lies, if it is whole on this device. One that is empty or cut short counts as missing;
    /// the next sync fetches it again.
    public func file(of asset: Asset) -> URL? {
        files.place(of: asset)
    }

    /// Removes the files that no record carries; for the start of an app, when nobody is about to save one.
    ///
    /// - Throws: `ReplicaError`.
    public func removeUnusedFiles() async throws {
        files.remove(except: Set(try await read { try $0.assets() }.map(\.fileChecksum)))
    }

    /// The records that are as on the server but for a file that is missing here.
    package func recordsWithMissingFiles() async throws -> [RecordID] {
        let files = files
        return try await read { reader in
            try reader.recordsWithAssets().filter { _, assets in
                assets.contains { files.place(of: $0) == nil }
            }.map(\.id)
        }
    }
}
