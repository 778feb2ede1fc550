import Records

/// Brings tables from any released version to the current one. A released migration never changes.
package struct PostgresMigrator: Sendable {
    /// One step, which runs in a transaction.
    package struct Step: Sendable {
        let title: String
        let sql: String

        package init(_ title: String, _ sql: String) {
            self.title = title
            self.sql = sql
        }
    }

    /// The table that notes which steps ran. Tables of different subjects are migrated independently.
    private let table: String
    private let steps: [Step]

    package init(notedIn table: String, _ steps: [Step]) {
        self.table = table
        self.steps = steps
    }

    /// Runs the missing steps. Two programs that start at once wait for each other. Throws if the tables were
    /// migrated by a newer version.
    package func migrate(_ connection: PostgresConnection) throws {
        try connection.execute(
            """
            BEGIN;
            SELECT pg_advisory_xact_lock(7233218);
            CREATE TABLE IF NOT EXISTS \(table) (
                number bigint PRIMARY KEY,
                title text NOT NULL
            );
            COMMIT
            """)
        for (index, step) in steps.enumerated() {
            try connection.execute("BEGIN; SELECT pg_advisory_xact_lock(7233218)")
            do {
                let known = try connection.run("SELECT title FROM \(table) ORDER BY number", [])
                if known.count > steps.count { throw newer }
                if known.count <= index {
                    try connection.execute(step.sql)
                    _ = try connection.run(
                        "INSERT INTO \(table) (number, title) VALUES ($1, $2)",
                        [.count(index + 1), .text(step.title)])
                }
                try connection.execute("COMMIT")
            } catch {
                connection.rollback()
                throw error
            }
        }
    }

    private var newer: RecordError {
        RecordError(
            .internalError, "the tables were made by a newer version", culprit: table,
            nextStep: "start the newer version")
    }
}

extension PostgresConnection {
    /// Throws `badRequest` for a role for which row level security does not hold.
    package func checkRole() throws {
        let rows = try run(
            """
            SELECT rolname::text
            FROM pg_roles
            WHERE rolname = current_user AND (rolsuper OR rolbypassrls)
            """, [])
        guard let role = rows.first?.text(0) else { return }
        throw RecordError(
            .badRequest, "row level security does not hold for the role \(role) of PostgreSQL", culprit: role,
            nextStep: "use a role without SUPERUSER and BYPASSRLS, which owns the database")
    }
}
