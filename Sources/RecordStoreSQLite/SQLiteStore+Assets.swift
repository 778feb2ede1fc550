import GRDB
import RecordStore
import Records

extension SQLiteStore {
    package func usesAsset(_ fileChecksum: String) async throws -> Bool {
        try read { try Self.usesAsset(fileChecksum, $0) }
    }

    private static func usesAsset(_ fileChecksum: String, _ database: Database) throws -> Bool {
        try Bool.fetchOne(
            database, sql: "SELECT EXISTS (SELECT 1 FROM asset_owner WHERE checksum = ?)",
            arguments: [fileChecksum]
        ) ?? false
    }

    package func usesAsset(_ fileChecksum: String, createdBy person: String) async throws -> Bool {
        try read { database in
            try Bool.fetchOne(
                database,
                sql: """
                    SELECT EXISTS (
                        SELECT 1
                        FROM asset_owner o
                        JOIN record r ON r.id = o.record
                        WHERE o.checksum = ? AND record_creator(r.head) = ?
                    )
                    """,
                arguments: [fileChecksum, person]
            ) ?? false
        }
    }

    package func releasedAssets(limit: Int) async throws -> [String] {
        try read { database in
            try String.fetchAll(
                database, sql: "SELECT checksum FROM released_asset ORDER BY checksum LIMIT ?",
                arguments: [limit]
            )
        }
    }

    package func forgetReleasedAssets(_ fileChecksums: [String], thatAreOwned: Bool) async throws {
        if fileChecksums.isEmpty { return }
        try await write { database, _ in
            for checksum in fileChecksums where try Self.usesAsset(checksum, database) == thatAreOwned {
                try database.execute(
                    sql: "DELETE FROM released_asset WHERE checksum = ?", arguments: [checksum]
                )
            }
            return (true, ())
        }
    }
}
