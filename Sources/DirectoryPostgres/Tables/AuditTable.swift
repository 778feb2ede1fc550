import PostgreSQLSupport
import Records

/// Reads and writes the audit log.
struct AuditTable {
    let connection: PostgresConnection

    func add(_ entry: AuditEntry, limit: Int) throws -> Int64 {
        let number = try NumberTable(connection: connection).next("audit_entry")
        try connection.send(
            """
            INSERT INTO audit_entry
                (number, at, operator, container_name, environment, action, subject, before, after)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
            """,
            [.integer(number)] + values(of: entry))
        try connection.send(
            "DELETE FROM audit_entry WHERE number <= $1",
            [.integer(number.subtractingSaturated(Int64(limit)))])
        return number
    }

    func replace(_ number: Int64, by entry: AuditEntry?) throws {
        guard let entry else {
            try connection.send("DELETE FROM audit_entry WHERE number = $1", [.integer(number)])
            return
        }
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
