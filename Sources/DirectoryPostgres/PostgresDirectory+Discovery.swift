package import Directory
package import Records

extension PostgresDirectory {
    package func discoverableUsers(
        _ lookups: [UserLookup], in container: String
    ) async throws -> [(account: Account, userRecordName: String)?] {
        try await read { connection in
            let users = PostgresUserTable(connection: connection)
            return try lookups.map { try users.discoverable($0, in: container) }
        }
    }

    package func isDiscoverable(_ userRecordName: String, in container: String) async throws -> Bool? {
        try await read { try PostgresUserTable(connection: $0).isDiscoverable(userRecordName, in: container) }
    }

    package func setDiscoverable(
        _ isDiscoverable: Bool, _ userRecordName: String, in container: String, hashes: ContactHashes
    ) async throws {
        try await write {
            try PostgresUserTable(connection: $0).setDiscoverable(
                isDiscoverable, userRecordName, in: container, hashes: hashes)
        }
    }
}
