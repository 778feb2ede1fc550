import Directory
import GRDB
import Records

/// Reads and writes the index of the zones that people share with others.
struct SharedZoneTable {
    let database: Database

    func add(
        _ zone: String, of owner: String, for person: String, in container: String,
        _ environment: CloudEnvironment
    ) throws {
        try database.execute(
            sql: """
                INSERT INTO shared_zone (container, environment, user_record_name, owner, zone)
                VALUES (?, ?, ?, ?, ?)
                ON CONFLICT DO NOTHING
                """,
            arguments: [container, environment.rawValue, person, owner, zone])
    }

    func zones(
        of person: String, in container: String, _ environment: CloudEnvironment
    ) throws -> [SharedZone] {
        try Row.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT number, owner, zone
                    FROM shared_zone
                    WHERE container = ? AND environment = ? AND user_record_name = ?
                    ORDER BY number
                    """),
            arguments: [container, environment.rawValue, person]
        )
        .map { SharedZone(number: $0[0], owner: $0[1], zone: $0[2]) }
    }

    /// Removes the zones that others share with a person, in all containers.
    func remove(of account: String) throws {
        try database.execute(
            sql: "DELETE FROM shared_zone WHERE \(UserTable.isOfAccount)", arguments: [account])
    }
}
