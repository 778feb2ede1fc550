import Directory
import PostgreSQLSupport
import Records

/// Reads and writes the people of each container: their record names, and whether others may find them.
struct PostgresUserTable {
    let connection: PostgresConnection

    /// An SQL condition for rows with a record name of a given account.
    static let isOfAccount = """
        (container, user_record_name) IN (
            SELECT container, user_record_name FROM container_user WHERE account = $1
        )
        """

    func recordName(of account: Account, in container: String, candidate: String) throws -> String {
        let known = try connection.run(
            "SELECT user_record_name FROM container_user WHERE container = $1 AND account = $2",
            [.text(container), .text(account.id)])
        if let known = known.first { return known.text(0) }
        try PostgresAccountTable(connection: connection).checkExistence(of: account.id, name: account.name)
        try connection.send(
            "INSERT INTO container_user (container, account, user_record_name) VALUES ($1, $2, $3)",
            [.text(container), .text(account.id), .text(candidate)])
        return candidate
    }

    func recordNames(of account: String) throws -> [String: String] {
        let rows = try connection.run(
            "SELECT container, user_record_name FROM container_user WHERE account = $1", [.text(account)])
        return Dictionary(uniqueKeysWithValues: rows.map { ($0.text(0), $0.text(1)) })
    }

    func account(withRecordName name: String, in container: String) throws -> Account? {
        try connection.run(
            """
            SELECT \(PostgresAccountTable.columns)
            FROM container_user
            JOIN account ON account.id = container_user.account
            WHERE container = $1 AND user_record_name = $2
            """,
            [.text(container), .text(name)]
        ).first.map(PostgresAccountTable.account)
    }

    func containers(withRecordName name: String) throws -> [String] {
        try connection.run(
            "SELECT container FROM container_user WHERE user_record_name = $1 ORDER BY container",
            [.text(name)]
        ).map { $0.text(0) }
    }

    func count(in container: String) throws -> Int64 {
        try connection.run("SELECT COUNT(*) FROM container_user WHERE container = $1", [.text(container)])
            .first?.integer(0) ?? 0
    }

    func recordNames(in container: String, after name: String?, limit: Int) throws -> [String] {
        try connection.run(
            """
            SELECT user_record_name
            FROM container_user
            WHERE container = $1 AND user_record_name > $2
            ORDER BY user_record_name
            LIMIT $3
            """,
            [.text(container), .text(name ?? ""), .count(limit)]
        ).map { $0.text(0) }
    }

    func has(_ recordName: String, in container: String) throws -> Bool {
        try !connection.run(
            "SELECT 1 FROM container_user WHERE container = $1 AND user_record_name = $2",
            [.text(container), .text(recordName)]
        ).isEmpty
    }

    // MARK: Discovery

    func discoverable(
        _ lookup: UserLookup, in container: String
    ) throws -> (account: Account, userRecordName: String)? {
        let (condition, argument) = Self.condition(of: lookup)
        let rows = try connection.run(
            """
            SELECT \(PostgresAccountTable.columns), container_user.user_record_name
            FROM account
            JOIN container_user ON container_user.account = account.id
            WHERE container_user.container = $1
                AND container_user.discoverable = 1
                AND (\(condition))
            """,
            [.text(container), argument])
        return rows.first.map {
            (PostgresAccountTable.account($0), $0.text(PostgresAccountTable.columnCount))
        }
    }

    private static func condition(of lookup: UserLookup) -> (sql: String, PostgresValue) {
        switch lookup {
        case .email(let address): ("account.email = $2", .text(address))
        case .phone(let number): ("account.phone = $2", .text(number))
        case .userRecordName(let name): ("container_user.user_record_name = $2", .text(name))
        case .contactHash(let hash): ("account.email_hash = $2 OR account.phone_hash = $2", .bytes(hash))
        }
    }

    func isDiscoverable(_ recordName: String, in container: String) throws -> Bool? {
        try connection.run(
            "SELECT discoverable FROM container_user WHERE container = $1 AND user_record_name = $2",
            [.text(container), .text(recordName)]
        ).first?.optionalInteger(0).map { $0 == 1 }
    }

    func setDiscoverable(
        _ isDiscoverable: Bool, _ recordName: String, in container: String, hashes: ContactHashes
    ) throws {
        let rows = try connection.run(
            """
            UPDATE container_user
            SET discoverable = $1
            WHERE container = $2 AND user_record_name = $3
            RETURNING account
            """,
            [.count(isDiscoverable ? 1 : 0), .text(container), .text(recordName)])
        guard let account = rows.first?.text(0) else { return }
        try PostgresAccountTable(connection: connection).setHashes(hashes, of: account)
    }
}
