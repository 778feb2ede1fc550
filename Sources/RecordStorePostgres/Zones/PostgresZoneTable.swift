import PostgreSQLSupport
import RecordStore
import Records

/// Reads and writes the zones of a database, and the reasons for which others were deleted.
struct PostgresZoneTable {
    let session: PostgresSession

    /// Returns at most `limit` zones after `name`: the default zone first, the others in the byte order of
    /// their names.
    func zones(after name: String?, limit: Int, identity: Int64) throws -> [Zone] {
        let last = name.map { $0 == ZoneID.defaultName ? "" : $0 } ?? ""
        return try session.rows(
            """
            SELECT name, id, sequence
            FROM zone
            WHERE database = $1 AND (id = 1 AND $4 = 1 OR id <> 1 AND name > $2)
            ORDER BY id <> 1, name
            LIMIT $3
            """,
            .text(last), .count(limit), .integer(name == nil ? 1 : 0)
        )
        .map { Zone(named: $0.text(0), id: $0.integer(1), sequence: $0.integer(2), identity: identity) }
    }

    func zone(named name: String, identity: Int64) throws -> Zone? {
        let rows = try session.rows(
            "SELECT id, sequence FROM zone WHERE database = $1 AND name = $2", .text(name))
        return rows.first.map {
            Zone(named: name, id: $0.integer(0), sequence: $0.integer(1), identity: identity)
        }
    }

    /// Returns the id of a zone, the number of its last change (`end`) and of its last forgotten deletion
    /// (`horizon`). Throws the error for a missing zone, with the reason of its deletion.
    func extent(of name: String) throws -> (id: Int64, end: Int64, horizon: Int64) {
        let rows = try askExtent(of: name).rows()
        guard let row = rows.first else { throw try absence(of: name) }
        return (row.integer(0), row.integer(1), row.integer(2))
    }

    /// Asks for the row that `extent(of:)` returns.
    func askExtent(of name: String) throws -> PostgresAnswer {
        try session.ask(
            "SELECT id, sequence, horizon FROM zone WHERE database = $1 AND name = $2", .text(name))
    }

    /// The token of a zone as of the transaction; nil for the default zone.
    func token(of name: String, _ identity: Int64) throws -> ChangeToken? {
        if name == ZoneID.defaultName { return nil }
        return try zone(named: name, identity: identity)?.syncToken
    }

    private func absence(of name: String) throws -> RecordError {
        let rows = try session.rows(
            "SELECT reason FROM deleted_zone WHERE database = $1 AND name = $2", .text(name))
        let reason = rows.first.map { UInt8(clamping: $0.integer(0)) }
        return .zoneGone(name, reason.flatMap(ZoneDeletionReason.init(rawValue:)))
    }

    /// The names of the zones by their ids.
    func names() throws -> [Int64: String] {
        let rows = try session.rows("SELECT id, name FROM zone WHERE database = $1")
        return Dictionary(rows.map { ($0.integer(0), $0.text(1)) }) { $1 }
    }

    // MARK: Writing

    /// Adds a zone that does not exist. Throws `limitExceeded` if there are `most` custom zones already.
    func add(_ name: String, atMost most: Int, _ state: inout PostgresWriteState) throws -> Zone {
        let count = try session.rows(
            "SELECT count(*) FROM zone WHERE database = $1 AND id <> 1")
        try ZoneRules.checkCreation(of: name, besides: Int(count.first?.integer(0) ?? 0), atMost: most)
        state.sequence += 1
        let id = ZoneRules.id(at: state.sequence)
        try insert(id, name, sequence: state.sequence)
        try session.run("DELETE FROM deleted_zone WHERE database = $1 AND name = $2", .text(name))
        try PostgresDeletions(session: session).forgetSurplusZones(keeping: most, &state)
        return Zone(named: name, id: id, sequence: state.sequence, identity: state.identity)
    }

    func insert(_ id: Int64, _ name: String, sequence: Int64) throws {
        try session.run(
            """
            INSERT INTO zone (
                database, id, name, sequence, horizon, share_horizon, record_count, record_bytes, asset_bytes
            )
            VALUES ($1, $2, $3, $4, 0, 0, 0, 0, 0)
            """,
            .integer(id), .text(name), .integer(sequence))
    }

    /// Deletes a zone with all its records. The default zone is emptied instead.
    func remove(
        _ zone: Int64, named name: String, reason: ZoneDeletionReason, at time: Timestamp,
        _ state: inout PostgresWriteState
    ) throws {
        state.sequence += 1
        state.time = max(state.time, time)
        try empty(zone)
        if name == ZoneID.defaultName {
            try session.run(
                """
                UPDATE zone
                SET sequence = $3, horizon = $3, record_count = 0, record_bytes = 0, asset_bytes = 0
                WHERE database = $1 AND id = $2
                """,
                .integer(zone), .integer(state.sequence))
            return
        }
        try session.run("DELETE FROM zone WHERE database = $1 AND id = $2", .integer(zone))
        try session.run(
            """
            INSERT INTO deleted_zone (database, name, sequence, reason, time)
            VALUES ($1, $2, $3, $4, $5)
            """,
            .text(name), .integer(state.sequence), .integer(Int64(reason.rawValue)),
            .integer(state.time.milliseconds))
    }

    private func empty(_ zone: Int64) throws {
        try PostgresAssetOwners(session: session).release(allOf: zone)
        try PostgresShareTable(session: session, zone: zone).clear()
        try PostgresEntryWriter(session: session).deleteAll(ofZone: zone)
        for table in ["binding", "record", "client_batch", "person_usage"] {
            try session.run("DELETE FROM \(table) WHERE database = $1 AND zone = $2", .integer(zone))
        }
    }
}
