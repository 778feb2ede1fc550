package import Directory
package import Records

extension PostgresDirectory {
    package func addContainer(_ name: String, at time: Timestamp) async throws -> Bool {
        try await write { try PostgresContainerTable(connection: $0).add(name, at: time) }
    }

    package func container(_ name: String) async throws -> ContainerEntry? {
        try await read { try PostgresContainerTable(connection: $0).container(name) }
    }

    package func containers() async throws -> [ContainerEntry] {
        try await read { try PostgresContainerTable(connection: $0).containers() }
    }

    package func setFallbackURL(_ url: String?, of container: String) async throws -> Bool {
        try await write { try PostgresContainerTable(connection: $0).setFallbackURL(url, of: container) }
    }

    package func userCount(of container: String) async throws -> Int64 {
        try await read { try PostgresUserTable(connection: $0).count(in: container) }
    }

    package func userRecordNames(
        in container: String, after name: String?, limit: Int
    ) async throws -> [String] {
        try await read {
            try PostgresUserTable(connection: $0).recordNames(in: container, after: name, limit: limit)
        }
    }

    package func removeContainer(_ name: String) async throws -> Bool {
        try await write(telling: { _ in [.containerRemoved(name)] }) {
            try PostgresContainerTable(connection: $0).remove(name)
        }
    }
}
