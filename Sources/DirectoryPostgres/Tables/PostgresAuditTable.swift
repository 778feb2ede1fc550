import PostgreSQLSupport
import Records

/// Reads and writes the audit log.
struct PostgresAuditTable {
    let connection: PostgresConnection

    func add(_ entry: AuditEntry, limit: Int) throws -> Int64 {
        let number = try PostgresNumberTable(connection: connection).next("audit_entry")
        try connection.send(
            """
            INSERT INTO audit_entry
                (number, at, operator, container_name, environment, action, subject, before, after)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
            """,
            [.integer(number)] + values(of: entry))
        try count(1, entry.by, entry.action)
        let rows = try connection.run("SELECT SUM(entries)::bigint FROM audit_share", [])
        let entries = rows.first?.integer(0) ?? 0
        for _ in 0..<max(0, entries - Int64(limit)) { try removeOldest() }
        return number
    }

    /// Deletes the oldest entry of the largest share.
    private func removeOldest() throws {
        let oldest = try connection.run(
            """
            WITH total AS (
                SELECT operator, SUM(entries) AS entries, MAX(entries) AS most
                FROM audit_share
                GROUP BY operator
            )
            SELECT MIN(
                (
                    SELECT MIN(e.number)
                    FROM audit_entry e
                    WHERE e.operator = s.operator AND e.action = s.action
                )
            )
            FROM audit_share s JOIN total t ON t.operator = s.operator AND t.most = s.entries
            WHERE t.entries = (SELECT MAX(entries) FROM total)
            """, [])
        if let number = oldest.first?.optionalInteger(0) { try remove(number) }
    }

    private func remove(_ number: Int64) throws {
        let removed = try connection.run(
            "DELETE FROM audit_entry WHERE number = $1 RETURNING operator, action", [.integer(number)])
        if let entry = removed.first { try count(-1, entry.text(0), entry.text(1)) }
    }

    /// Adds to the number of entries of an action of an operator. One without entries has no row.
    private func count(_ change: Int, _ by: String, _ action: String) throws {
        try connection.send(
            """
            INSERT INTO audit_share (operator, action, entries)
            VALUES ($1, $2, $3)
            ON CONFLICT (operator, action) DO UPDATE SET entries = audit_share.entries + excluded.entries
            """,
            [.text(by), .text(action), .count(change)])
        try connection.send(
            "DELETE FROM audit_share WHERE operator = $1 AND action = $2 AND entries = 0",
            [.text(by), .text(action)])
    }

    func replace(_ number: Int64, by entry: AuditEntry?) throws {
        guard let entry else { return try remove(number) }
        let known = try connection.run(
            "SELECT operator, action FROM audit_entry WHERE number = $1", [.integer(number)])
        guard let old = known.first else { return }
        try count(-1, old.text(0), old.text(1))
        try count(1, entry.by, entry.action)
        try connection.send(
            """
            UPDATE audit_entry
            SET at = $2, operator = $3, container_name = $4, environment = $5, action = $6, subject = $7,
                before = $8, after = $9
            WHERE number = $1
            """,
            [.integer(number)] + values(of: entry))
    }

    private func values(of entry: AuditEntry) -> [PostgresValue] {
        [
            .integer(entry.at.milliseconds), .text(entry.by), .optional(entry.container),
            .optional(entry.environment?.rawValue), .text(entry.action), .text(entry.subject),
            .optional(entry.before), .optional(entry.after),
        ]
    }

    func entries(of container: String?, before number: Int64?, limit: Int) throws -> [AuditEntry] {
        let condition = container == nil ? "" : "AND container_name = $3"
        return try connection.run(
            """
            SELECT number, at, operator, container_name, environment, action, subject, before, after
            FROM audit_entry
            WHERE number < $1 \(condition)
            ORDER BY number DESC
            LIMIT $2
            """,
            [.integer(number ?? .max), .count(limit)] + (container.map { [.text($0)] } ?? [])
        ).map { row in
            AuditEntry(
                number: row.integer(0), at: Timestamp(milliseconds: row.integer(1)), by: row.text(2),
                container: row.optionalText(3),
                environment: row.optionalText(4).flatMap { CloudEnvironment(rawValue: $0) },
                action: row.text(5), subject: row.text(6), before: row.optionalText(7),
                after: row.optionalText(8))
        }
    }
}
