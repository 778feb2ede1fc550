import GRDB
package import Records

extension SQLiteDirectory {
    package func add(_ token: PushToken) async throws -> Bool {
        try await write { try DeviceTable(database: $0).add(token) }
    }

    package func pushTokens(
        of container: String, in environment: CloudEnvironment
    ) async throws -> [PushToken] {
        try await read {
            try DeviceTable(database: $0).devices(
                where: "container = ? AND environment = ?", [container, environment.rawValue])
        }
    }

    package func pushTokens(_ text: String) async throws -> [PushToken] {
        try await read { try DeviceTable(database: $0).devices(where: "token = ?", [text]) }
    }

    package func removePushToken(
        _ text: String, of container: String, in environment: CloudEnvironment
    ) async throws {
        try await write { try DeviceTable(database: $0).remove(text, of: container, in: environment) }
    }

    package func changeBadges(
        _ changes: [String: Int], of container: String, in environment: CloudEnvironment, atMost limit: Int
    ) async throws -> [String: Int] {
        try await write { database in
            let badges = BadgeTable(database: database)
            var values: [String: Int] = [:]
            for (user, change) in changes {
                values[user] = try badges.change(
                    user, by: change, in: container, environment, atMost: limit)
            }
            return values
        }
    }

    package func setBadge(
        _ value: Int, of user: String, in container: String, _ environment: CloudEnvironment
    ) async throws {
        try await write { try BadgeTable(database: $0).set(value, of: user, in: container, environment) }
    }
}
