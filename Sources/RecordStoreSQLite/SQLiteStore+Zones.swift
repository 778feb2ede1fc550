import GRDB
import RecordStore
package import Records

extension SQLiteStore {
    package func zones(after name: String?, limit: Int) async throws -> [Zone] {
        let identity = writer.committed.identity
        return try read { database in
            let hasDefault = name == nil && limit > 0
            let first = hasDefault ? try Self.zone(named: ZoneID.defaultName, identity, database) : nil
            var rows = try SQL(
                database,
                """
                SELECT id, name, sequence
                FROM zone
                WHERE name > ? AND id <> 1
                ORDER BY name
                LIMIT ?
                """
            )
            rows.bind(name.map { $0 == ZoneID.defaultName ? "" : $0 } ?? "")
            rows.bind(Int64(hasDefault ? limit - 1 : limit))
            var zones = first.map { [$0] } ?? []
            while try rows.step() {
                zones.append(
                    Self.zone(
                        named: rows.text(1), id: rows.integer(0), sequence: rows.integer(2),
                        identity: identity))
            }
            return zones
        }
    }

    package func zones(named names: [String]) async throws -> [Zone?] {
        let identity = writer.committed.identity
        return try read { database in
            try names.map { try Self.zone(named: $0, identity, database) }
        }
    }

    private static func zone(named name: String, _ identity: Int64, _ database: Database) throws -> Zone? {
        var row = try SQL(database, "SELECT id, sequence FROM zone WHERE name = ?")
        row.bind(name)
        defer { row.reset() }
        guard try row.step() else { return nil }
        return zone(named: name, id: row.integer(0), sequence: row.integer(1), identity: identity)
    }

    package func createZone(named name: String, by stamp: Stamp, atMost most: Int) async throws -> Zone {
        let (codec, book) = (codec, writer.subscriptions)
        return try await write { database, state in
            if let id = state.zones[name] {
                let sequence = try Self.extent(of: id, database)?.end ?? 0
                return (true, Self.zone(named: name, id: id, sequence: sequence, identity: state.identity))
            }
            try ZoneRules.checkCreation(of: name, besides: state.zones.count - 1, atMost: most)
            state.sequence += 1
            let id = ZoneRules.id(at: state.sequence)
            try database.execute(
                sql: """
                    INSERT INTO zone (id, name, sequence, horizon, record_bytes, asset_bytes)
                    VALUES (?, ?, ?, 0, 0, 0)
                    """,
                arguments: [id, name, state.sequence]
            )
            try database.execute(sql: "DELETE FROM deleted_zone WHERE name = ?", arguments: [name])
            try Self.forgetSurplusZones(keeping: most, database)
            state.add(zone: id, named: name)
            try NotificationWriter(database: database, codec: codec, book: book)
                .tell(ofZone: name, stamp, &state)
            return (true, Self.zone(named: name, id: id, sequence: state.sequence, identity: state.identity))
        }
    }

    package func deleteZone(
        named name: String, reason: ZoneDeletionReason, by stamp: Stamp
    ) async throws {
        try ZoneRules.checkDeletion(of: name, reason)
        let (codec, book) = (codec, writer.subscriptions)
        try await write { database, state in
            guard let zone = state.zones[name] else { throw try Self.absence(of: name, database) }
            state.sequence += 1
            state.time = max(state.time, stamp.at)
            state.usage -= try Self.usage(of: zone, database)
            try Self.empty(zone, state.catalog, in: database)
            if name == ZoneID.defaultName {
                try database.execute(
                    sql: """
                        UPDATE zone
                        SET sequence = ?1, horizon = ?1, record_bytes = 0, asset_bytes = 0
                        WHERE id = ?2
                        """,
                    arguments: [state.sequence, zone]
                )
            } else {
                state.removeZone(named: name)
                try database.execute(sql: "DELETE FROM zone WHERE id = ?", arguments: [zone])
                try database.execute(
                    sql: "INSERT INTO deleted_zone (name, sequence, reason, time) VALUES (?, ?, ?, ?)",
                    arguments: [name, state.sequence, reason.rawValue, state.time.milliseconds]
                )
            }
            try NotificationWriter(database: database, codec: codec, book: book)
                .tell(ofZone: name, stamp, &state)
            return (true, ())
        }
    }

    /// Deletes all records of a zone, tombstones included.
    private static func empty(_ zone: Int64, _ catalog: Catalog, in database: Database) throws {
        try releaseAssets(of: zone, in: database)
        for type in catalog.types.values { try clear(type, of: zone, in: database) }
        for table in ["binding", "record", "client_batch"] {
            try database.execute(sql: "DELETE FROM \(table) WHERE zone = ?", arguments: [zone])
        }
    }

    /// The error for a zone that is not there: what became of it.
    static func absence(of name: String, _ database: Database) throws -> RecordError {
        let reason = try UInt8.fetchOne(
            database, sql: "SELECT reason FROM deleted_zone WHERE name = ?", arguments: [name]
        )
        return .zoneGone(name, reason.flatMap(ZoneDeletionReason.init(rawValue:)))
    }

    /// The error for a zone that is not there, outside of a transaction.
    func absence(of name: String) throws -> RecordError {
        try read { try Self.absence(of: name, $0) }
    }

    /// Takes the files of a zone's records from them, record by record, because files are found by checksum
    /// only.
    private static func releaseAssets(of zone: Int64, in database: Database) throws {
        let owners = AssetOwners(database: database)
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
            for (record, checksums) in page { try owners.release(checksums, from: record) }
            if page.isEmpty { return }
        }
    }

    private static func clear(_ type: TypeTable, of zone: Int64, in database: Database) throws {
        let records = "(SELECT record FROM \(type.table) WHERE zone = ?)"
        for field in type.partedFields {
            let condition = field.isLocation ? "record IN \(records)" : "zone = ?"
            let table = field.isLocation ? field.placeTable : field.elementTable
            try database.execute(sql: "DELETE FROM \(table) WHERE \(condition)", arguments: [zone])
        }
        if type.hasWords {
            try database.execute(
                sql: "DELETE FROM \(type.wordTable) WHERE rowid IN \(records)", arguments: [zone]
            )
        }
        try database.execute(sql: "DELETE FROM \(type.table) WHERE zone = ?", arguments: [zone])
    }

    static func zone(named name: String, id: Int64, sequence: Int64, identity: Int64) -> Zone {
        let position = FeedPosition(database: identity, zone: id, sequence: sequence)
        let isDefault = name == ZoneID.defaultName
        return Zone(
            id: ZoneID(name: name), isAtomic: !isDefault, syncToken: isDefault ? nil : position.token
        )
    }
}
