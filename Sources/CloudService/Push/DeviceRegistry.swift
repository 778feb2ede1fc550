import Directory
import Records

/// Caches the registered devices of each person, by container and environment, in front of the directory.
actor DeviceRegistry {
    /// The changes during one read of the directory. The result of the read may be older than they are.
    private struct Watch {
        /// The devices that were removed at this node, by the texts of their tokens.
        var dropped: [ContainerKey: Set<String>] = [:]
        /// The devices that another node has registered or removed.
        var changed: [ContainerKey: Set<String>] = [:]
        var isAllForgotten = false

        func hasDropped(_ token: PushToken) -> Bool {
            dropped[token.containerKey]?.contains(token.text) == true
        }
    }

    private let directory: any PushDirectory
    /// The devices of each person, by user record name.
    private var devices: [ContainerKey: [String: [PushToken]]] = [:]
    /// The person of each device in `devices`, by the text of its token.
    private var users: [ContainerKey: [String: String]] = [:]
    /// One registration of each device in any container, by the text of its token.
    private var tokens: [String: PushToken] = [:]
    private var watches: [Int: Watch] = [:]
    private var lastWatch = 0
    /// The containers whose devices are being read, with the tasks that wait for the result.
    private var waiting: [ContainerKey: [CheckedContinuation<Void, Never>]] = [:]

    init(directory: any PushDirectory) {
        self.directory = directory
    }

    func devices(
        of user: String, in container: String, _ environment: CloudEnvironment
    ) async throws -> [PushToken] {
        try await all(in: ContainerKey(container: container, environment: environment))[user] ?? []
    }

    /// The devices of each of several people, in order.
    func devices(
        of users: [String], in container: String, _ environment: CloudEnvironment
    ) async throws -> [[PushToken]] {
        let known = try await all(in: ContainerKey(container: container, environment: environment))
        return users.map { known[$0] ?? [] }
    }

    /// A registration of the device with this token, in any container; nil if there is none.
    func device(_ text: String) async throws -> PushToken? {
        while true {
            if let known = tokens[text] { return known }
            let (read, watch) = try await watching { try await directory.pushTokens(text).first }
            let hasChanged = watch.changed.values.contains { $0.contains(text) }
            if watch.isAllForgotten || hasChanged { continue }
            guard let read else { return nil }
            if watch.hasDropped(read) { continue }
            tokens[text] = read
            // Another node may have registered the device and not told of it yet. If the device connects to
            // this one, it must get its pushes from then on.
            if users[read.containerKey]?[text] == nil { insert(read) }
            return read
        }
    }

    /// Registers a device. If the person then has more than `limit` devices, removes the oldest and returns
    /// them.
    ///
    /// Throws `authenticationRequired` when the session of the registration has ended.
    func add(_ token: PushToken, limit: Int) async throws -> [PushToken] {
        let place = token.containerKey
        _ = try await all(in: place)
        let (isKept, watch) = try await watching { try await directory.add(token) }
        guard isKept else { throw RecordError.sessionEnded }
        // If this part of the cache was emptied meanwhile, it is read again when needed.
        guard !watch.hasDropped(token), devices[place] != nil else { return [] }
        if let user = users[place]?[token.text] {
            devices[place]?[user]?.removeAll { $0.text == token.text }
        }
        devices[place, default: [:]][token.user, default: []].append(token)
        users[place, default: [:]][token.text] = token.user
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

    /// Removes a device from the cache that was removed from the directory.
    func drop(_ token: PushToken) {
        let place = token.containerKey
        for id in watches.keys { watches[id]?.dropped[place, default: []].insert(token.text) }
        devices[place]?[token.user]?.removeAll { $0.text == token.text }
        users[place]?[token.text] = nil
        tokens[token.text] = nil
    }

    /// Whether a device is registered in a container and environment.
    func hasDevices(in place: ContainerKey) async throws -> Bool {
        try await all(in: place).contains { !$0.value.isEmpty }
    }

    /// The registration of a device in any container, as cached.
    func cached(_ text: String) -> PushToken? { tokens[text] }

    /// Reads a device again, which another node of the server has registered or removed.
    func refresh(_ text: String, in place: ContainerKey) async throws {
        tokens[text] = nil
        for id in watches.keys { watches[id]?.changed[place, default: []].insert(text) }
        while devices[place] != nil {
            let (read, watch) = try await watching { try await registration(of: text, in: place) }
            if watch.isAllForgotten || watch.changed[place]?.contains(text) == true { continue }
            if let user = users[place]?.removeValue(forKey: text) {
                devices[place]?[user]?.removeAll { $0.text == text }
            }
            if let read, !watch.hasDropped(read) { insert(read) }
            return
        }
    }

    private func registration(of text: String, in place: ContainerKey) async throws -> PushToken? {
        try await directory.pushTokens(text).first { $0.containerKey == place }
    }

    /// Adds a device to those of its container, if they are cached.
    private func insert(_ device: PushToken) {
        let place = device.containerKey
        guard devices[place] != nil else { return }
        devices[place]?[device.user, default: []].append(device)
        users[place, default: [:]][device.text] = device.user
    }

    /// Empties the cache.
    func forget() {
        for id in watches.keys { watches[id]?.isAllForgotten = true }
        devices = [:]
        users = [:]
        tokens = [:]
    }

    private func all(in place: ContainerKey) async throws -> [String: [PushToken]] {
        while true {
            if let known = devices[place] { return known }
            if waiting[place] != nil {
                // A container may have very many devices: they are read once for all who wait.
                await withCheckedContinuation { waiting[place]?.append($0) }
                try Task.checkCancellation()
                continue
            }
            waiting[place] = []
            defer { for reader in waiting.removeValue(forKey: place) ?? [] { reader.resume() } }
            guard let read = try await read(place) else { continue }
            let byUser = Dictionary(grouping: read) { $0.user }
            devices[place] = byUser
            users[place] = byUser.values.joined().reduce(into: [:]) { $0[$1.text] = $1.user }
            // The answer may be older than the registration of a device that was read meanwhile.
            for token in tokens.values where token.containerKey == place && users[place]?[token.text] == nil {
                insert(token)
            }
            return devices[place] ?? byUser
        }
    }

    /// Reads the devices of a container, and then again those that other nodes have told of meanwhile.
    /// Returns nil if the cache was emptied meanwhile.
    private func read(_ place: ContainerKey) async throws -> [PushToken]? {
        var (read, watch) = try await watching {
            try await directory.pushTokens(of: place.container, in: place.environment)
        }
        read.removeAll { watch.hasDropped($0) }
        while !watch.isAllForgotten, let changed = watch.changed[place] {
            read.removeAll { changed.contains($0.text) }
            let (again, later) = try await watching {
                var again: [PushToken] = []
                for text in changed {
                    if let device = try await registration(of: text, in: place) { again.append(device) }
                }
                return again
            }
            watch = later
            read = (read + again).filter { !watch.hasDropped($0) }
        }
        return watch.isAllForgotten ? nil : read
    }

    /// Reads the directory, and also returns what changed meanwhile.
    private func watching<T: Sendable>(_ ask: () async throws -> T) async throws -> (T, Watch) {
        lastWatch += 1
        let id = lastWatch
        watches[id] = Watch()
        defer { watches[id] = nil }
        let answer = try await ask()
        return (answer, watches[id] ?? Watch())
    }
}
