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
        try count(1, entry.by, entry.action)
        let count = try Int.fetchOne(database, sql: "SELECT SUM(entries) FROM audit_share") ?? 0
        for _ in 0..<max(0, count - limit) { try removeOldest() }
        return number
    }

    /// Deletes the oldest entry of the largest share.
    private func removeOldest() throws {
        let oldest = try Int64.fetchOne(
            database,
            sql: """
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
                """)
        if let oldest { try remove(oldest) }
    }

    private func remove(_ number: Int64) throws {
        guard let (by, action) = try share(of: number) else { return }
        try database.execute(sql: "DELETE FROM audit_entry WHERE number = ?", arguments: [number])
        try count(-1, by, action)
    }

    /// The operator and the action of an entry, by which it is counted; nil if the log no longer has it.
    private func share(of number: Int64) throws -> (by: String, action: String)? {
        try Row.fetchOne(
            database, sql: "SELECT operator, action FROM audit_entry WHERE number = ?", arguments: [number]
        )
        .map { ($0[0], $0[1]) }
    }

    /// Adds to the number of entries of an action of an operator. One without entries has no row.
    private func count(_ change: Int, _ by: String, _ action: String) throws {
        try database.execute(
            sql: """
                INSERT INTO audit_share (operator, action, entries)
                VALUES (:operator, :action, :change)
                ON CONFLICT (operator, action) DO UPDATE SET entries = entries + excluded.entries
                """,
            arguments: ["operator": by, "action": action, "change": change])
        try database.execute(
            sql: "DELETE FROM audit_share WHERE operator = ? AND action = ? AND entries = 0",
            arguments: [by, action])
    }

    func replace(_ number: Int64, by entry: AuditEntry?) throws {
        guard let entry else { return try remove(number) }
        guard let (by, action) = try share(of: number) else { return }
        try count(-1, by, action)
        try count(1, entry.by, entry.action)
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
