import Directory
import PostgreSQLSupport
import Records

/// Reads and writes the index of the zones that others share with a person.
struct PostgresSharedZoneTable {
    let connection: PostgresConnection
    let container: String
    let environment: CloudEnvironment
    let person: String

    private static let isOfPerson = "container = $1 AND environment = $2 AND user_record_name = $3"

    private var place: [PostgresValue] {
        [.text(container), .text(environment.rawValue), .text(person)]
    }

    func add(_ zone: String, of owner: String, atMost limit: Int) throws {
        let named: [PostgresValue] = [.text(owner), .text(zone)]
        let known = try connection.run(
            """
            UPDATE shared_zone
            SET ended_at = NULL
            WHERE \(Self.isOfPerson) AND owner = $4 AND zone = $5
            """,
            place + named)
        if known.affected > 0 { return }
        let count = try connection.run("SELECT COUNT(*) FROM shared_zone WHERE \(Self.isOfPerson)", place)
        if count.first.map({ $0.integer(0) }) ?? 0 >= limit {
            try connection.send(
                """
                DELETE FROM shared_zone
                WHERE number = (
                    SELECT number
                    FROM shared_zone
                    WHERE \(Self.isOfPerson) AND ended_at IS NOT NULL
                    ORDER BY ended_at, number
                    LIMIT 1
                )
                """,
                place)
        }
        let number = try PostgresNumberTable(connection: connection).next("shared_zone")
        try connection.send(
            """
            INSERT INTO shared_zone (container, environment, user_record_name, owner, zone, number)
            VALUES ($1, $2, $3, $4, $5, $6)
            """,
            place + named + [.integer(number)])
    }

    func has(_ zone: String, of owner: String) throws -> Bool {
        try connection.run(
            "SELECT 1 FROM shared_zone WHERE \(Self.isOfPerson) AND owner = $4 AND zone = $5",
            place + [.text(owner), .text(zone)]
        ).first != nil
    }

    func zones() throws -> [SharedZone] {
        try connection.run(
            """
            SELECT number, owner, zone, ended_at
            FROM shared_zone
            WHERE \(Self.isOfPerson)
            ORDER BY number
            """,
            place
        ).map { row in
            SharedZone(
                number: row.integer(0), owner: row.text(1), zone: row.text(2),
                ended: row.optionalInteger(3).map { Timestamp(milliseconds: $0) })
        }
    }

    func end(_ numbers: Set<Int64>, at time: Timestamp) throws {
        try connection.send(
            """
            UPDATE shared_zone
            SET ended_at = $4
            WHERE \(Self.isOfPerson) AND number = ANY ($5) AND ended_at IS NULL
            """,
            place + [.integer(time.milliseconds), .integers(numbers.sorted())])
    }

    func forget(before time: Timestamp) throws {
        try connection.send(
            "DELETE FROM shared_zone WHERE \(Self.isOfPerson) AND ended_at < $4",
            place + [.integer(time.milliseconds)])
    }
}
