import Foundation
import GRDB
import RecordStore
import Records

/// The last named batches of devices in a zone.
struct ClientBatches {
    let database: Database
    let zone: Int64

    /// Returns the last batch of a device; nil if none is remembered.
    func last(of client: ClientID) throws -> ClientChange? {
        var row = try SQL(
            database,
            """
            SELECT token, exceptions
            FROM client_batch
            WHERE zone = ? AND person = ? AND device = ?
            """
        )
        bind(client, to: &row)
        defer { row.reset() }
        guard try row.step() else { return nil }
        return ClientChange(token: row.bytes(0), exceptions: try Self.names(row.optionalText(1)))
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
        var row = try SQL(
            database,
            """
            INSERT INTO client_batch (zone, person, device, sequence, token, exceptions)
            VALUES (?, ?, ?, ?, ?, ?)
            ON CONFLICT DO UPDATE SET
                sequence = excluded.sequence,
                token = excluded.token,
                exceptions = excluded.exceptions
            """
        )
        bind(client, to: &row)
        row.bind(sequence)
        row.bind(memory.token)
        row.bind(try Self.text(memory.exceptions.sorted()))
        try row.run()
        if last != nil { return }
        try forgetSurplus(of: client.person, atMost: batch.limits.clientsPerZone)
        try forgetSurplus(atMost: batch.limits.clientsPerDatabase)
    }

    /// Deletes all but the latest `count` batches of all zones together.
    private func forgetSurplus(atMost count: Int) throws {
        let all = try Int.fetchOne(database, sql: "SELECT count(*) FROM client_batch") ?? 0
        if all <= count { return }
        try database.execute(
            sql: """
                DELETE FROM client_batch
                WHERE (zone, person, device) IN (
                    SELECT zone, person, device
                    FROM client_batch
                    ORDER BY sequence DESC, person DESC, device DESC
                    LIMIT -1 OFFSET ?
                )
                """,
            arguments: [count])
    }

    private func forgetSurplus(of person: String, atMost count: Int) throws {
        try database.execute(
            sql: """
                DELETE FROM client_batch
                WHERE zone = :zone AND person = :person AND device IN (
                    SELECT device
                    FROM client_batch
                    WHERE zone = :zone AND person = :person
                    ORDER BY sequence DESC, device DESC
                    LIMIT -1 OFFSET :count
                )
                """,
            arguments: ["zone": zone, "person": person, "count": count])
    }

    private func bind(_ client: ClientID, to row: inout SQL) {
        row.bind(zone)
        row.bind(client.person)
        row.bind(client.device)
    }

    /// The names as JSON; nil for none.
    static func text(_ names: [String]) throws -> String? {
        if names.isEmpty { return nil }
        return String(decoding: try JSONEncoder().encode(names), as: UTF8.self)
    }

    private static func names(_ text: String?) throws -> Set<String> {
        guard let text else { return [] }
        return Set(try JSONDecoder().decode([String].self, from: Data(text.utf8)))
    }
}
