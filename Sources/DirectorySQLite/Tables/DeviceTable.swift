import Directory
import Foundation
import GRDB
import Records

/// Reads and writes the devices that are registered for pushes.
struct DeviceTable {
    let database: Database

    func add(_ device: PushToken) throws -> Bool {
        if let session = device.session, try !SessionTable(database: database).has(session) { return false }
        try database.execute(
            sql: """
                INSERT OR REPLACE INTO push_token
                    (container, environment, token, service, user_record_name, client, created_at,
                        session)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                device.container, device.environment.rawValue, device.text, device.service.rawValue,
                device.user, device.client, device.created.milliseconds, device.session.map { Data($0) },
            ]
        )
        return true
    }

    /// The devices that match a condition, oldest first.
    func devices(where condition: String, _ arguments: StatementArguments) throws -> [PushToken] {
        let rows = try Row.fetchAll(
            database,
            sql: """
                SELECT container, environment, token, service, user_record_name, client, created_at, session
                FROM push_token
                WHERE \(condition)
                ORDER BY created_at, token, container, environment
                """,
            arguments: arguments
        )
        return rows.map { row in
            PushToken(
                text: row[2], service: PushToken.Service(rawValue: row[3]) ?? .development,
                container: row[0], environment: CloudEnvironment(rawValue: row[1]) ?? .development,
                user: row[4], client: row[5], created: Timestamp(milliseconds: row[6]),
                session: (row[7] as Data?).map { [UInt8]($0) }
            )
        }
    }

    /// Removes the devices that match a condition, and returns them.
    func remove(where condition: String, _ arguments: StatementArguments) throws -> [PushToken] {
        let removed = try devices(where: condition, arguments)
        if !removed.isEmpty {
            try database.execute(sql: "DELETE FROM push_token WHERE \(condition)", arguments: arguments)
        }
        return removed
    }

    func remove(_ text: String, of container: String, in environment: CloudEnvironment) throws {
        try database.execute(
            sql: "DELETE FROM push_token WHERE container = ? AND environment = ? AND token = ?",
            arguments: [container, environment.rawValue, text]
        )
    }
}
