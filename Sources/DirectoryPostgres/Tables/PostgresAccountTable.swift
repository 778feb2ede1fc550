import Directory
import PostgreSQLSupport
import Records

/// Reads and writes accounts, with the hashes by which people are found.
struct PostgresAccountTable {
    let connection: PostgresConnection

    /// The columns that `account(_:)` expects.
    static let columns = """
        account.id, account.name, account.email, account.phone, account.given_name, account.family_name,
        account.status, account.created_at, account.password IS NOT NULL, account.quota_bytes
        """

    /// The number of these columns.
    static let columnCount: Int32 = 10

    /// The account in a row that begins with `columns`.
    static func account(_ row: PostgresRow) -> Account {
        Account(
            id: row.text(0), name: row.text(1), email: row.optionalText(2), phone: row.optionalText(3),
            givenName: row.optionalText(4), familyName: row.optionalText(5),
            status: AccountStatus(rawValue: row.text(6)) ?? .restricted,
            created: Timestamp(milliseconds: row.integer(7)), hasPassword: row.bool(8),
            quotaBytes: row.optionalInteger(9)
        )
    }

    func account(named name: String) throws -> Account? {
        try connection.run("SELECT \(Self.columns) FROM account WHERE name = $1", [.text(name)])
            .first.map(Self.account)
    }

    func account(signingInAs name: String) throws -> Account? {
        try connection.run(
            """
            SELECT \(Self.columns)
            FROM account
            WHERE name = $1 OR email = $2
            ORDER BY name = $1 DESC
            """,
            [.text(name), .text(name.lowercased())]
        ).first.map(Self.account)
    }

    func accounts() throws -> [Account] {
        try connection.run("SELECT \(Self.columns) FROM account ORDER BY name", []).map(Self.account)
    }

    func accounts(after name: String?, limit: Int) throws -> [Account] {
        // Every name has at least one character, so all names come after the empty one.
        try connection.run(
            """
            SELECT \(Self.columns)
            FROM account
            WHERE name > $1
            ORDER BY name
            LIMIT $2
            """,
            [.text(name ?? ""), .count(limit)]
        ).map(Self.account)
    }

    /// Throws `notFound`, with `name` as the culprit, for a missing account.
    func checkExistence(of id: String, name: String) throws {
        let rows = try connection.run("SELECT 1 FROM account WHERE id = $1", [.text(id)])
        if rows.isEmpty { throw AccountRules.missing(name) }
    }

    // MARK: Writing

    func add(_ account: Account, password: String?) throws {
        try checkUnique(account)
        try connection.send(
            """
            INSERT INTO account
                (id, name, email, phone, given_name, family_name, password, status, created_at, quota_bytes)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
            """,
            [
                .text(account.id), .text(account.name), .optional(account.email), .optional(account.phone),
                .optional(account.givenName), .optional(account.familyName), .optional(password),
                .text(account.status.rawValue), .integer(account.created.milliseconds),
                .optional(account.quotaBytes),
            ])
    }

    func change(_ account: Account, hashes: ContactHashes) throws {
        try checkUnique(account)
        let changed = try connection.run(
            """
            UPDATE account
            SET name = $1, email = $2, phone = $3, given_name = $4, family_name = $5, status = $6,
                quota_bytes = $7
            WHERE id = $8
            """,
            [
                .text(account.name), .optional(account.email), .optional(account.phone),
                .optional(account.givenName), .optional(account.familyName),
                .text(account.status.rawValue), .optional(account.quotaBytes), .text(account.id),
            ])
        if changed.affected == 0 { throw AccountRules.missing(account.name) }
        try setHashes(hashes, of: account.id)
    }

    func setHashes(_ hashes: ContactHashes, of account: String) throws {
        try connection.send(
            "UPDATE account SET email_hash = $1, phone_hash = $2 WHERE id = $3",
            [.optional(hashes.email), .optional(hashes.phone), .text(account)])
    }

    func password(of account: String) throws -> String? {
        try connection.run("SELECT password FROM account WHERE id = $1", [.text(account)])
            .first?.optionalText(0)
    }

    func setPassword(_ password: String?, of account: String) throws {
        let changed = try connection.run(
            "UPDATE account SET password = $1 WHERE id = $2", [.optional(password), .text(account)])
        if changed.affected == 0 { throw AccountRules.missing(account) }
    }

    /// Removes an account. Its sessions must have been ended before.
    func remove(_ account: String) throws {
        for table in ["badge", "shared_zone"] {
            try connection.send(
                "DELETE FROM \(table) WHERE \(PostgresUserTable.isOfAccount)", [.text(account)])
        }
        // Whoever leaves a container leaves the roles there, too.
        for table in ["linked_address", "container_user"] {
            try connection.send("DELETE FROM \(table) WHERE account = $1", [.text(account)])
        }
        try connection.send("DELETE FROM account WHERE id = $1", [.text(account)])
    }

    private func checkUnique(_ account: Account) throws {
        try AccountRules.checkUnique(account) { try isTaken($0, byOtherThan: account.id) }
    }

    /// Whether an account other than this one has a text as name, e-mail address or phone number, or as a
    /// linked address.
    private func isTaken(_ text: String, byOtherThan account: String) throws -> Bool {
        // The same rules as in `AccountRules.isIdentified`.
        try connection.run(
            """
            SELECT EXISTS (
                SELECT 1
                FROM account
                WHERE id <> $1 AND (name = $2 OR email = $3 OR phone = $2)
            ) OR EXISTS (
                SELECT 1
                FROM linked_address
                WHERE account <> $1 AND address IN ($4, $5)
            )
            """,
            [
                .text(account), .text(text), .text(text.lowercased()),
                .text(ContactAddress.email(text.lowercased()).text), .text(ContactAddress.phone(text).text),
            ]
        ).first?.bool(0) == true
    }

    // MARK: Linked addresses

    func link(_ address: ContactAddress, to account: String) throws {
        try checkExistence(of: account, name: account)
        if try isTaken(address.value, byOtherThan: account) { throw AccountRules.taken(address) }
        try connection.send(
            "INSERT INTO linked_address (address, account) VALUES ($1, $2) ON CONFLICT DO NOTHING",
            [.text(address.text), .text(account)])
    }

    func linkedAddresses(of account: String) throws -> [ContactAddress] {
        try connection.run(
            "SELECT address FROM linked_address WHERE account = $1 ORDER BY address", [.text(account)]
        ).compactMap { ContactAddress(text: $0.text(0)) }
    }
}
