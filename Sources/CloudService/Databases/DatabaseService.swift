import RecordStore
import Records

/// Opens databases for requests. Around each use, it creates the container if necessary, tidies the database
/// up once a day, delivers the pushes of the last commits, and records the database's size for the quota.
final class DatabaseService: Sendable {
    let context: ServiceContext
    let containerRegistry: ContainerRegistry
    let schemaCache: SchemaCache
    let quotas: QuotaService
    let devices: DeviceService
    let slowWork: SlowWork
    let shareCounts: ShareCounts

    init(
        _ context: ServiceContext, containerRegistry: ContainerRegistry, schemaCache: SchemaCache,
        quotas: QuotaService, devices: DeviceService, slowWork: SlowWork
    ) {
        self.context = context
        self.containerRegistry = containerRegistry
        self.schemaCache = schemaCache
        self.quotas = quotas
        self.devices = devices
        self.slowWork = slowWork
        shareCounts = ShareCounts(context.limits)
    }

    /// Runs `work` with the caller's database of that kind.
    ///
    /// Throws `authenticationRequired` for the private database of an anonymous caller.
    func using<Result: Sendable>(
        _ scope: DatabaseKind, for caller: Caller,
        _ work: (OpenDatabase) async throws -> Result
    ) async throws -> Result {
        try await using(try key(of: scope, for: caller), work)
    }

    /// Runs `work`, which must only read, with the caller's database of that kind. Work that takes long is
    /// interrupted and started again on a thread for slow work.
    ///
    /// Anybody may read from a public database of any name, so reading creates none: a missing database is
    /// empty. Throws as `using` does, and `limitExceeded` when the read takes too long.
    ///
    /// - Parameter delivers: whether pushes are posted afterwards, because the work marks notifications as
    ///   read.
    func reading<Result: Sendable>(
        _ scope: DatabaseKind, for caller: Caller, delivers: Bool = false,
        _ work: (OpenDatabase) async throws -> Result
    ) async throws -> Result {
        let key = try key(of: scope, for: caller)
        if key.owner == nil, let empty = context.provider.empty(key) {
            try await containerRegistry.checkUsable(key.container)
            return try await work(empty)
        }
        return try await using(key, delivers: delivers) { database in
            try await slowWork.reading(for: caller.workPayer) { try await work(database) }
        }
    }

    /// Runs `work` with a database, which is created if necessary and stays open meanwhile.
    ///
    /// - Parameter delivers: whether to post the pushes of commits after the work; false for work that only
    ///   reads, so that a reader does not wait for the pushes of other people's saves.
    func using<Result: Sendable>(
        _ key: DatabaseKey, delivers: Bool = true, _ work: (OpenDatabase) async throws -> Result
    ) async throws -> Result {
        try await containerRegistry.createIfNeeded(key.container)
        let database = try await context.provider.lease(key)
        do {
            try await tidy(database)
            let result = try await work(database)
            if delivers { await devices.deliver(from: database) }
            try await quotas.recordSize(of: database)
            await context.provider.giveBack(key)
            return result
        } catch {
            if delivers { await devices.deliver(from: database) }
            await context.provider.giveBack(key)
            throw error
        }
    }

    /// Removes old deletion records and notifications, and indexes that the schema no longer has. Runs when
    /// the database is opened, and then at most once a day.
    private func tidy(_ database: OpenDatabase) async throws {
        let now = context.runtime.now()
        guard database.housekeeping.isDue(at: now, everySeconds: 86_400) else { return }
        let lifetime = Int64(context.limits.deletionSeconds)
        try await database.records.forgetDeletions(before: now.advanced(bySeconds: -lifetime))
        let notificationLifetime = Int64(context.limits.notificationSeconds)
        try await database.records.forgetNotifications(before: now.advanced(bySeconds: -notificationLifetime))
        let key = database.key
        let place = ContainerKey(container: key.container, environment: key.environment)
        try await database.records.dropIndexes(notIn: try await schemaCache.schema(of: place))
    }

    /// The key of the caller's database of that kind. Throws as `using` does.
    func key(of scope: DatabaseKind, for caller: Caller) throws(RecordError) -> DatabaseKey {
        switch (scope, caller.identity) {
        case (.public, _): return key(owner: nil, for: caller)
        case (.private, .person(let name)): return key(owner: name, for: caller)
        case (.private, .serverKey), (.shared, .serverKey):
            throw RecordError.notForKeys("the \(scope.rawValue) database", scope.rawValue)
        case (.private, .anonymous), (.shared, .anonymous): throw caller.notSignedIn
        case (.shared, .person): throw RecordError.zoneNotFound("shared")
        }
    }

    func key(owner: String?, for caller: Caller) -> DatabaseKey {
        DatabaseKey(container: caller.container, environment: caller.environment, owner: owner)
    }

    /// The name of a zone; the default zone for nil. In a private database, throws `zoneNotFound` for a zone
    /// of another owner.
    func zoneName(_ zone: ZoneID?, in database: OpenDatabase) throws(RecordError) -> String {
        guard let zone else { return ZoneID.defaultName }
        if let owner = zone.owner.flatMap(ZoneID.meantOwner), owner != database.key.owner {
            if database.key.owner != nil { throw RecordError.zoneNotFound(zone.name) }
        }
        return zone.name
    }
}

extension RecordError {
    /// The error for a call that requires a signed-in person.
    static let signInRequired = RecordError(
        .authenticationRequired, "request needs authorization",
        nextStep: "sign in, and send the web auth token with the request"
    )
}
