import RecordStore
import Records

extension CloudService {
    /// Works with the database that a caller means.
    ///
    /// Throws `authenticationRequired` for a private database without a person.
    func using<Result: Sendable>(
        _ scope: DatabaseKind, for caller: Caller,
        _ work: (OpenDatabase) async throws -> Result
    ) async throws -> Result {
        try await using(try key(of: scope, for: caller), work)
    }

    /// Reads from the database that a caller means. A public one, which anybody may ask for by any name, is
    /// not made by being read: it is empty. `work` only reads: it begins again elsewhere if it takes long.
    ///
    /// Throws as `using` does, and `limitExceeded` for what takes too long.
    func reading<Result: Sendable>(
        _ scope: DatabaseKind, for caller: Caller,
        _ work: (OpenDatabase) async throws -> Result
    ) async throws -> Result {
        let key = try key(of: scope, for: caller)
        if key.owner == nil, let empty = databases.empty(key) {
            try await enter(key.container)
            return try await work(empty)
        }
        return try await using(key) { database in
            try await slowWork.reading(for: caller.payer) { try await work(database) }
        }
    }

    /// Works with a database, which stays open meanwhile, and is made if it is new.
    func using<Result: Sendable>(
        _ key: DatabaseKey, _ work: (OpenDatabase) async throws -> Result
    ) async throws -> Result {
        try await settle(key.container)
        let database = try await databases.lease(key)
        do {
            try await tidy(database)
            let result = try await work(database)
            await deliver(from: database)
            try await note(database)
            await databases.giveBack(key)
            return result
        } catch {
            await deliver(from: database)
            await databases.giveBack(key)
            throw error
        }
    }

    /// Forgets the deletions that have outlived their time, and gives up the indexes that the schema has
    /// given up: when the database is opened, then once a day.
    private func tidy(_ database: OpenDatabase) async throws {
        let now = seams.now()
        guard database.housekeeping.isDue(at: now, everySeconds: 86_400) else { return }
        let lifetime = Int64(limits.deletionSeconds)
        try await database.records.forgetDeletions(before: now.advanced(bySeconds: -lifetime))
        let told = Int64(limits.notificationSeconds)
        try await database.records.forgetNotifications(before: now.advanced(bySeconds: -told))
        let key = database.key
        let place = SchemaKeeper.Place(container: key.container, environment: key.environment)
        try await database.records.dropIndexes(notIn: try await schemas.schema(of: place))
    }

    /// Which database a caller means. Throws as `using` does.
    func key(of scope: DatabaseKind, for caller: Caller) throws(RecordError) -> DatabaseKey {
        switch (scope, caller.identity) {
        case (.public, _): return key(owner: nil, for: caller)
        case (.private, .person(let name)): return key(owner: name, for: caller)
        case (.private, .serverKey), (.shared, .serverKey): throw RecordError.keyIsNobody(scope.rawValue)
        case (.private, .anonymous), (.shared, .anonymous): throw caller.notSignedIn
        case (.shared, .person): throw RecordError.zoneNotFound("shared")
        }
    }

    func key(owner: String?, for caller: Caller) -> DatabaseKey {
        DatabaseKey(container: caller.container, environment: caller.environment, owner: owner)
    }

    /// The name of a zone in a database, checked against who owns it.
    ///
    /// Throws `zoneNotFound` for a zone of somebody else.
    func zoneName(_ zone: ZoneID?, in database: OpenDatabase) throws(RecordError) -> String {
        guard let zone else { return ZoneID.defaultName }
        if let owner = zone.owner, !Self.ownAliases.contains(owner), owner != database.key.owner {
            if database.key.owner != nil { throw RecordError.zoneNotFound(zone.name) }
        }
        return zone.name
    }

    /// The spellings of "my own" that clients use for a zone's owner.
    private static let ownAliases: Set<String> = ["_defaultOwner", "__defaultOwner__", ""]
}

extension RecordError {
    /// The error for what only a signed-in person may do.
    static let signInRequired = RecordError(
        .authenticationRequired, "request needs authorization",
        nextStep: "sign in, and send the web auth token with the request"
    )
}
