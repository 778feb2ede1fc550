import GRDB
import Records

/// Reads and writes the audit log.
struct AuditTable {
    let database: Database

    func add(_ entry: AuditEntry, limit: Int) throws -> Int64 {
        try database.execute(
            sql: """
                INSERT INTO audit_entry
                    (at, operator, container_name, environment, action, subject, before, after)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                entry.at.milliseconds, entry.by, entry.container, entry.environment?.rawValue, entry.action,
                entry.subject, entry.before, entry.after,
            ])
        let number = database.lastInsertedRowID
        // Numbers count as entries: gaps are few, because only the entries of refused changes are removed.
        try database.execute(
            sql: "DELETE FROM audit_entry WHERE number <= ?",
            arguments: [number.subtractingSaturated(Int64(limit))])
        return number
    }

    func replace(_ number: Int64, by entry: AuditEntry?) throws {
        guard let entry else {
            return try database.execute(
                sql: "DELETE FROM audit_entry WHERE number = ?", arguments: [number])
        }
        try database.execute(
            sql: """
                UPDATE audit_entry
                SET at = ?, operator = ?, container_name = ?, environment = ?, action = ?, subject = ?,
                    before = ?, after = ?
                WHERE number = ?
                """,
            arguments: [
                entry.at.milliseconds, entry.by, entry.container, entry.environment?.rawValue, entry.action,
                entry.subject, entry.before, entry.after, number,
            ])
    }

    func entries(of container: String?, before number: Int64?, limit: Int) throws -> [AuditEntry] {
        let condition = container == nil ? "" : "AND container_name = ?"
        var arguments: StatementArguments = [number ?? .max]
        if let container { arguments += [container] }
        return try Row.fetchAll(
            database,
            sql: """
                SELECT number, at, operator, container_name, environment, action, subject, before, after
                FROM audit_entry
                WHERE number < ? \(condition)
                ORDER BY number DESC
                LIMIT ?
                """,
            arguments: arguments + [limit]
        )
        .map(Self.entry)
    }

    private static func entry(_ row: Row) -> AuditEntry {
        AuditEntry(
            number: row[0], at: Timestamp(milliseconds: row[1]), by: row[2], container: row[3],
            environment: (row[4] as String?).flatMap { CloudEnvironment(rawValue: $0) }, action: row[5],
            subject: row[6], before: row[7], after: row[8])
    }
}
