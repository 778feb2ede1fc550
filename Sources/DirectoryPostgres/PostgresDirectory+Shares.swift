package import Directory
package import Records

extension PostgresDirectory {
    package func addSharedZone(
        _ zone: String, of owner: String, for person: String, in container: String,
        _ environment: CloudEnvironment, atMost limit: Int
    ) async throws {
        try await write {
            let table = PostgresSharedZoneTable(
                connection: $0, container: container, environment: environment, person: person)
            try table.add(zone, of: owner, atMost: limit)
        }
    }

    package func endSharedZones(
        _ numbers: Set<Int64>, at time: Timestamp, forgettingBefore old: Timestamp, of person: String,
        in container: String, _ environment: CloudEnvironment
    ) async throws {
        try await write {
            let table = PostgresSharedZoneTable(
                connection: $0, container: container, environment: environment, person: person)
            try table.end(numbers, at: time)
            try table.forget(before: old)
        }
    }

    package func hasSharedZone(
        _ zone: String, of owner: String, for person: String, in container: String,
        _ environment: CloudEnvironment
    ) async throws -> Bool {
        try await read {
            try PostgresSharedZoneTable(
                connection: $0, container: container, environment: environment, person: person
            ).has(zone, of: owner)
        }
    }

    package func sharedZones(
        of person: String, in container: String, _ environment: CloudEnvironment
    ) async throws -> [SharedZone] {
        try await read {
            try PostgresSharedZoneTable(
                connection: $0, container: container, environment: environment, person: person
            ).zones()
        }
    }
}
