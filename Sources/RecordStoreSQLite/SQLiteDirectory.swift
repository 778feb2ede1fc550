package import Foundation
import GRDB
import RecordStore
import Records

/// People, sessions and schemas of one server.
package final class SQLiteDirectory: Directory {
    private let pool: DatabasePool

    package init(file: URL, durability: SQLiteStore.Durability = .full) throws {
        do {
            var configuration = Configuration()
            configuration.maximumReaderCount = 2
            configuration.busyMode = .timeout(5)
            pool = try DatabasePool(path: file.path, configuration: configuration)
            try pool.writeWithoutTransaction { database in
                try database.execute(sql: "PRAGMA synchronous = \(durability == .full ? "FULL" : "OFF")")
            }
            try Migrations.migrate(file, pool, by: Self.migrator)
        } catch {
            throw RecordError(storage: error)
        }
    }

    package func close() async throws {
        do { try pool.close() } catch { throw RecordError(storage: error) }
    }

    func read<T: Sendable>(_ body: @escaping @Sendable (Database) throws -> T) async throws -> T {
        do { return try await pool.read(body) } catch { throw RecordError(storage: error) }
    }

    func write<T: Sendable>(_ body: @escaping @Sendable (Database) throws -> T) async throws -> T {
        do { return try await pool.write(body) } catch { throw RecordError(storage: error) }
    }
}

// MARK: - Schema of the file

extension SQLiteDirectory {
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1: accounts, sessions, container users, schemas") { database in
            try database.execute(sql: first)
        }
        addContainerMigration(to: &migrator)
        registerPeople(&migrator)
        registerRoles(&migrator)
        registerDiscovery(&migrator)
        registerPush(&migrator)
        registerSessionEnds(&migrator)
        return migrator
    }

    private static let first = """
        CREATE TABLE account (
            id TEXT PRIMARY KEY,
            name TEXT NOT NULL UNIQUE           -- the name to sign in with
        ) WITHOUT ROWID, STRICT;

        CREATE TABLE session (
            hash BLOB PRIMARY KEY,              -- SHA-256 of the token; the token itself is nowhere
            account TEXT NOT NULL REFERENCES account (id),
            created_at INTEGER NOT NULL         -- milliseconds since 1970
        ) WITHOUT ROWID, STRICT;

        CREATE TABLE container_user (
            container TEXT NOT NULL,
            account TEXT NOT NULL REFERENCES account (id),
            user_record_name TEXT NOT NULL,     -- random, so that it says nothing in another container
            PRIMARY KEY (container, account),
            UNIQUE (container, user_record_name)
        ) WITHOUT ROWID, STRICT;

        CREATE TABLE schema_type (
            container TEXT NOT NULL,
            environment TEXT NOT NULL,
            type TEXT NOT NULL,
            PRIMARY KEY (container, environment, type)
        ) WITHOUT ROWID, STRICT;

        -- Fields, and with their ___names the system fields that are indexed.
        CREATE TABLE schema_field (
            container TEXT NOT NULL,
            environment TEXT NOT NULL,
            type TEXT NOT NULL,
            field TEXT NOT NULL,
            kind INTEGER NOT NULL,              -- the scalar type's number, plus 100 for a list of it
            is_encrypted INTEGER NOT NULL,
            indexes INTEGER NOT NULL,           -- the bits of queryable, sortable, searchable
            PRIMARY KEY (container, environment, type, field),
            FOREIGN KEY (container, environment, type) REFERENCES schema_type
        ) WITHOUT ROWID, STRICT;
        """
}
