import Directory
import Foundation
import GRDB
import Records

/// Reads and writes accounts, with the hashes by which people are found.
struct AccountTable {
    let database: Database

    /// The columns that `account(_:)` expects.
    static let columns = """
        account.id, account.name, account.email, account.phone, account.given_name, account.family_name,
        account.status, account.created_at, account.password IS NOT NULL, account.quota_bytes
        """

    /// The account in a row that begins with `columns`.
    static func account(_ row: Row) -> Account {
        Account(
            id: row[0], name: row[1], email: row[2], phone: row[3], givenName: row[4], familyName: row[5],
            status: AccountStatus(rawValue: row[6]) ?? .restricted,
            created: Timestamp(milliseconds: row[7]), hasPassword: row[8], quotaBytes: row[9]
        )
    }

    func account(named name: String) throws -> Account? {
        try Row.fetchOne(
            database, sql: "SELECT \(Self.columns) FROM account WHERE name = ?", arguments: [name]
        )
        .map(Self.account)
    }

    func account(signingInAs name: String) throws -> Account? {
        try Row.fetchOne(
            database,
            sql: """
                SELECT \(Self.columns)
                FROM account
                WHERE name = ? OR email = ?
                ORDER BY name = ? DESC
                """,
            arguments: [name, name.lowercased(), name]
        )
        .map(Self.account)
    }

    func accounts() throws -> [Account] {
        try Row.fetchAll(database, sql: "SELECT \(Self.columns) FROM account ORDER BY name")
            .map(Self.account)
    }

    func accounts(after name: String?, limit: Int) throws -> [Account] {
        // Every name has at least one character, so all names come after the empty one.
        try Row.fetchAll(
            database,
            sql: """
                SELECT \(Self.columns)
                FROM account
                WHERE name > ?
                ORDER BY name
                LIMIT ?
                """,
            arguments: [name ?? "", limit]
        )
        .map(Self.account)
    }

    /// Throws `notFound`, with `name` as the culprit, for a missing account.
    func checkExistence(of id: String, name: String) throws {
        let isThere = try Bool.fetchOne(
            database, sql: "SELECT EXISTS (SELECT 1 FROM account WHERE id = ?)", arguments: [id])
        if isThere != true { throw AccountRules.missing(name) }
    }

    // MARK: Writing

    func add(_ account: Account, password: String?) throws {
        try checkUnique(account)
        try database.execute(
            sql: """
                INSERT INTO account
                    (id, name, email, phone, given_name, family_name, password, status, created_at,
                    quota_bytes)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                account.id, account.name, account.email, account.phone, account.givenName,
                account.familyName, password, account.status.rawValue, account.created.milliseconds,
                account.quotaBytes,
            ]
        )
    }

    func change(_ account: Account, hashes: ContactHashes) throws {
        try checkUnique(account)
        try database.execute(
            sql: """
                UPDATE account
                SET name = ?, email = ?, phone = ?, given_name = ?, family_name = ?, status = ?,
                    quota_bytes = ?
                WHERE id = ?
                """,
            arguments: [
                account.name, account.email, account.phone, account.givenName, account.familyName,
                account.status.rawValue, account.quotaBytes, account.id,
            ]
        )
        if database.changesCount == 0 { throw AccountRules.missing(account.name) }
        try setHashes(hashes, of: account.id)
    }

    func setHashes(_ hashes: ContactHashes, of account: String) throws {
        try database.execute(
            sql: "UPDATE account SET email_hash = ?, phone_hash = ? WHERE id = ?",
            arguments: [hashes.email.map { Data($0) }, hashes.phone.map { Data($0) }, account]
        )
    }

    func password(of account: String) throws -> String? {
        try String.fetchOne(
            database, sql: "SELECT password FROM account WHERE id = ?", arguments: [account])
    }

    func setPassword(_ password: String?, of account: String) throws {
        try database.execute(
            sql: "UPDATE account SET password = ? WHERE id = ?", arguments: [password, account])
        if database.changesCount == 0 { throw AccountRules.missing(account) }
    }

    /// Removes an account. Its sessions must have been ended before.
    func remove(_ account: String) throws {
        try BadgeTable(database: database).remove(of: account)
        try LinkedAddressTable(database: database).remove(of: account)
        try SharedZoneTable.remove(of: account, database)
        try UserTable(database: database).remove(account)
        try database.execute(sql: "DELETE FROM account WHERE id = ?", arguments: [account])
    }

    private func checkUnique(_ account: Account) throws {
        try AccountRules.checkUnique(account) { try isTaken($0, byOtherThan: account.id) }
    }

    /// Whether an account other than this one has a text as name, e-mail address or phone number, or as a
    /// linked address.
    func isTaken(_ text: String, byOtherThan account: String) throws -> Bool {
        // The same rules as in `AccountRules.answers`.
        try Bool.fetchOne(
            database,
            sql: """
                SELECT EXISTS (
                    SELECT 1
                    FROM account
                    WHERE id <> ? AND (name = ? OR email = ? OR phone = ?)
                ) OR EXISTS (
                    SELECT 1
                    FROM linked_address
                    WHERE account <> ? AND address IN (?, ?)
                )
                """,
            arguments: [
                account, text, text.lowercased(), text, account,
                ContactAddress.email(text.lowercased()).text, ContactAddress.phone(text).text,
            ]
        ) == true
    }
}
