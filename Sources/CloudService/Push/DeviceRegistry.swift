import Directory
import Records

/// Which devices belong to whom, in each container and environment.
actor DeviceRegistry {
    private struct Place: Hashable {
        var container: String
        var environment: CloudEnvironment

        init(_ container: String, _ environment: CloudEnvironment) {
            self.container = container
            self.environment = environment
        }

        init(_ token: PushToken) { self.init(token.container, token.environment) }
    }

    /// What happens while the directory is asked: its answer may be older than that.
    private struct Watch {
        var dropped: [Place: Set<String>] = [:]
        var isAllForgotten = false

        func hasDropped(_ token: PushToken) -> Bool { dropped[Place(token)]?.contains(token.text) == true }
    }

    private let directory: any Directory
    /// By user record name.
    private var devices: [Place: [String: [PushToken]]] = [:]
    /// By token, in every container that was read or registered in.
    private var tokens: [String: PushToken] = [:]
    private var watches: [Int: Watch] = [:]
    private var lastWatch = 0

    init(directory: any Directory) {
        self.directory = directory
    }

    func devices(
        of user: String, in container: String, _ environment: CloudEnvironment
    ) async throws -> [PushToken] {
        try await all(in: Place(container, environment))[user] ?? []
    }

    /// The devices of each of some people.
    func devices(
        of users: [String], in container: String, _ environment: CloudEnvironment
    ) async throws -> [[PushToken]] {
        let known = try await all(in: Place(container, environment))
        return users.map { known[$0] ?? [] }
    }

    /// Any registration of a token.
    func device(_ text: String) async throws -> PushToken? {
        while true {
            if let known = tokens[text] { return known }
            let (read, watch) = try await watching { try await directory.pushToken(text) }
            guard let read else { return nil }
            if watch.isAllForgotten || watch.hasDropped(read) { continue }
            tokens[text] = read
            return read
        }
    }

    /// Registers a device, and answers which others are forgotten: of too many devices of one person, the
    /// oldest.
    ///
    /// Throws `authenticationRequired` when the session that the device is registered in has ended.
    func add(_ token: PushToken, limit: Int) async throws -> [PushToken] {
        let place = Place(token)
        _ = try await all(in: place)
        let (isKept, watch) = try await watching { try await directory.add(token) }
        guard isKept else { throw RecordError.sessionEnded }
        // What was forgotten meanwhile is read again when it is wanted.
        guard !watch.hasDropped(token), devices[place] != nil else { return [] }
        for user in devices[place, default: [:]].keys {
            devices[place]?[user]?.removeAll { $0.text == token.text }
        }
        devices[place, default: [:]][token.user, default: []].append(token)
        tokens[token.text] = token
        var forgotten: [PushToken] = []
        while let oldest = devices[place]?[token.user]?.first,
            (devices[place]?[token.user]?.count ?? 0) > limit
        {
            try await remove(oldest)
            forgotten.append(oldest)
        }
        return forgotten
    }

    func remove(_ token: PushToken) async throws {
        try await directory.removePushToken(token.text, of: token.container, in: token.environment)
        drop(token)
    }

    /// Drops a device that the directory has forgotten.
    func drop(_ token: PushToken) {
        let place = Place(token)
        for id in watches.keys { watches[id]?.dropped[place, default: []].insert(token.text) }
        devices[place]?[token.user]?.removeAll { $0.text == token.text }
        tokens[token.text] = nil
    }

    /// Reads everything again before it is used.
    func forget() {
        for id in watches.keys { watches[id]?.isAllForgotten = true }
        devices = [:]
        tokens = [:]
    }

    private func all(in place: Place) async throws -> [String: [PushToken]] {
        while true {
            if let known = devices[place] { return known }
            let (read, watch) = try await watching {
                try await directory.pushTokens(of: place.container, in: place.environment)
            }
            if let known = devices[place] { return known }
            if watch.isAllForgotten { continue }
            let byUser = Dictionary(grouping: read.filter { !watch.hasDropped($0) }) { $0.user }
            devices[place] = byUser
            return byUser
        }
    }
    /// Asks the directory, and tells what was dropped and forgotten meanwhile.
    private func watching<T: Sendable>(_ ask: () async throws -> T) async throws -> (T, Watch) {
        lastWatch += 1
        let id = lastWatch
        watches[id] = Watch()
        defer { watches[id] = nil }
        let answer = try await ask()
        return (answer, watches[id] ?? Watch())
    }
}
