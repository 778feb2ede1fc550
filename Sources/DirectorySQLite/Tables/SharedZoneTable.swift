import Directory
import GRDB
import Records

/// Reads and writes the index of the zones that others share with a person.
struct SharedZoneTable {
    let database: Database
    let container: String
    let environment: CloudEnvironment
    let person: String

    private static let isOfPerson = "container = ? AND environment = ? AND user_record_name = ?"

    private var place: StatementArguments { [container, environment.rawValue, person] }

    func add(_ zone: String, of owner: String, atMost limit: Int) throws {
        let named: StatementArguments = [owner, zone]
        try database.execute(
            sql: "UPDATE shared_zone SET ended_at = NULL WHERE \(Self.isOfPerson) AND owner = ? AND zone = ?",
            arguments: place + named)
        if database.changesCount > 0 { return }
        let count = try Int.fetchOne(
            database, sql: "SELECT COUNT(*) FROM shared_zone WHERE \(Self.isOfPerson)", arguments: place)
        if count ?? 0 >= limit {
            try database.execute(
                sql: """
                    DELETE FROM shared_zone
                    WHERE number = (
                        SELECT number
                        FROM shared_zone
                        WHERE \(Self.isOfPerson) AND ended_at IS NOT NULL
                        ORDER BY ended_at, number
                        LIMIT 1
                    )
                    """,
                arguments: place)
        }
        try database.execute(
            sql: """
                INSERT INTO shared_zone (container, environment, user_record_name, owner, zone)
                VALUES (?, ?, ?, ?, ?)
                """,
            arguments: place + named)
    }

    func has(_ zone: String, of owner: String) throws -> Bool {
        let named: StatementArguments = [owner, zone]
        let found = try Int.fetchOne(
            database.cachedStatement(
                sql: "SELECT 1 FROM shared_zone WHERE \(Self.isOfPerson) AND owner = ? AND zone = ?"),
            arguments: place + named)
        return found != nil
    }

    func zones() throws -> [SharedZone] {
        try Row.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT number, owner, zone, ended_at
                    FROM shared_zone
                    WHERE \(Self.isOfPerson)
                    ORDER BY number
                    """),
            arguments: place
        )
        .map { row in
            let ended: Int64? = row[3]
            return SharedZone(
                number: row[0], owner: row[1], zone: row[2],
                ended: ended.map { Timestamp(milliseconds: $0) })
        }
    }

    func end(_ numbers: Set<Int64>, at time: Timestamp) throws {
        for number in numbers.sorted() {
            let named: StatementArguments = [number]
            try database.execute(
                sql: """
                    UPDATE shared_zone
                    SET ended_at = ?
                    WHERE \(Self.isOfPerson) AND number = ? AND ended_at IS NULL
                    """,
                arguments: [time.milliseconds] + place + named)
        }
    }

    func forget(before time: Timestamp) throws {
        try database.execute(
            sql: "DELETE FROM shared_zone WHERE \(Self.isOfPerson) AND ended_at < ?",
            arguments: place + [time.milliseconds])
    }

    /// Removes the zones that others share with a person, in all containers.
    static func remove(of account: String, _ database: Database) throws {
        try database.execute(
            sql: "DELETE FROM shared_zone WHERE \(UserTable.isOfAccount)", arguments: [account])
    }
}
