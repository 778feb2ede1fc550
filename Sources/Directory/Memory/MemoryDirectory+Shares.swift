package import Records

extension MemoryDirectory {
    package func addSharedZone(
        _ zone: String, of owner: String, for person: String, in container: String,
        _ environment: CloudEnvironment, atMost limit: Int
    ) async throws {
        let place = ContainerKey(container: container, environment: environment)
        try with { state in
            let key = MemoryDirectoryState.PersonKey(place: place, user: person)
            var known = state.sharedZones[key] ?? []
            if let index = known.firstIndex(where: { $0.owner == owner && $0.zone == zone }) {
                known[index].ended = nil
            } else {
                let first = known.filter { $0.ended != nil }.min { a, b in
                    (a.ended?.milliseconds ?? 0, a.number) < (b.ended?.milliseconds ?? 0, b.number)
                }
                if known.count >= limit { known.removeAll { $0.number == first?.number } }
                state.lastSharedZone += 1
                known.append(SharedZone(number: state.lastSharedZone, owner: owner, zone: zone))
            }
            state.sharedZones[key] = known
        }
    }

    package func endSharedZones(
        _ numbers: Set<Int64>, at time: Timestamp, forgettingBefore old: Timestamp, of person: String,
        in container: String, _ environment: CloudEnvironment
    ) async throws {
        let place = ContainerKey(container: container, environment: environment)
        try with { state in
            let key = MemoryDirectoryState.PersonKey(place: place, user: person)
            let zones = (state.sharedZones[key] ?? []).map { zone in
                var zone = zone
                if zone.ended == nil, numbers.contains(zone.number) { zone.ended = time }
                return zone
            }
            state.sharedZones[key] = zones.filter { zone in zone.ended.map { $0 >= old } ?? true }
        }
    }

    package func hasSharedZone(
        _ zone: String, of owner: String, for person: String, in container: String,
        _ environment: CloudEnvironment
    ) async throws -> Bool {
        try await sharedZones(of: person, in: container, environment)
            .contains { $0.owner == owner && $0.zone == zone }
    }

    package func sharedZones(
        of person: String, in container: String, _ environment: CloudEnvironment
    ) async throws -> [SharedZone] {
        let place = ContainerKey(container: container, environment: environment)
        return try with { $0.sharedZones[.init(place: place, user: person)] ?? [] }
    }
}
