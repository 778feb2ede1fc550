package import Records

extension MemoryDirectory {
    package func addContainer(_ name: String, at time: Timestamp) async throws -> Bool {
        try with { state in
            if state.containers[name] != nil { return false }
            state.containers[name] = ContainerEntry(name: name, createdAt: time)
            return true
        }
    }

    package func container(_ name: String) async throws -> ContainerEntry? {
        try with { $0.containers[name] }
    }

    package func containers() async throws -> [ContainerEntry] {
        try with { $0.containers.values.sorted { $0.name.precedesInBytes($1.name) } }
    }

    package func setFallbackURL(_ url: String?, of container: String) async throws -> Bool {
        try with { state in
            guard state.containers[container] != nil else { return false }
            state.containers[container]?.fallbackURL = url
            return true
        }
    }

    package func userCount(of container: String) async throws -> Int64 {
        try with { Int64($0.users.count { $0.key.container == container }) }
    }

    package func userRecordNames(
        in container: String, after name: String?, limit: Int
    ) async throws -> [String] {
        try with { state in
            let names = state.users.keys.lazy.filter { $0.container == container }.map(\.recordName)
            let sorted = names.sorted { $0.precedesInBytes($1) }
            return Array(sorted.filter { name?.precedesInBytes($0) ?? true }.prefix(limit))
        }
    }

    package func removeContainer(_ name: String) async throws -> Bool {
        try with { state in
            state.users = state.users.filter { $0.key.container != name }
            state.sessions = state.sessions.filter { $0.value.session.place?.container != name }
            state.tokens = state.tokens.filter { $0.value.container != name }
            state.keys = state.keys.filter { $0.value.container != name }
            state.devices = state.devices.filter { $0.key.place.container != name }
            state.badges = state.badges.filter { $0.key.place.container != name }
            state.sharedZones = state.sharedZones.filter { $0.key.place.container != name }
            state.schemas = state.schemas.filter { $0.key.container != name }
            state.members = state.members.filter { $0.key.container != name }
            for key in state.operators.keys { state.operators[key]?.account.containers[name] = nil }
            return state.containers.removeValue(forKey: name) != nil
        }
    }
}
