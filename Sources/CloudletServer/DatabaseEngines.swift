import Directory
import DirectoryPostgres
import Logging
import NIOPosix
import PostgreSQLSupport
import RecordStore
import RecordStorePostgres
import Records
import ServerData

/// Opens the database that keeps the records and accounts of a server instead of files.
enum DatabaseEngines {
    /// Returns nil if files in the data folder keep the records.
    ///
    /// - Parameter process: a number that no other node of the server has.
    /// - Throws: `ServerError` if the engine cannot be used.
    static func records(
        of configuration: ServerConfiguration, process: Int64
    ) async throws -> (any RecordStoreEngine)? {
        guard let address = configuration.database else { return nil }
        let (uptime, logger) = (configuration.uptime, configuration.logger)
        return try await opened {
            try PostgresEngine(address: address, process: process, uptime: uptime) { text in
                logger.warning("\(text)")
            }
        }
    }

    /// Opens the directory in the engine's database.
    ///
    /// - Throws: `ServerError` if the engine cannot be used.
    static func directory(
        of configuration: ServerConfiguration, process: Int64
    ) async throws -> any Directory {
        let address = configuration.database ?? ""
        return try await opened { try PostgresDirectory(address: address, process: process) }
    }

    /// Creates a schema for an ephemeral server. Returns the address with which the server uses it.
    ///
    /// - Throws: `ServerError` if the engine cannot be used.
    static func addSchema(_ name: String, at address: String) async throws -> String {
        let schema = PostgresSchema(name, in: address)
        try await opened { try schema.add() }
        return schema.address
    }

    /// Deletes the schema of an ephemeral server.
    static func dropSchema(_ name: String, at address: String) async throws {
        try await opened { try PostgresSchema(name, in: address).drop() }
    }

    /// Opens the engine as a place whose data are copied.
    ///
    /// - Throws: `ServerError` if the engine cannot be used, or if another program uses it.
    static func place(of configuration: ServerConfiguration) async throws -> any DataPlace {
        let address = configuration.database ?? ""
        let (engine, directory) = try await openedAlone(
            address, because: "the data of a running server cannot be moved")
        return EnginePlace(
            named: "the PostgreSQL database", at: DataSite.withoutSecrets(address), engine,
            directory: directory, directory.rows, assetEngine: try AssetEngines.engine(of: configuration))
    }

    /// Begins a new epoch in the databases of an engine that was restored, and ends all sessions.
    ///
    /// - Throws: `ServerError` if the engine cannot be used, if another program uses it, or if it does not
    ///   have all data of a server.
    static func beginEpoch(at address: String) async throws -> RestoredDatabase {
        let (engine, directory) = try await openedAlone(
            address, because: "the nodes have the earlier state in memory")
        let result = await beginEpoch(in: engine, directory)
        try? await directory.close()
        await engine.close()
        return try result.get()
    }

    private static func beginEpoch(
        in engine: PostgresEngine, _ directory: PostgresDirectory
    ) async -> Result<RestoredDatabase, any Error> {
        do {
            let installation = try await engine.bind(to: nil)
            guard installation?.isServer == true else {
                throw ServerError(
                    .engineUnusable,
                    "the PostgreSQL database does not have the records and accounts of a server",
                    nextStep: "name the database that the nodes use with --database")
            }
            let sessions = try await directory.endSessions()
            let random = RandomSource(seed: nil)
            let databases = try await engine.begin(DatabaseEpoch { random.bytes($0) })
            return .success(RestoredDatabase(databases: databases, sessions: sessions))
        } catch let error as RecordError {
            return .failure(
                ServerError(
                    .engineUnusable, "the new epoch could not begin: \(DataBackup.reason(of: error))",
                    nextStep: "remove the cause, and run the same command again"))
        } catch {
            return .failure(error)
        }
    }

    /// Opens the engine and the directory in its database, which no other program uses.
    private static func openedAlone(
        _ address: String, because reason: String
    ) async throws -> (PostgresEngine, PostgresDirectory) {
        let others = try await opened { try PostgresEngine.connections(to: address) }
        if others > 0 {
            throw ServerError(
                .folderInUse,
                "the PostgreSQL database is in use: it has \(others) other "
                    + (others == 1 ? "connection" : "connections"),
                nextStep: "stop all nodes and other programs that use it; \(reason)")
        }
        let process = Int64(bitPattern: RandomSource(seed: nil).bytes(8).bigEndianNumber)
        return try await opened {
            (
                try PostgresEngine(address: address, process: process),
                try PostgresDirectory(address: address, process: process)
            )
        }
    }

    private static func opened<Engine: Sendable>(
        _ open: @escaping @Sendable () throws -> Engine
    ) async throws -> Engine {
        do {
            return try await NIOThreadPool.singleton.runIfActive(open)
        } catch let error as RecordError {
            let reason = [error.reason, error.diagnosis].compactMap(\.self).joined(separator: ": ")
            // Errors of the engine itself name no culprit.
            let known = error.culprit == nil ? nil : error.nextStep
            throw ServerError(
                .engineUnusable, "the PostgreSQL database cannot be used: \(reason)",
                nextStep: known ?? "check the address in --database, for example with psql")
        }
    }
}
