public import Foundation
package import GRDB
public import Records

/// A person's records on this device, in an SQLite database that works without a network.
///
/// An edit and its outbox entry are one transaction. So are a fetched page of changes and its change token. A
/// crash therefore leaves both or neither.
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
/// A replica belongs to one person, and contains the records of one database: the private or the shared one.
/// Use one folder for each. Other users of the machine can read neither the database nor the files.
public final class LocalReplica: Sendable {
    package let database: any DatabaseWriter
    private let files: ReplicaFiles
    /// Brings transactions to the disk that were not flushed; nil for a replica in memory.
    private let log: CommitLog?
    let culprit: String
    let observations: ReplicaObservations
    private let gate = ReadGate()

    /// Opens the replica in a folder, and creates the folder if necessary.
    ///
    /// - Throws: `ReplicaError`; with the code `newerVersion` if a newer version of the app has written the
    ///   file, which then stays unchanged.
    public convenience init(folder: URL) throws {
        try self.init(folder: folder, fileSystem: FileSystemCalls())
    }

    /// Opens the replica in a folder, with additional tables in its database that can change in the same
    /// transactions as the records.
    ///
    /// - Parameter extend: Registers the migrations that create the tables. Their titles differ from those of
    ///   the replica.
    /// - Throws: `ReplicaError`.
    package convenience init(
        folder: URL, extend: (inout DatabaseMigrator) -> Void
    ) throws {
        var migrator = ReplicaMigrations.migrator
        extend(&migrator)
        try self.init(folder: folder, fileSystem: FileSystemCalls(), migrator: migrator)
    }

    /// - Parameter fileSystem: The file system calls, replaceable in tests.
    convenience init(
        folder: URL, fileSystem: FileSystemCalls, migrator: DatabaseMigrator = ReplicaMigrations.migrator
    ) throws {
        let file = folder.appendingPathComponent("replica.sqlite")
        do {
            try FileSystemCalls.makeFolder(folder)
            let files = folder.appendingPathComponent("files", isDirectory: true)
            FileSystemCalls.restrictAccess(toDatabase: file, files: files)
            let pool = try Self.open(file)
            try self.init(
                pool, files: ReplicaFiles(files, fileSystem: fileSystem),
                CommitLog(of: file, fileSystem: fileSystem), file.path, migrator)
        } catch {
            throw ReplicaError(storage: error, file.path)
        }
    }

    /// Creates a replica in memory. Its files are stored in a folder.
    ///
    /// - Throws: `ReplicaError`.
    public convenience init(inMemoryWithFiles files: URL) throws {
        do {
            let files = ReplicaFiles(files, fileSystem: nil)
            let queue = try DatabaseQueue(configuration: Self.configuration)
            try self.init(queue, files: files, nil, "the replica")
        } catch {
            throw ReplicaError(storage: error, "the replica")
        }
    }

    private init(
        _ database: any DatabaseWriter, files: ReplicaFiles, _ log: CommitLog?, _ culprit: String,
        _ migrator: DatabaseMigrator = ReplicaMigrations.migrator
    ) throws {
        self.database = database
        observations = ReplicaObservations(of: database, gate)
        self.files = files
        self.log = log
        self.culprit = culprit
        if try database.read(migrator.hasBeenSuperseded) {
            throw ReplicaError(
                .newerVersion, culprit, "a newer version of the app has written it",
                nextStep: "update the app on this device")
        }
        try migrator.migrate(database)
    }

    /// Opens a database file with the settings of a replica: durability, page cache, temporary data and
    /// checkpoints.
    package static func open(_ file: URL) throws -> DatabasePool {
        var configuration = Self.configuration
        // Checkpoints are rare, so that a first sync does not write each page of a B-tree many times.
        configuration.prepareDatabase { database in
            try database.execute(sql: "PRAGMA wal_autocheckpoint = 10000")
            try database.execute(sql: "PRAGMA cache_size = -16000")
        }
        let pool = try DatabasePool(path: file.path, configuration: configuration)
        // A saved edit is flushed to the disk before `write` returns. GRDB sets the level NORMAL, which does
        // not flush commits, when it enables the write-ahead log, after `prepareDatabase`. So the level is
        // set and checked here.
        let level = try pool.writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA synchronous = FULL")
            // The pages that a rollback to a savepoint restores are kept in memory, not in a temporary file.
            try database.execute(sql: "PRAGMA temp_store = MEMORY")
            return try Int.fetchOne(database, sql: "PRAGMA synchronous")
        }
        guard level == 2 else {
            throw ReplicaError(
                .storage, file.path, "SQLite does not flush commits to the disk",
                nextStep: "report this with the version of SQLite")
        }
        try pool.writeWithoutTransaction { try Self.emptyLog(of: $0) }
        return pool
    }

    /// Copies what an earlier process has left in the log into the database, and flushes it. A later flush of
    /// the log would not be enough: if the earlier process failed to flush it, the system may report success
    /// without writing.
    private static func emptyLog(of database: Database) throws {
        do { _ = try database.checkpoint(.passive) } catch let error as DatabaseError {
            // Another process has the database open, and does the same; or the disk is full, which must not
            // prevent reading.
            guard [.SQLITE_BUSY, .SQLITE_FULL].contains(error.resultCode) else { throw error }
        }
    }

    private static var configuration: Configuration {
        var configuration = Configuration()
        configuration.busyMode = .timeout(10)
        configuration.foreignKeysEnabled = false
        return configuration
    }

    /// Closes the database. No reads or writes are possible afterwards.
    ///
    /// - Throws: `ReplicaError` if a read is still running.
    public func close() throws {
        do { try gate.close { try database.close() } } catch { throw ReplicaError(storage: error, culprit) }
    }

    // MARK: Transactions

    /// Reads a consistent snapshot of the replica.
    ///
    /// - Throws: Errors of `body`, and `ReplicaError`.
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

    /// Does the same as `read`, on the calling thread. It is for short reads, which take less time than two
    /// changes of threads. It waits if the maximum of reads is running.
    ///
    /// - Throws: Errors of `body`, and `ReplicaError`.
    package func readBlocking<T>(_ body: (ReplicaReader) throws -> T) throws -> T {
        do {
            return try gate.run { try database.read { try body(ReplicaReader(database: $0)) } }
        } catch let error as DatabaseError {
            throw ReplicaError(storage: error, culprit)
        }
    }

    /// Changes the replica in one transaction, which is rolled back if `body` throws. The changes are on disk
    /// when this returns.
    ///
    /// - Throws: Errors of `body`, and `ReplicaError`.
    @discardableResult
    public func write<T: Sendable>(
        _ body: @escaping @Sendable (ReplicaWriter) throws -> T
    ) async throws -> T {
        do {
            return try await database.writeWithoutTransaction { try self.commit($0, body) }
        } catch let error as DatabaseError {
            throw ReplicaError(storage: error, culprit)
        }
    }

    /// Does the same as `write`, but does not wait until the changes are on disk: `flush()` does that, and so
    /// does the next transaction of `write` that changes something. If the process ends before, nothing is
    /// lost. After a power failure, this transaction may be undone, with all later ones. So commit only what
    /// can be repeated, such as what the server sends again.
    ///
    /// - Throws: Errors of `body`, and `ReplicaError`.
    @discardableResult
    package func writeUnflushed<T: Sendable>(
        _ body: @escaping @Sendable (ReplicaWriter) throws -> T
    ) async throws -> T {
        do {
            return try await database.writeWithoutTransaction {
                try self.commit($0, flushes: false, body)
            }
        } catch let error as DatabaseError {
            throw ReplicaError(storage: error, culprit)
        }
    }

    /// Waits until the changes of all earlier transactions are on disk.
    ///
    /// - Throws: `ReplicaError`.
    package func flush() async throws {
        do { try await log?.flush() } catch { throw ReplicaError(storage: error, culprit) }
    }

    /// Does the same as `write`, but completes even if the task is cancelled: other databases may already
    /// have committed their parts of the change.
    ///
    /// - Parameter flushes: whether the changes are on disk when this returns, see `writeUnflushed`.
    /// - Throws: Errors of `body`, and `ReplicaError`.
    package func writeWithoutCancellation<T: Sendable>(
        flushes: Bool = true, _ body: @escaping @Sendable (ReplicaWriter) throws -> T
    ) async throws -> T {
        do {
            return try await withCheckedThrowingContinuation { continuation in
                database.asyncWriteWithoutTransaction { database in
                    continuation.resume(with: Result { try self.commit(database, flushes: flushes, body) })
                }
            }
        } catch let error as DatabaseError {
            throw ReplicaError(storage: error, culprit)
        }
    }

    /// Does the same as `write`, and blocks the calling thread meanwhile.
    ///
    /// - Throws: Errors of `body`, and `ReplicaError`.
    package func writeBlocking<T>(_ body: (ReplicaWriter) throws -> T) throws -> T {
        do {
            return try database.writeWithoutTransaction { try commit($0, body) }
        } catch let error as DatabaseError {
            throw ReplicaError(storage: error, culprit)
        }
    }

    private func commit<T>(
        _ database: Database, flushes: Bool = true, _ body: (ReplicaWriter) throws -> T
    ) throws -> T {
        // Each transaction sets the level, so that none can leave another one without a flush.
        try database.execute(sql: "PRAGMA synchronous = \(flushes ? "FULL" : "NORMAL")")
        let before = database.totalChangesCount
        func transaction() throws -> T { try database.transaction { try change(database, body) } }
        defer { if database.totalChangesCount != before { observations.update() } }
        guard let log else { return try transaction() }
        return try flushes ? log.flushed(transaction) : log.unflushed(transaction)
    }

    private func change<T>(_ database: Database, _ body: (ReplicaWriter) throws -> T) throws -> T {
        let result = try body(ReplicaWriter(database: database))
        do { try files.flush() } catch { throw ReplicaError(storage: error, culprit) }
        return result
    }

    // MARK: Files

    /// Copies a file into the replica, for a field of a record. The file is flushed to disk before the next
    /// transaction commits, so that after a power failure no record refers to a missing file.
    ///
    /// - Throws: `ReplicaError` if the file cannot be read or copied.
    public func keepFile(at url: URL) throws -> Asset {
        do {
            return try files.keep(url)
        } catch {
            throw ReplicaError(
                .unreadableFile, url.lastPathComponent, "it cannot be copied (\(error))",
                nextStep: "check that the file exists and can be read")
        }
    }

    /// Stores content as a file of the replica, like `keepFile(at:)`.
    ///
    /// - Throws: `ReplicaError` if the file cannot be written.
    public func keepFile(content: Data) throws -> Asset {
        do { return try files.keep(content) } catch { throw ReplicaError(storage: error, culprit) }
    }

    /// The URL of an asset's file; nil if it is missing or its size is wrong. A sync fetches such a file
    /// after the record.
    public func file(of asset: Asset) -> URL? {
        files.existingFile(of: asset)
    }

    /// Removes the files to which no record refers. Call it when the app starts, before records are saved.
    ///
    /// - Throws: `ReplicaError`.
    public func removeUnusedFiles() async throws {
        files.remove(except: Set(try await read { try $0.assets() }.map(\.fileChecksum)))
    }

    /// The records that the server has and whose files are missing on this device, with the number of missing
    /// bytes.
    package func recordsWithMissingFiles() async throws -> [RecordID: Int64] {
        let files = files
        return try await read { reader in
            var found: [RecordID: Int64] = [:]
            for (id, assets) in try reader.recordsWithAssets() {
                let missing = assets.filter { files.existingFile(of: $0) == nil }
                if !missing.isEmpty { found[id] = missing.map { max(0, $0.size) }.saturatedSum }
            }
            return found
        }
    }
}

extension Database {
    /// Runs a transaction, which is rolled back if `body` throws.
    fileprivate func transaction<T>(_ body: () throws -> T) throws -> T {
        var result = Result<T, any Error>.failure(DatabaseError(resultCode: .SQLITE_ABORT))
        try inTransaction {
            result = .success(try body())
            return .commit
        }
        return try result.get()
    }
}
