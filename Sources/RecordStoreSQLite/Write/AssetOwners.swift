import GRDB
import Records

/// Reads and writes which records refer to which files, and which files lost their last reference.
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

    /// Removes the references of all records of a zone to files. It does so record by record, because the
    /// table of references is ordered by checksum and cannot be searched by zone.
    func release(allOf zone: Int64) throws {
        var reached: Int64 = 0
        while true {
            var rows = try SQL(
                database,
                """
                SELECT r.sequence, r.id, r.head
                FROM record r
                WHERE r.zone = ? AND r.sequence > ? AND record_assets(r.head) IS NOT NULL
                ORDER BY r.sequence
                LIMIT 200
                """
            )
            rows.bind(zone)
            rows.bind(reached)
            var page: [(record: Int64, checksums: Set<String>)] = []
            while try rows.step() {
                reached = rows.integer(0)
                let slots = RecordRow.head(rows, 2).slots
                page.append((rows.integer(1), Set(slots.map(\.fileChecksum))))
            }
            for (record, checksums) in page { try release(checksums, from: record) }
            if page.isEmpty { return }
        }
    }

    // MARK: Reading

    /// Whether any record refers to the file with this checksum.
    func own(_ checksum: String) throws -> Bool {
        try Bool.fetchOne(
            database, sql: "SELECT EXISTS (SELECT 1 FROM asset_owner WHERE checksum = ?)",
            arguments: [checksum]
        ) ?? false
    }

    /// Whether a record that this person created refers to the file with this checksum.
    func own(_ checksum: String, createdBy person: String) throws -> Bool {
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
            arguments: [checksum, person]
        ) ?? false
    }

    /// Those of the files to which a record of a zone refers.
    func owned(_ checksums: Set<String>, byRecord name: String, in zone: Int64) throws -> Set<String> {
        try checksums.filter { checksum in
            var row = try SQL(
                database,
                """
                SELECT 1
                FROM record r
                JOIN asset_owner o ON o.checksum = ? AND o.record = r.id
                WHERE r.zone = ? AND r.name = ?
                """
            )
            row.bind(checksum)
            row.bind(zone)
            row.bind(name)
            defer { row.reset() }
            return try row.step()
        }
    }

    func released(limit: Int) throws -> [String] {
        try String.fetchAll(
            database, sql: "SELECT checksum FROM released_asset ORDER BY checksum LIMIT ?",
            arguments: [limit]
        )
    }

    func forgetReleased(_ checksums: [String], thatAreOwned: Bool) throws {
        for checksum in checksums where try own(checksum) == thatAreOwned {
            try database.execute(sql: "DELETE FROM released_asset WHERE checksum = ?", arguments: [checksum])
        }
    }
}
