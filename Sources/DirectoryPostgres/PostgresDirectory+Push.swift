import Directory
import PostgreSQLSupport
package import Records

extension PostgresDirectory {
    package func add(_ token: PushToken) async throws -> Bool {
        try await write(telling: { _ in [.device(token.text, token.containerKey)] }) {
            try PostgresDeviceTable(connection: $0).add(token)
        }
    }

    package func pushTokens(
        of container: String, in environment: CloudEnvironment
    ) async throws -> [PushToken] {
        try await read {
            try PostgresDeviceTable(connection: $0).devices(
                where: "container = $1 AND environment = $2", .text(container), .text(environment.rawValue))
        }
    }

    package func pushTokens(_ text: String) async throws -> [PushToken] {
        try await read {
            try PostgresDeviceTable(connection: $0).devices(where: "token = $1", .text(text))
        }
    }

    package func removePushToken(
        _ text: String, of container: String, in environment: CloudEnvironment
    ) async throws {
        let place = ContainerKey(container: container, environment: environment)
        try await write(telling: { _ in [.device(text, place)] }) {
            try PostgresDeviceTable(connection: $0).remove(text, of: container, in: environment)
        }
    }

    package func changeBadges(
        _ changes: [String: Int], of container: String, in environment: CloudEnvironment, atMost limit: Int
    ) async throws -> [String: Int] {
        try await write { connection in
            let devices = PostgresDeviceTable(connection: connection)
            var values: [String: Int] = [:]
            for (user, change) in changes {
                values[user] = try devices.changeBadge(
                    of: user, by: change, in: container, environment, atMost: limit)
            }
            return values
        }
    }

    package func setBadge(
        _ value: Int, of user: String, in container: String, _ environment: CloudEnvironment
    ) async throws {
        try await write {
            try PostgresDeviceTable(connection: $0).setBadge(value, of: user, in: container, environment)
        }
    }
}
