import Directory
import GRDB
import Records

/// Reads and writes the addresses that people have proved to own.
struct LinkedAddressTable {
    let database: Database

    func link(_ address: ContactAddress, to account: String) throws {
        try AccountTable(database: database).checkExistence(of: account, name: account)
        if try AccountTable(database: database).isTaken(address.value, byOtherThan: account) {
            throw AccountRules.taken(address)
        }
        try database.execute(
            sql: "INSERT INTO linked_address (address, account) VALUES (?, ?) ON CONFLICT DO NOTHING",
            arguments: [address.text, account])
    }

    func addresses(of account: String) throws -> [ContactAddress] {
        try String.fetchAll(
            database, sql: "SELECT address FROM linked_address WHERE account = ? ORDER BY address",
            arguments: [account]
        )
        .compactMap { ContactAddress(text: $0) }
    }

    func remove(of account: String) throws {
        try database.execute(sql: "DELETE FROM linked_address WHERE account = ?", arguments: [account])
    }
}
