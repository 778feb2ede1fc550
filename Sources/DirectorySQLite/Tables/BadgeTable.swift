import Directory
import GRDB
import Records

/// Reads and writes the badge numbers of people.
struct BadgeTable {
    let database: Database

    func change(
        _ user: String, by change: Int, in container: String, _ environment: CloudEnvironment,
        atMost limit: Int
    ) throws -> Int {
        let shown = try Int.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT value
                    FROM badge
                    WHERE container = ? AND environment = ? AND user_record_name = ?
                    """),
            arguments: [container, environment.rawValue, user])
        let value = BadgeRules.value(shown ?? 0, changedBy: change, atMost: limit)
        try set(value, of: user, in: container, environment)
        return value
    }

    func set(
        _ value: Int, of user: String, in container: String, _ environment: CloudEnvironment
    ) throws {
        try database.cachedStatement(
            sql: """
                INSERT OR REPLACE INTO badge (container, environment, user_record_name, value)
                VALUES (?, ?, ?, ?)
                """
        )
        .execute(arguments: [container, environment.rawValue, user, value])
    }

    /// Removes the badges of a person in all containers.
    func remove(of account: String) throws {
        try database.execute(
            sql: "DELETE FROM badge WHERE \(UserTable.isOfAccount)", arguments: [account])
    }
}
