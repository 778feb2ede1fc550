// Owns the devices in use: read once, changed on disk before anything relies on it.

import RecordStore
import Records

/// Which devices belong to whom, in each container and environment.
actor PushRegistry {
    private struct Place: Hashable {
        var container: String
        var environment: CloudEnvironment
    }

    private let directory: any Directory
    /// By user record name.
    private var devices: [Place: [String: [PushToken]]] = [:]
    /// By token, in every container that was read or registered in.
    private var tokens: [String: PushToken] = [:]

    init(directory: any Directory) {
        self.directory = directory
    }

    func devices(
        of user: String, in container: String, _ environment: CloudEnvironment
    ) async throws -> [PushToken] {
        try await all(in: Place(container: container, environment: environment))[user] ?? []
    }

    /// The devices of each of some people.
    func devices(
        of users: [String], in container: String, _ environment: CloudEnvironment
    ) async throws -> [[PushToken]] {
        let known = try await all(in: Place(container: container, environment: environment))
        return users.map { known[$0] ?? [] }
    }

    /// Any registration of a token.
    func device(_ text: String) async throws -> PushToken? {
        if let known = tokens[text] { return known }
        guard let read = try await directory.pushToken(text) else { return nil }
        tokens[text] = read
        return read
    }

    /// Registers a device. Of too many devices of one person, the oldest is forgotten.
    func add(_ token: PushToken, limit: Int) async throws {
        let place = Place(container: token.container, environment: token.environment)
        _ = try await all(in: place)
        try await directory.add(token)
        for user in devices[place, default: [:]].keys {
            devices[place]?[user]?.removeAll { $0.text == token.text }
        }
        devices[place, default: [:]][token.user, default: []].append(token)
        tokens[token.text] = token
        while let oldest = devices[place]?[token.user]?.first,
            (devices[place]?[token.user]?.count ?? 0) > limit
        {
            try await remove(oldest)
        }
    }

    func remove(_ token: PushToken) async throws {
        let place = Place(container: token.container, environment: token.environment)
        try await directory.removePushToken(token.text, of: token.container, in: token.environment)
        devices[place]?[token.user]?.removeAll { $0.text == token.text }
        tokens[token.text] = nil
    }

    /// Reads everything again before it is used.
    func forget() {
        devices = [:]
        tokens = [:]
    }

    private func all(in place: Place) async throws -> [String: [PushToken]] {
        if let known = devices[place] { return known }
        let read = try await directory.pushTokens(of: place.container, in: place.environment)
        if let known = devices[place] { return known }
        let byUser = Dictionary(grouping: read) { $0.user }
        devices[place] = byUser
        return byUser
    }
}
