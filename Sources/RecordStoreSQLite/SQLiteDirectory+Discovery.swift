import Foundation
import GRDB
package import RecordStore
package import Records

extension SQLiteDirectory {
    /// Nobody was asked before this step. Never changes once released.
    static func registerDiscovery(_ migrator: inout DatabaseMigrator) {
        migrator.registerMigration("discovery: permissions, hashes of addresses") { database in
            try database.execute(sql: discoveryColumns)
        }
    }

    private static let discoveryColumns = """
        ALTER TABLE container_user ADD COLUMN discoverable INTEGER; -- 0 or 1; NULL: never asked
        ALTER TABLE account ADD COLUMN email_hash BLOB;  -- NULL: no address, or nobody may find the person
        ALTER TABLE account ADD COLUMN phone_hash BLOB;  -- likewise

        -- By these, devices look for people without telling their addresses.
        CREATE INDEX account_by_email_hash ON account (email_hash) WHERE email_hash IS NOT NULL;
        CREATE INDEX account_by_phone_hash ON account (phone_hash) WHERE phone_hash IS NOT NULL;
        """

    package func discoverableUsers(
        _ lookups: [UserLookup], in container: String
    ) async throws -> [(account: Account, userRecordName: String)?] {
        try await read { database in
            try lookups.map { lookup in
                let (condition, arguments) = Self.condition(of: lookup)
                let row = try Row.fetchOne(
                    database,
                    sql: """
                        SELECT \(Self.accountColumns), container_user.user_record_name
                        FROM account
                        JOIN container_user ON container_user.account = account.id
                        WHERE container_user.container = ?
                            AND container_user.discoverable = 1
                            AND (\(condition))
                        """,
                    arguments: [container] + arguments
                )
                return row.map { (Self.account($0), $0["user_record_name"]) }
            }
        }
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

    package func isDiscoverable(_ userRecordName: String, in container: String) async throws -> Bool? {
        try await read { database in
            try Bool.fetchOne(
                database,
                sql: "SELECT discoverable FROM container_user WHERE container = ? AND user_record_name = ?",
                arguments: [container, userRecordName])
        }
    }

    package func setDiscoverable(
        _ isDiscoverable: Bool, _ userRecordName: String, in container: String, hashes: ContactHashes
    ) async throws {
        try await write { database in
            try database.execute(
                sql: """
                    UPDATE container_user
                    SET discoverable = ?
                    WHERE container = ? AND user_record_name = ?
                    """,
                arguments: [isDiscoverable, container, userRecordName])
            try database.execute(
                sql: """
                    UPDATE account
                    SET email_hash = ?, phone_hash = ?
                    WHERE id = (
                        SELECT account FROM container_user
                        WHERE container = ? AND user_record_name = ?
                    )
                    """,
                arguments: [
                    hashes.email.map { Data($0) }, hashes.phone.map { Data($0) }, container, userRecordName,
                ])
        }
    }
}
