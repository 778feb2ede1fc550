package import Directory
package import Records

extension SQLiteDirectory {
    package func addSharedZone(
        _ zone: String, of owner: String, for person: String, in container: String,
        _ environment: CloudEnvironment
    ) async throws {
        try await write {
            try SharedZoneTable(database: $0).add(zone, of: owner, for: person, in: container, environment)
        }
    }

    package func sharedZones(
        of person: String, in container: String, _ environment: CloudEnvironment
    ) async throws -> [SharedZone] {
        try await read { try SharedZoneTable(database: $0).zones(of: person, in: container, environment) }
    }
}
