import Directory
import PostgreSQLSupport
import Records

/// Reads and writes the devices that are registered for pushes.
struct PostgresDeviceTable {
    let connection: PostgresConnection

    func add(_ device: PushToken) throws -> Bool {
        if let session = device.session, try !PostgresSessionTable(connection: connection).has(session) {
            return false
        }
        try connection.send(
            """
            INSERT INTO push_token
                (container, environment, token, service, user_record_name, client, created_at, session)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
            ON CONFLICT (container, environment, token) DO UPDATE
            SET service = excluded.service, user_record_name = excluded.user_record_name,
                client = excluded.client, created_at = excluded.created_at, session = excluded.session
            """,
            [
                .text(device.container), .text(device.environment.rawValue), .text(device.text),
                .text(device.service.rawValue), .text(device.user), .optional(device.client),
                .integer(device.created.milliseconds), .optional(device.session),
            ])
        return true
    }

    private static let columns = """
        container, environment, token, service, user_record_name, client, created_at, session
        """

    /// The devices that match a condition, oldest first.
    func devices(where condition: String, _ arguments: PostgresValue...) throws -> [PushToken] {
        try connection.run(
            """
            SELECT \(Self.columns)
            FROM push_token
            WHERE \(condition)
            ORDER BY created_at, token, container, environment
            """,
            arguments
        ).map(Self.device)
    }

    private static func device(_ row: PostgresRow) -> PushToken {
        PushToken(
            text: row.text(2), service: PushToken.Service(rawValue: row.text(3)) ?? .development,
            container: row.text(0), environment: CloudEnvironment(rawValue: row.text(1)) ?? .development,
            user: row.text(4), client: row.optionalText(5),
            created: Timestamp(milliseconds: row.integer(6)),
            session: row.isNull(7) ? nil : row.bytes(7))
    }

    /// Removes the devices that match a condition, and returns them, oldest first.
    func remove(where condition: String, _ arguments: PostgresValue...) throws -> [PushToken] {
        try connection.run(
            """
            WITH removed AS (DELETE FROM push_token WHERE \(condition) RETURNING \(Self.columns))
            SELECT \(Self.columns)
            FROM removed
            ORDER BY created_at, token, container, environment
            """,
            arguments
        ).map(Self.device)
    }

    func remove(_ text: String, of container: String, in environment: CloudEnvironment) throws {
        try connection.send(
            "DELETE FROM push_token WHERE container = $1 AND environment = $2 AND token = $3",
            [.text(container), .text(environment.rawValue), .text(text)])
    }

    // MARK: Badges

    func changeBadge(
        of user: String, by change: Int, in container: String, _ environment: CloudEnvironment,
        atMost limit: Int
    ) throws -> Int {
        let rows = try connection.run(
            """
            SELECT value
            FROM badge
            WHERE container = $1 AND environment = $2 AND user_record_name = $3
            """,
            [.text(container), .text(environment.rawValue), .text(user)])
        let shown = rows.first.map { Int($0.integer(0)) } ?? 0
        let value = BadgeRules.value(shown, changedBy: change, atMost: limit)
        try setBadge(value, of: user, in: container, environment)
        return value
    }

    func setBadge(
        _ value: Int, of user: String, in container: String, _ environment: CloudEnvironment
    ) throws {
        try connection.send(
            """
            INSERT INTO badge (container, environment, user_record_name, value)
            VALUES ($1, $2, $3, $4)
            ON CONFLICT (container, environment, user_record_name) DO UPDATE SET value = excluded.value
            """,
            [.text(container), .text(environment.rawValue), .text(user), .count(value)])
    }
}
