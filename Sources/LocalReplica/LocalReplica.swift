// Owns the copy on the device: one database, read and written in transactions, and the files beside it.

import Crypto
import Dispatch
public import Foundation
import GRDB
import Records

/// The copy of a person's records on this device, complete without a network.
///
/// Each edit and the note that the server has to be told are one transaction; so are each page of changes
/// that is fetched and the token that belongs to it. Whatever happens to the process, both are there or
/// neither.
///
/// ```swift
/// let replica = try LocalReplica(folder: appData)
/// var note = ReplicaRecord(type: "Note", id: ReplicaID(zone: "Notes", name: "n1"))
/// note["text"] = "Bring balloons"
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
    private let files: URL
    private let culprit: String

    /// Opens the replica in that folder, which is made if it is not there.
    ///
    /// - Throws: `ReplicaError`; `newerVersion` for a file that a newer app has written, which stays so.
    public convenience init(folder: URL) throws {
        let file = folder.appendingPathComponent("replica.sqlite")
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            var configuration = Self.configuration
            // A saved edit is on the disk before anybody is told that it is saved.
            // Checkpoints are rare, so that a first sync does not write each page of the tree many times.
            configuration.prepareDatabase { database in
                try database.execute(sql: "PRAGMA synchronous = FULL")
                try database.execute(sql: "PRAGMA wal_autocheckpoint = 10000")
                try database.execute(sql: "PRAGMA cache_size = -16000")
            }
            let pool = try DatabasePool(path: file.path, configuration: configuration)
            try self.init(pool, files: folder.appendingPathComponent("files", isDirectory: true), file.path)
        } catch {
            throw ReplicaError(storage: error, file.path)
        }
    }

    /// A replica in memory, gone with the value; its files are kept in that folder.
    ///
    /// - Throws: `ReplicaError`.
    public convenience init(inMemoryWithFiles files: URL) throws {
        do {
            try self.init(DatabaseQueue(configuration: Self.configuration), files: files, "the replica")
        } catch {
            throw ReplicaError(storage: error, "the replica")
        }
    }

    private init(_ database: any DatabaseWriter, files: URL, _ culprit: String) throws {
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
        let culprit = culprit
        do {
            return try await database.write { database in
                let before = database.totalChangesCount
                let result = try body(ReplicaWriter(database: database))
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

    /// Copies a file into the replica, for a field of a record.
    ///
    /// - Throws: `ReplicaError` if the file cannot be read or copied.
    public func keepFile(at url: URL) throws -> ReplicaAsset {
        do {
            let content = try Data(contentsOf: url, options: .mappedIfSafe)
            let checksum = Asset.fileChecksum(ofSHA256: SHA256.hash(data: content))
            let asset = ReplicaAsset(checksum: checksum, byteCount: content.count)
            let place = self.url(of: asset)
            if FileManager.default.fileExists(atPath: place.path) { return asset }
            try FileManager.default.createDirectory(at: files, withIntermediateDirectories: true)
            try content.write(to: place, options: .atomic)
            return asset
        } catch {
            throw ReplicaError(
                .unreadableFile, url.lastPathComponent, "it cannot be copied (\(error))",
                nextStep: "look whether the file is there and may be read")
        }
    }

    /// Where the file lies, if it is on this device.
    public func file(of asset: ReplicaAsset) -> URL? {
        let place = url(of: asset)
        return FileManager.default.fileExists(atPath: place.path) ? place : nil
    }

    /// Removes the files that no record carries; for the start of an app, when nobody is about to save one.
    ///
    /// - Throws: `ReplicaError`.
    public func removeUnusedFiles() async throws {
        let names = try await read { try $0.checksums() }.map(Self.fileName)
        let there = (try? FileManager.default.contentsOfDirectory(atPath: files.path)) ?? []
        for name in Set(there).subtracting(names) {
            try? FileManager.default.removeItem(at: files.appendingPathComponent(name))
        }
    }

    private func url(of asset: ReplicaAsset) -> URL {
        files.appendingPathComponent(Self.fileName(asset.checksum))
    }

    private static func fileName(_ checksum: String) -> String {
        checksum.replacing("/", with: "_").replacing("+", with: "-").replacing("=", with: "")
    }
}
