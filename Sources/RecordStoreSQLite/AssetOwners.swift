import GRDB

/// The rows that say which records refer to a file, and which files lost their last one.
struct AssetOwners {
    var database: Database

    func own(_ checksums: Set<String>, by record: Int64) throws {
        for checksum in checksums {
            var row = try SQL(database, "INSERT INTO asset_owner (checksum, record) VALUES (?, ?)")
            row.bind(checksum)
            row.bind(record)
            try row.run()
        }
    }

    func release(_ checksums: Set<String>, from record: Int64) throws {
        for checksum in checksums {
            var row = try SQL(database, "DELETE FROM asset_owner WHERE checksum = ? AND record = ?")
            row.bind(checksum)
            row.bind(record)
            try row.run()
            var released = try SQL(
                database,
                """
                INSERT OR IGNORE INTO released_asset (checksum)
                SELECT ?1
                WHERE NOT EXISTS (SELECT 1 FROM asset_owner WHERE checksum = ?1)
                """
            )
            released.bind(checksum)
            try released.run()
        }
    }
}
