import Records

/// Brings tables from any released version to the current one. A released migration never changes.
///
/// While nodes are replaced by those of a newer release, both use the tables. The database notes its version,
/// which is the number of the last step, and the lowest version that a release must know to use the tables.
/// Each step says how far it raises that: one that only adds something, not at all, so earlier releases go
/// on. A step waits until no program with a lower version has a connection.
///
/// So a change that earlier releases would not survive, such as another name of a column, takes three
/// releases, each of which can run beside the one before it. The first one expands the tables, and reads and
/// writes both forms. The second one uses the new form only. The third one contracts the tables, by a step
/// that is compatible from the version of the second one on.
package struct PostgresMigrator: Sendable {
    /// One step, which runs in a transaction.
    package struct Step: Sendable {
        let title: String
        let sql: String
        let compatibleFrom: Int?

        /// - Parameter compatibleFrom: The lowest version that a release must know to use the tables after
        ///   this step: each of its statements works as before, and the releases that know the step
        ///   understand the rows that it writes. A step that only adds tables, indexes that refuse no row,
        ///   and columns with a default value or NULL can have the version of the step before. nil: the
        ///   version of this step.
        package init(_ title: String, compatibleFrom: Int? = nil, _ sql: String) {
            self.title = title
            self.sql = sql
            self.compatibleFrom = compatibleFrom
        }
    }

    /// What the database notes.
    private struct Version {
        /// The number of the last step.
        var number: Int
        /// The number that a release must know to use the tables.
        var lowest: Int
    }

    /// The table that notes which steps ran. Tables of different subjects are migrated independently.
    private let table: String
    private let steps: [Step]

    package init(notedIn table: String, _ steps: [Step]) {
        self.table = table
        self.steps = steps
    }

    /// Runs the missing steps. Two programs that start at once wait for each other.
    ///
    /// Throws `tryAgainLater` if a newer release has migrated the tables and this one can no longer use them,
    /// or if a step is not compatible and programs of an earlier release use the tables.
    ///
    /// - Parameter attempts: how often it looks whether such programs have ended, three times each second.
    package func migrate(_ connection: PostgresConnection, attempts: Int = 10) throws {
        try connection.execute(
            """
            BEGIN ISOLATION LEVEL READ COMMITTED;
            SELECT pg_advisory_xact_lock(\(Self.turn));
            CREATE TABLE IF NOT EXISTS \(table) (
                number bigint PRIMARY KEY,
                title text NOT NULL
            );
            -- The lowest version after the step; NULL: that of the step.
            ALTER TABLE \(table) ADD COLUMN IF NOT EXISTS compatible_from bigint;
            COMMIT
            """)
        for index in steps.indices {
            try connection.execute(
                "BEGIN ISOLATION LEVEL READ COMMITTED; SELECT pg_advisory_xact_lock(\(Self.turn))")
            do {
                let version = try version(connection)
                try check(version)
                if version.number <= index { try run(index, after: version, attempts, connection) }
                try connection.execute("COMMIT")
            } catch {
                connection.rollback()
                throw error
            }
        }
    }

    /// Reserves the tables for a connection until it ends: until then, no step runs that is not compatible
    /// with this release. Waits while one runs. Throws `tryAgainLater` if this release cannot use the tables
    /// any more, so that clients wait until they find a node of a newer one.
    package func reserve(_ connection: PostgresConnection) throws {
        _ = try connection.run(
            "SELECT pg_advisory_lock_shared(\(Self.use), \(Self.key))",
            [.text(table), .count(steps.count)], reuse: .none)
        try check(version(connection))
    }

    private func run(
        _ index: Int, after version: Version, _ attempts: Int, _ connection: PostgresConnection
    ) throws {
        let (step, number) = (steps[index], index + 1)
        let lowest = max(version.lowest, step.compatibleFrom ?? number)
        try waitForOthers(below: lowest, number, attempts, connection)
        try connection.execute(step.sql)
        _ = try connection.run(
            "INSERT INTO \(table) (number, title, compatible_from) VALUES ($1, $2, $3)",
            [.count(number), .text(step.title), .count(lowest)])
    }

    private func version(_ connection: PostgresConnection) throws -> Version {
        let rows = try connection.run(
            "SELECT MAX(number), MAX(COALESCE(compatible_from, number)) FROM \(table)", [], reuse: .none)
        return Version(number: Int(rows.first?.integer(0) ?? 0), lowest: Int(rows.first?.integer(1) ?? 0))
    }

    private func check(_ version: Version) throws {
        guard version.number > steps.count, version.lowest > steps.count else { return }
        throw RecordError(
            .tryAgainLater,
            "a newer release has changed the tables to version \(version.number), which releases can use "
                + "from version \(version.lowest) on; this one has version \(steps.count)",
            culprit: table, nextStep: "start the newer release", retryAfter: 10)
    }

    /// Waits until no other connection has reserved the tables for a version below `lowest`, and keeps such
    /// ones from it until the end of the transaction.
    private func waitForOthers(
        below lowest: Int, _ number: Int, _ attempts: Int, _ connection: PostgresConnection
    ) throws {
        for attempt in 1...max(1, attempts) {
            if attempt > 1 { _ = try connection.run("SELECT 1 FROM pg_sleep(0.3)", []) }
            let rows = try connection.run(
                """
                SELECT 1
                FROM generate_series(1, $2 - 1) AS version
                WHERE NOT pg_try_advisory_xact_lock(
                    \(Self.use), \(Self.key.replacing("$2", with: "version"))
                )
                """,
                [.text(table), .count(lowest)])
            if rows.isEmpty { return }
        }
        throw RecordError(
            .tryAgainLater,
            "programs of an earlier release are using the tables, and version \(number) of the tables is not "
                + "compatible with them",
            culprit: table, nextStep: "stop all nodes of the earlier release, then start this one",
            retryAfter: 10)
    }

    /// The advisory lock of the program that migrates, in PostgreSQL's space of single numbers.
    private static let turn = 7_233_218
    /// The first number of the advisory locks of those who use tables, in the space of two numbers.
    private static let use = 7_233_219
    /// The second number: that of releases with the version `$2` of the tables `$1`, in the connection's
    /// schema.
    private static let key = "hashtext(current_schema() || '.' || $1 || '.' || $2)"
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
