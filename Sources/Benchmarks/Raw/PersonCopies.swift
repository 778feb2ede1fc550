import Foundation

/// Makes people out of one: each gets the rows that this person has in all tables, with another account,
/// another user record name, and a private database of its own. No server may run meanwhile; one that starts
/// later treats these people as those that have signed in.
struct PersonCopies {
    private let connection: RawConnection
    private let account: String
    private let userName: String
    private let database: String
    /// The tables with rows of record databases.
    private let tables: [String]

    private static let place = "\(CloudletSubject.container)/development/"
    private static let directoryTables = ["account", "container_user", "session", "record_database"]

    /// - Parameters:
    ///   - name: The name with which the person signs in.
    ///   - address: The address of the database.
    init(of name: String, in address: String) throws {
        let connection = try RawConnection(address)
        func first(_ sql: String) throws -> String {
            guard let text = try connection.texts(sql).first else {
                throw BenchmarkError("the database has no private data of \(name)")
            }
            return text
        }
        self.connection = connection
        account = try first("SELECT id FROM account WHERE name = '\(name)'")
        userName = try first(
            """
            SELECT user_record_name
            FROM container_user
            WHERE account = '\(account)' AND container = '\(CloudletSubject.container)'
            """)
        database = try first(
            "SELECT number::text FROM record_database WHERE name = '\(Self.place)\(userName)'")
        let others = try connection.texts(
            """
            SELECT c.relname::text
            FROM pg_class c
            JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'database'
            WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p')
                AND NOT c.relispartition
            ORDER BY c.relname
            """)
        tables = ["database"] + others
    }

    /// The name with which a copy signs in.
    static func name(_ number: Int) -> String { "copy\(number)" }

    /// Adds the copies with these numbers, in one transaction. Then it cleans the tables up and counts their
    /// values, so that the engine does not do it during the measurement.
    func add(_ numbers: Range<Int>) throws {
        var statements = [nameDatabases(numbers), copyAccounts()]
        // The owner of the tables sees the rows of all databases meanwhile.
        statements += tables.map { "ALTER TABLE \($0) NO FORCE ROW LEVEL SECURITY" }
        statements += try tables.map(copyRows)
        statements += tables.map { "ALTER TABLE \($0) FORCE ROW LEVEL SECURITY" }
        statements.append("DROP TABLE new_person")
        try connection.execute(statements.joined(separator: ";\n"))
        try connection.execute(
            "VACUUM (ANALYZE) \((Self.directoryTables + tables).joined(separator: ", "))")
    }

    /// Gives the private databases of the copies their numbers.
    private func nameDatabases(_ numbers: Range<Int>) -> String {
        let series = "generate_series(\(numbers.lowerBound), \(numbers.upperBound - 1)) AS p"
        let name = "'\(Self.place)_' || md5('user' || p)"
        return """
            INSERT INTO record_database (name) SELECT \(name) FROM \(series);
            CREATE TEMPORARY TABLE new_person AS
                SELECT 'copy' || p AS name, md5('account' || p) AS account,
                    '_' || md5('user' || p) AS user_name, d.number AS database
                FROM \(series)
                JOIN record_database d ON d.name = \(name);
            ANALYZE new_person
            """
    }

    /// Each copy has a session, too, but nobody knows its token.
    private func copyAccounts() -> String {
        """
        INSERT INTO account (id, name, status, created_at)
            SELECT n.account, n.name, t.status, t.created_at
            FROM account t
            CROSS JOIN new_person n
            WHERE t.id = '\(account)';
        INSERT INTO container_user (container, account, user_record_name)
            SELECT t.container, n.account, n.user_name
            FROM container_user t
            CROSS JOIN new_person n
            WHERE t.account = '\(account)' AND t.container = '\(CloudletSubject.container)';
        INSERT INTO session (hash, account, container, environment, lifetime, seen_at, created_at, is_open)
            SELECT sha256(t.hash || convert_to(n.account, 'UTF8')), n.account, t.container, t.environment,
                t.lifetime, t.seen_at, t.created_at, t.is_open
            FROM session t
            CROSS JOIN new_person n
            WHERE t.account = '\(account)'
        """
    }

    /// A statement that copies the rows of a table. In texts and bytes, such as the heads of records, it
    /// replaces the user record name by that of the copy, which has the same length.
    private func copyRows(of table: String) throws -> String {
        let key = table == "database" ? "id" : "database"
        let bytes = userName.utf8.map { String(format: "%02x", $0) }.joined()
        let statements = try connection.texts(
            """
            SELECT format(
                'INSERT INTO %1$I (%2$s) SELECT %3$s FROM %1$I t CROSS JOIN new_person n WHERE t.%4$I = %5$s',
                '\(table)', string_agg(quote_ident(attname), ', ' ORDER BY attnum),
                string_agg(
                    CASE
                        WHEN attname = '\(key)' THEN 'n.database'
                        WHEN attname = 'identity' THEN 'hashint8extended(n.database, 0)'
                        WHEN atttypid = 'text'::regtype THEN
                            format('replace(t.%I, ''\(userName)'', n.user_name)', attname)
                        WHEN atttypid = 'bytea'::regtype THEN
                            format(
                                'decode(replace(encode(t.%I, ''hex''), ''\(bytes)'', '
                                || 'encode(convert_to(n.user_name, ''UTF8''), ''hex'')), ''hex'')', attname)
                        ELSE format('t.%I', attname)
                    END, ', ' ORDER BY attnum),
                '\(key)', '\(database)')
            FROM pg_attribute
            WHERE attrelid = '\(table)'::regclass AND attnum > 0 AND NOT attisdropped
            """)
        return statements[0]
    }
}
