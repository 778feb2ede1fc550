import Foundation
import GRDB
package import RecordStore
package import Records

extension SQLiteDirectory {
    package func account(named name: String, newID: String, at time: Timestamp) async throws -> Account {
        try await write { database in
            let row = try Row.fetchOne(
                database, sql: "SELECT \(Self.accountColumns) FROM account WHERE name = ?", arguments: [name])
            if let row { return Self.account(row) }
            let account = Account(id: newID, name: name, created: time)
            try Self.checkUnique(account, in: database)
            try database.execute(
                sql: "INSERT INTO account (id, name, created_at) VALUES (?, ?, ?)",
                arguments: [newID, name, time.milliseconds]
            )
            return account
        }
    }

    package func add(_ account: Account, password: String?) async throws {
        try await write { database in
            try Self.checkUnique(account, in: database)
            try database.execute(
                sql: """
                    INSERT INTO account
                        (id, name, email, phone, given_name, family_name, password, status, created_at)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                    """,
                arguments: [
                    account.id, account.name, account.email, account.phone, account.givenName,
                    account.familyName, password, account.status.rawValue, account.created.milliseconds,
                ]
            )
        }
    }

    package func accounts() async throws -> [Account] {
        try await read { database in
            try Row.fetchAll(database, sql: "SELECT \(Self.accountColumns) FROM account ORDER BY name")
                .map(Self.account)
        }
    }

    package func account(signingInAs name: String) async throws -> Account? {
        try await read { database in
            try Row.fetchOne(
                database,
                sql: """
                    SELECT \(Self.accountColumns) FROM account
                    WHERE name = ? OR email = ?
                    ORDER BY name = ? DESC
                    """,
                arguments: [name, name.lowercased(), name]
            ).map(Self.account)
        }
    }

    package func change(_ account: Account, hashes: ContactHashes) async throws {
        try await write { database in
            try Self.checkUnique(account, in: database)
            try database.execute(
                sql: """
                    UPDATE account
                    SET name = ?, email = ?, phone = ?, given_name = ?, family_name = ?, status = ?,
                        email_hash = ?, phone_hash = ?
                    WHERE id = ?
                    """,
                arguments: [
                    account.name, account.email, account.phone, account.givenName, account.familyName,
                    account.status.rawValue, hashes.email.map { Data($0) },
                    hashes.phone.map { Data($0) }, account.id,
                ]
            )
            if database.changesCount == 0 { throw Self.noAccount(account.name) }
        }
    }

    package func password(of account: String) async throws -> String? {
        try await read { database in
            try String.fetchOne(
                database, sql: "SELECT password FROM account WHERE id = ?", arguments: [account])
        }
    }

    package func setPassword(_ password: String?, of account: String) async throws -> EndedSessions {
        try await write { database in
            try database.execute(
                sql: "UPDATE account SET password = ? WHERE id = ?", arguments: [password, account])
            if database.changesCount == 0 { throw Self.noAccount(account) }
            return try Self.endSessions(of: account, in: database)
        }
    }

    package func removeAccount(_ account: String) async throws -> EndedSessions {
        try await write { database in
            let ended = try Self.endSessions(of: account, in: database)
            try database.execute(
                sql: "DELETE FROM badge WHERE \(Self.isOfAccount)", arguments: [account])
            try database.execute(sql: "DELETE FROM container_user WHERE account = ?", arguments: [account])
            try database.execute(sql: "DELETE FROM account WHERE id = ?", arguments: [account])
            return ended
        }
    }

    /// The condition on rows that are kept for a person under the record name in a container.
    static let isOfAccount = """
        (container, user_record_name) IN (
            SELECT container, user_record_name FROM container_user WHERE account = ?
        )
        """

    /// Throws when somebody else has the name, address or number.
    private static func checkUnique(_ account: Account, in database: Database) throws {
        let wanted = [("name", account.name), ("email", account.email), ("phone", account.phone)]
        for case (let what, let value?) in wanted {
            let taken = try Bool.fetchOne(
                database,
                sql: """
                    SELECT EXISTS (
                        SELECT 1 FROM account
                        WHERE id <> ? AND (name = ? OR email = ? OR phone = ?)
                    )
                    """,
                arguments: [account.id, value, value.lowercased(), value]
            )
            guard taken == true else { continue }
            throw RecordError(
                .exists, "somebody else has this \(what)", culprit: value, nextStep: "choose another"
            )
        }
    }

    private static func noAccount(_ name: String) -> RecordError {
        RecordError(.notFound, "there is no such person", culprit: name, nextStep: "list the people")
    }

    // MARK: Rows

    static let accountColumns = """
        account.id, account.name, account.email, account.phone, account.given_name, account.family_name,
        account.status, account.created_at, account.password IS NOT NULL
        """

    /// The account of a row that begins with `accountColumns`.
    static func account(_ row: Row) -> Account {
        Account(
            id: row[0], name: row[1], email: row[2], phone: row[3], givenName: row[4], familyName: row[5],
            status: AccountStatus(rawValue: row[6]) ?? .restricted,
            created: Timestamp(milliseconds: row[7]), hasPassword: row[8]
        )
    }
}
