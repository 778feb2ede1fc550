package import Directory
package import Records

extension SQLiteDirectory {
    package func discoverableUsers(
        _ lookups: [UserLookup], in container: String
    ) async throws -> [(account: Account, userRecordName: String)?] {
        try await read { database in
            let users = UserTable(database: database)
            return try lookups.map { try users.discoverable($0, in: container) }
        }
    }

    package func isDiscoverable(_ userRecordName: String, in container: String) async throws -> Bool? {
        try await read { try UserTable(database: $0).isDiscoverable(userRecordName, in: container) }
    }

    package func setDiscoverable(
        _ isDiscoverable: Bool, _ userRecordName: String, in container: String, hashes: ContactHashes
    ) async throws {
        try await write {
            try UserTable(database: $0).setDiscoverable(
                isDiscoverable, userRecordName, in: container, hashes: hashes)
        }
    }
}
