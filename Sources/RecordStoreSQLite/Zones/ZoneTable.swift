import GRDB
import RecordStore
import Records

/// Reads and writes the zones of a database, and the reasons for which others were deleted.
struct ZoneTable {
    let database: Database

    /// Returns at most `limit` zones after `name`: the default zone first, the others in the byte order of
    /// their names.
    func zones(after name: String?, limit: Int, identity: Int64) throws -> [Zone] {
        let hasDefault = name == nil && limit > 0
        var zones: [Zone] = []
        if hasDefault, let first = try zone(named: ZoneID.defaultName, identity: identity) {
            zones.append(first)
        }
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
        while try rows.step() {
            zones.append(
                Zone(
                    named: rows.text(1), id: rows.integer(0), sequence: rows.integer(2), identity: identity))
        }
        return zones
    }

    func zone(named name: String, identity: Int64) throws -> Zone? {
        var row = try SQL(database, "SELECT id, sequence FROM zone WHERE name = ?")
        row.bind(name)
        defer { row.reset() }
        guard try row.step() else { return nil }
        return Zone(named: name, id: row.integer(0), sequence: row.integer(1), identity: identity)
    }

    /// Returns the number of a zone's last change (`end`) and of its last forgotten deletion (`horizon`); nil
    /// if the zone was deleted.
    func extent(of zone: Int64) throws -> (end: Int64, horizon: Int64)? {
        var row = try SQL(database, "SELECT sequence, horizon FROM zone WHERE id = ?")
        row.bind(zone)
        defer { row.reset() }
        return try row.step() ? (row.integer(0), row.integer(1)) : nil
    }

    /// The token of a zone as of the connection's snapshot or transaction, but not beyond the number `most`;
    /// nil for the default zone, and when the zone is gone.
    func token(of zone: Int64, _ identity: Int64, upTo most: Int64 = .max) throws -> ChangeToken? {
        guard zone != 1, let (end, _) = try extent(of: zone) else { return nil }
        return FeedPosition(database: identity, zone: zone, sequence: min(end, most)).token
    }

    /// The error for a zone that is missing; it says why, if that is known.
    func absence(of name: String) throws -> RecordError {
        let reason = try UInt8.fetchOne(
            database, sql: "SELECT reason FROM deleted_zone WHERE name = ?", arguments: [name]
        )
        return .zoneGone(name, reason.flatMap(ZoneDeletionReason.init(rawValue:)))
    }

    // MARK: Writing

    /// Adds a zone that does not exist. Throws `limitExceeded` if there are `most` custom zones already.
    func add(_ name: String, atMost most: Int, _ state: inout WriterState) throws -> Zone {
        try ZoneRules.checkCreation(of: name, besides: state.zones.count - 1, atMost: most)
        state.sequence += 1
        let id = ZoneRules.id(at: state.sequence)
        try database.execute(
            sql: """
                INSERT INTO zone (id, name, sequence, horizon, record_count, record_bytes, asset_bytes)
                VALUES (?, ?, ?, 0, 0, 0, 0)
                """,
            arguments: [id, name, state.sequence]
        )
        try database.execute(sql: "DELETE FROM deleted_zone WHERE name = ?", arguments: [name])
        try Deletions(database: database).forgetSurplusZones(keeping: most)
        state.add(zone: id, named: name)
        return Zone(named: name, id: id, sequence: state.sequence, identity: state.identity)
    }

    /// Deletes a zone with all its records. The default zone is emptied instead.
    func remove(
        _ zone: Int64, named name: String, reason: ZoneDeletionReason, at time: Timestamp,
        _ state: inout WriterState
    ) throws {
        state.sequence += 1
        state.time = max(state.time, time)
        state.usage -= try UsageAccount(database: database).usage(of: zone)
        try empty(zone, state.catalog)
        if name == ZoneID.defaultName {
            try database.execute(
                sql: """
                    UPDATE zone
                    SET sequence = ?1, horizon = ?1, record_count = 0, record_bytes = 0, asset_bytes = 0
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
    }

    private func empty(_ zone: Int64, _ catalog: Catalog) throws {
        try AssetOwners(database: database).release(allOf: zone)
        try ShareTable(database: database, zone: zone).clear()
        for type in catalog.types.values { try clear(type, of: zone) }
        for table in ["binding", "record", "client_batch", "person_usage"] {
            try database.execute(sql: "DELETE FROM \(table) WHERE zone = ?", arguments: [zone])
        }
    }

    private func clear(_ type: TypeTable, of zone: Int64) throws {
        let records = "(SELECT record FROM \(type.table) WHERE zone = ?)"
        for field in type.partedFields {
            let condition = field.isLocation ? "record IN \(records)" : "zone = ?"
            let table = field.isLocation ? field.placeTable : field.elementTable
            try database.execute(sql: "DELETE FROM \(table) WHERE \(condition)", arguments: [zone])
        }
        if type.hasWords {
            for row in ["record", "-record"] {
                let rows = "SELECT \(row) FROM \(type.table) WHERE zone = ?"
                try database.execute(
                    sql: "DELETE FROM \(type.wordTable) WHERE rowid IN (\(rows))", arguments: [zone]
                )
            }
        }
        try database.execute(sql: "DELETE FROM \(type.table) WHERE zone = ?", arguments: [zone])
    }
}
