package import Records

extension MemoryDirectory {
    package func add(_ token: PushToken) async throws -> Bool {
        try with { state in
            if let session = token.session, state.sessions[session] == nil { return false }
            state.devices[.init(place: token.containerKey, text: token.text)] = token
            return true
        }
    }

    package func pushTokens(
        of container: String, in environment: CloudEnvironment
    ) async throws -> [PushToken] {
        try with { state in
            state.devices.values.filter { $0.container == container && $0.environment == environment }
                .sorted(by: PushToken.isOlder)
        }
    }

    package func pushTokens(_ text: String) async throws -> [PushToken] {
        try with { $0.devices.values.filter { $0.text == text }.sorted(by: PushToken.isOlder) }
    }

    package func removePushToken(
        _ text: String, of container: String, in environment: CloudEnvironment
    ) async throws {
        try with { state in
            let place = ContainerKey(container: container, environment: environment)
            state.devices[.init(place: place, text: text)] = nil
        }
    }

    package func changeBadges(
        _ changes: [String: Int], of container: String, in environment: CloudEnvironment, atMost limit: Int
    ) async throws -> [String: Int] {
        let place = ContainerKey(container: container, environment: environment)
        return try with { state in
            var values: [String: Int] = [:]
            for (user, change) in changes {
                let shown = state.badges[.init(place: place, user: user)] ?? 0
                let value = BadgeRules.value(shown, changedBy: change, atMost: limit)
                state.badges[.init(place: place, user: user)] = value
                values[user] = value
            }
            return values
        }
    }

    package func setBadge(
        _ value: Int, of user: String, in container: String, _ environment: CloudEnvironment
    ) async throws {
        try with { state in
            let place = ContainerKey(container: container, environment: environment)
            state.badges[.init(place: place, user: user)] = value
        }
    }
}
