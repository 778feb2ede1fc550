import Directory
import Foundation
import GRDB
import Records

/// Reads and writes the people of each container: their record names, and whether others may find them.
struct UserTable {
    let database: Database

    /// An SQL condition for rows with a record name of a given account.
    static let isOfAccount = """
        (container, user_record_name) IN (
            SELECT container, user_record_name FROM container_user WHERE account = ?
        )
        """

    func recordName(of account: Account, in container: String, candidate: String) throws -> String {
        let known = try String.fetchOne(
            database,
            sql: "SELECT user_record_name FROM container_user WHERE container = ? AND account = ?",
            arguments: [container, account.id])
        if let known { return known }
        try AccountTable(database: database).checkExistence(of: account.id, name: account.name)
        try database.execute(
            sql: "INSERT INTO container_user (container, account, user_record_name) VALUES (?, ?, ?)",
            arguments: [container, account.id, candidate]
        )
        return candidate
    }

    func recordNames(of account: String) throws -> [String: String] {
        let rows = try Row.fetchAll(
            database, sql: "SELECT container, user_record_name FROM container_user WHERE account = ?",
            arguments: [account]
        )
        return Dictionary(uniqueKeysWithValues: rows.map { ($0[0], $0[1]) })
    }

    func account(withRecordName name: String, in container: String) throws -> Account? {
        try Row.fetchOne(
            database,
            sql: """
                SELECT \(AccountTable.columns)
                FROM container_user
                JOIN account ON account.id = container_user.account
                WHERE container = ? AND user_record_name = ?
                """,
            arguments: [container, name]
        )
        .map(AccountTable.account)
    }

    func containers(withRecordName name: String) throws -> [String] {
        try String.fetchAll(
            database,
            sql: "SELECT container FROM container_user WHERE user_record_name = ? ORDER BY container",
            arguments: [name])
    }

    func count(in container: String) throws -> Int64 {
        try Int64.fetchOne(
            database, sql: "SELECT COUNT(*) FROM container_user WHERE container = ?",
            arguments: [container]
        ) ?? 0
    }

    func recordNames(in container: String, after name: String?, limit: Int) throws -> [String] {
        try String.fetchAll(
            database,
            sql: """
                SELECT user_record_name
                FROM container_user
                WHERE container = ? AND user_record_name > ?
                ORDER BY user_record_name
                LIMIT ?
                """,
            arguments: [container, name ?? "", limit]
        )
    }

    func has(_ recordName: String, in container: String) throws -> Bool {
        try Bool.fetchOne(
            database,
            sql: """
                SELECT EXISTS (
                    SELECT 1 FROM container_user WHERE container = ? AND user_record_name = ?
                )
                """,
            arguments: [container, recordName]
        ) == true
    }

    /// Removes a person from all containers, and from the roles there.
    func remove(_ account: String) throws {
        try database.execute(sql: "DELETE FROM container_user WHERE account = ?", arguments: [account])
    }

    // MARK: Discovery

    func discoverable(
        _ lookup: UserLookup, in container: String
    ) throws -> (account: Account, userRecordName: String)? {
        let (condition, arguments) = Self.condition(of: lookup)
        // A request looks for many people, so the statement is compiled once for all.
        let statement = try database.cachedStatement(
            sql: """
                SELECT \(AccountTable.columns), container_user.user_record_name
                FROM account
                JOIN container_user ON container_user.account = account.id
                WHERE container_user.container = ?
                    AND container_user.discoverable = 1
                    AND (\(condition))
                """)
        let row = try Row.fetchOne(statement, arguments: [container] + arguments)
        return row.map { (AccountTable.account($0), $0["user_record_name"]) }
    }

    private static func condition(of lookup: UserLookup) -> (sql: String, StatementArguments) {
        switch lookup {
        case .email(let address): ("account.email = ?", [address])
        case .phone(let number): ("account.phone = ?", [number])
        case .userRecordName(let name): ("container_user.user_record_name = ?", [name])
        case .contactHash(let hash):
            ("account.email_hash = ? OR account.phone_hash = ?", [Data(hash), Data(hash)])
        }
    }

    func isDiscoverable(_ recordName: String, in container: String) throws -> Bool? {
        try Bool.fetchOne(
            database,
            sql: "SELECT discoverable FROM container_user WHERE container = ? AND user_record_name = ?",
            arguments: [container, recordName])
    }

    func setDiscoverable(
        _ isDiscoverable: Bool, _ recordName: String, in container: String, hashes: ContactHashes
    ) throws {
        let account = try String.fetchOne(
            database,
            sql: """
                UPDATE container_user
                SET discoverable = ?
                WHERE container = ? AND user_record_name = ?
                RETURNING account
                """,
            arguments: [isDiscoverable, container, recordName])
        if let account { try AccountTable(database: database).setHashes(hashes, of: account) }
    }
}
