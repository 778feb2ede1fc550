package import CloudService
package import Foundation
import GRDB
package import Records
import SQLiteSupport
import Synchronization

/// Keeps the counts of requests in one SQLite file, which is created when there is something to store.
///
/// After each `add`, the file, its log and the index of its log have at most `Limits.telemetryBytes`
/// together.
package final class SQLiteTelemetryStore: TelemetryStore {
    private let file: URL
    private let isTemporary: Bool
    private let limits: Limits
    private let opened = Mutex<DatabaseQueue?>(nil)

    package init(file: URL, isTemporary: Bool = false, limits: Limits = Limits()) {
        self.file = file
        self.isTemporary = isTemporary
        self.limits = limits
    }

    package func add(_ minutes: [TelemetryMinute]) async throws {
        guard let newest = minutes.map(\.number).max() else { return }
        let (keyLimit, most) = (limits.telemetryKeys, limits.telemetryBytes - Self.logIndexBytes)
        let isTooLong = try await write { database in
            var table = TelemetryTable(database: database)
            try table.add(minutes, keyLimit: keyLimit)
            try table.removeOld(before: newest)
            try table.shrink(to: most)
            return try table.fileBytes() > most
        }
        await giveSpaceBack(isTooLong: isTooLong)
    }

    /// The size of the index of the log (`-shm`), as long as the log is short.
    private static let logIndexBytes = 32_768

    /// Empties the log and, if the file has many unused pages, removes them. Both fail on a full disk and
    /// while another process reads the file. The counts are stored already, so the next call tries again.
    private func giveSpaceBack(isTooLong: Bool) async {
        try? await queue().writeWithoutTransaction { database in
            if isTooLong { try database.execute(sql: "VACUUM") }
            try database.checkpoint(.truncate)
        }
    }

    package func counts(
        _ question: TelemetryQuery, from first: Int64, to last: Int64
    ) async throws -> [TelemetryRow] {
        try await read { try TelemetryTable(database: $0).counts(question, first, last) } ?? []
    }

    package func people(
        _ question: TelemetryQuery, from first: Int64, to last: Int64
    ) async throws -> [Int64: DistinctCount] {
        try await read { try TelemetryTable(database: $0).people(question, first, last) } ?? [:]
    }

    package func remove(_ container: String) async throws {
        guard FileManager.default.fileExists(atPath: file.path) else { return }
        try await write { try TelemetryTable(database: $0).remove(container) }
    }

    package func close() async {
        let queue = opened.withLock { queue in
            defer { queue = nil }
            return queue
        }
        try? queue?.close()
    }

    /// Runs a query; returns nil if nothing has been stored yet.
    private func read<T: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> T
    ) async throws -> T? {
        guard FileManager.default.fileExists(atPath: file.path) else { return nil }
        do { return try await queue().read(body) } catch { throw RecordError(storage: error, opening: file) }
    }

    private func write<T: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> T
    ) async throws -> T {
        do { return try await queue().write(body) } catch { throw RecordError(storage: error, opening: file) }
    }

    private func queue() throws -> DatabaseQueue {
        let (file, isTemporary) = (file, isTemporary)
        return try opened.withLock { opened in
            if let opened { return opened }
            var configuration = Configuration()
            configuration.journalMode = .wal
            configuration.busyMode = .timeout(5)
            configuration.prepareDatabase { database in
                try database.keepLogFiles()
                // If the process is killed, nothing is lost; a power failure may lose the last minutes.
                try database.execute(sql: "PRAGMA synchronous = \(isTemporary ? "OFF" : "NORMAL")")
            }
            let queue = try DatabaseQueue(path: file.path, configuration: configuration)
            try TelemetryMigrations.migrator.migrate(file, queue)
            opened = queue
            return queue
        }
    }
}

// MARK: - Files that no server uses

extension SQLiteTelemetryStore {
    /// The faults of a file, one line for each; empty for an intact file.
    static func faults(of file: SQLiteFile) throws -> [String] {
        try file.faults(TelemetryMigrations.migrator)
    }
}
