// Owns the promise kept with SQLite: opening a file, and each call's way to the engine.

package import Foundation
import GRDB
import RecordStore
package import Records

/// One database in one SQLite file.
///
/// Reads run side by side on a bounded pool of connections, each on a snapshot; writes go through one queue
/// that commits them in groups.
package final class SQLiteStore: RecordStore {
    /// What an acknowledged write has survived.
    package enum Durability: Sendable {
        /// The loss of power: every commit is flushed to disk.
        case full
        /// The end of the process only; for stores that are thrown away.
        case none
    }

    let pool: DatabasePool
    let writer: CommitQueue
    let codec: any FieldCodec
    let shapes = StatementShapes()

    /// Opens or creates a file.
    ///
    /// - Parameter newIdentity: what tells a new database from others; used when the file is created.
    package init(
        file: URL, durability: Durability = .full, readers: Int = 4, newIdentity: Int64, codec: any FieldCodec
    ) throws {
        do {
            var configuration = Configuration()
            configuration.maximumReaderCount = readers
            configuration.busyMode = .timeout(5)
            configuration.prepareDatabase { SQLFunctions.add(to: $0) }
            pool = try DatabasePool(path: file.path, configuration: configuration)
            try pool.writeWithoutTransaction { database in
                try database.execute(sql: "PRAGMA synchronous = \(durability == .full ? "FULL" : "OFF")")
                // Fewer, larger checkpoints: each copies a page once that many commits have touched.
                try database.execute(sql: "PRAGMA wal_autocheckpoint = 20000")
                // 16 MB instead of 2: every insert touches a page of each index, again and again.
                try database.execute(sql: "PRAGMA cache_size = -16000")
            }
            try Migrations.migrator.migrate(pool)
            let state = try pool.write { try Self.readState($0, newIdentity: newIdentity) }
            writer = CommitQueue(pool: pool, state: state)
            self.codec = codec
        } catch {
            throw RecordError(storage: error)
        }
    }

    private static func readState(_ database: Database, newIdentity: Int64) throws -> WriterState {
        if try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM store") == 0 {
            try database.execute(
                sql: "INSERT INTO store (identity, sequence, time, horizon) VALUES (?, 0, ?, 0)",
                arguments: [newIdentity, Int64.min]
            )
            try database.execute(
                sql: "INSERT INTO zone (id, name, sequence, horizon) VALUES (1, ?, 0, 0)",
                arguments: [ZoneID.defaultName]
            )
        }
        guard let store = try Row.fetchOne(database, sql: "SELECT identity, sequence, time FROM store") else {
            throw RecordError(.internalError, "the database has lost its head row")
        }
        var state = WriterState(
            identity: store[0], sequence: store[1], time: Timestamp(milliseconds: store[2]),
            catalog: try Catalog(database)
        )
        for row in try Row.fetchAll(database, sql: "SELECT id, name FROM zone") {
            state.add(zone: row[0], named: row[1])
        }
        return state
    }

    package func close() async throws {
        do { try pool.close() } catch { throw RecordError(storage: error) }
    }

    /// Runs a short read on a snapshot, translating what the engine throws.
    ///
    /// It runs on the caller's thread: a page of records takes less time than the way to another thread and
    /// back.
    func read<T>(_ body: (Database) throws -> T) throws -> T {
        do { return try pool.read(body) } catch { throw RecordError(storage: error) }
    }

    /// Runs a read that may take long on a thread of its own.
    func readAside<T: Sendable>(_ body: @escaping @Sendable (Database) throws -> T) async throws -> T {
        do { return try await pool.read(body) } catch { throw RecordError(storage: error) }
    }

    /// Runs a write and returns its result when it is on disk.
    func write<T: Sendable>(
        _ body: @escaping @Sendable (Database, inout WriterState) throws -> (stands: Bool, result: T)
    ) async throws -> T {
        let box = ResultBox<T>()
        try await writer.submit { database, state in
            let (stands, result) = try body(database, &state)
            box.set(result)
            return stands
        }
        guard let result = box.take() else { throw RecordError(.internalError, "a write gave no result") }
        return result
    }
}
