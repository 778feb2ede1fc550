package import Records

extension MemoryDirectory {
    package func addSharedZone(
        _ zone: String, of owner: String, for person: String, in container: String,
        _ environment: CloudEnvironment
    ) async throws {
        let place = MemoryDirectoryState.Place(container: container, environment: environment)
        try with { state in
            let key = MemoryDirectoryState.PersonKey(place: place, user: person)
            let known = state.sharedZones[key] ?? []
            if known.contains(where: { $0.owner == owner && $0.zone == zone }) { return }
            state.lastSharedZone += 1
            state.sharedZones[key] =
                known + [SharedZone(number: state.lastSharedZone, owner: owner, zone: zone)]
        }
    }

    package func sharedZones(
        of person: String, in container: String, _ environment: CloudEnvironment
    ) async throws -> [SharedZone] {
        let place = MemoryDirectoryState.Place(container: container, environment: environment)
        return try with { $0.sharedZones[.init(place: place, user: person)] ?? [] }
    }
}
