import PostgreSQLSupport
import RecordStore
import Records

/// The last named batches of devices in a zone.
struct PostgresClientBatches {
    let session: PostgresSession
    let zone: Int64

    /// Returns the last batch of a device; nil if none is remembered.
    func last(of client: ClientID) throws -> ClientChange? {
        let rows = try session.rows(
            """
            SELECT token, array_to_string(exceptions, E'\\n')
            FROM client_batch
            WHERE database = $1 AND zone = $2 AND person = $3 AND device = $4
            """,
            .integer(zone), .text(client.person), .text(client.device))
        guard let row = rows.first else { return nil }
        // Names contain no control characters.
        let names = row.text(1).split(separator: "\n").map(String.init)
        return ClientChange(token: row.bytes(0), exceptions: Set(names))
    }

    /// Returns the entry for a page of changes; nil if the request names no device.
    func answer(to client: ClientID?) throws -> ClientChange? {
        guard let client else { return nil }
        return try last(of: client) ?? .nothing
    }

    /// Stores a batch in place of the device's last one, and forgets the oldest ones if there are too many.
    func remember(_ batch: WriteBatch, _ results: [ItemResult], at sequence: Int64) throws {
        guard let client = batch.client else { return }
        let last = try last(of: client)
        guard let memory = batch.memory(of: results, after: last) else { return }
        try session.run(
            """
            INSERT INTO client_batch (database, zone, person, device, sequence, token, exceptions)
            VALUES ($1, $2, $3, $4, $5, $6, $7)
            ON CONFLICT (database, zone, person, device) DO UPDATE
            SET sequence = excluded.sequence, token = excluded.token, exceptions = excluded.exceptions
            """,
            .integer(zone), .text(client.person), .text(client.device), .integer(sequence),
            .bytes(memory.token), .texts(memory.exceptions.sorted()))
        if last != nil { return }
        try forgetSurplus(of: client.person, atMost: batch.limits.clientsPerZone)
        try forgetSurplus(atMost: batch.limits.clientsPerDatabase)
    }

    /// Deletes all but the latest `count` batches of all zones together.
    private func forgetSurplus(atMost count: Int) throws {
        try session.run(
            """
            DELETE FROM client_batch
            WHERE database = $1 AND (zone, person, device) IN (
                SELECT zone, person, device
                FROM client_batch
                WHERE database = $1
                ORDER BY sequence DESC, person DESC, device DESC
                OFFSET $2
            )
            """,
            .count(count))
    }

    private func forgetSurplus(of person: String, atMost count: Int) throws {
        try session.run(
            """
            DELETE FROM client_batch
            WHERE database = $1 AND zone = $2 AND person = $3 AND device IN (
                SELECT device
                FROM client_batch
                WHERE database = $1 AND zone = $2 AND person = $3
                ORDER BY sequence DESC, device DESC
                OFFSET $4
            )
            """,
            .integer(zone), .text(person), .count(count))
    }
}
