import PostgreSQLSupport
import RecordStore
import Records

/// A writer's copy of the row of its database. It is read after the row was locked, and written back before
/// the commit.
struct PostgresWriteState {
    let identity: Int64
    var sequence: Int64
    var time: Timestamp
    /// The number of the last forgotten deletion of a zone.
    var horizon: Int64
    /// Deletions of records since the tombstones were last counted.
    var deletions: Int64
    /// Records that left shares, and shares and memberships that ended, since their traces were last counted.
    var leavings: Int64
    var catalog: PostgresCatalog
    /// The number of the last notification.
    var lastNotification: Int64
    /// The number of the last notification that was forgotten.
    var notificationHorizon: Int64
    /// The number of changes of subscriptions as of the start of the transaction.
    let oldSubscriptions: Int64
    /// The number of changes of subscriptions; a new subscription gets it as its own.
    var subscriptions: Int64
    /// The changes of `PostgresSubscriptionCache` to apply after the commit.
    var subscriptionChanges: [SubscriptionChange] = []
    /// The subscriptions that this transaction has removed.
    var removedSubscriptions: Set<Int64> {
        subscriptionChanges.reduce(into: []) { removed, change in
            switch change {
            case .remove(let number): removed.insert(number)
            case .add(let entry): removed.remove(entry.number)
            }
        }
    }
    /// The usage of all zones together.
    var usage = StoreUsage()
    /// The zones that the transaction has used, by their names, with changes that are not stored yet.
    private var zones: [String: ZoneState] = [:]

    /// A zone within the transaction. Several writes may change it, so its changes are stored once.
    private struct ZoneState {
        var id: Int64
        /// The number of the last change.
        var sequence: Int64
        /// The changes of the usage of the zone, and of people in it.
        var growth = StoreUsage()
        var people: [String: StoreUsage] = [:]
        var isChanged = false
        /// Which shares it has, if that is known.
        var shares: ZoneShares?
    }

    /// Locks the row of the database, and reads it. Waits for the writer that holds the lock.
    init(locking session: PostgresSession, _ catalogs: PostgresCatalogCache) throws {
        let row = try session.ask(
            """
            SELECT identity, sequence, time, horizon, deletions, catalog, subscriptions, last_notification,
                notification_horizon, leavings
            FROM database
            WHERE id = $1
            FOR UPDATE
            """)
        // The snapshot of this statement is from after the lock.
        let zones = try session.ask(
            "SELECT record_count, record_bytes, asset_bytes FROM zone WHERE database = $1")
        guard let row = try row.rows().first else { throw Self.missing }
        identity = row.integer(0)
        sequence = row.integer(1)
        time = Timestamp(milliseconds: row.integer(2))
        horizon = row.integer(3)
        deletions = row.integer(4)
        catalog = try catalogs.catalog(row.integer(5), session)
        subscriptions = row.integer(6)
        oldSubscriptions = row.integer(6)
        lastNotification = row.integer(7)
        notificationHorizon = row.integer(8)
        leavings = row.integer(9)
        for zone in try zones.rows() {
            usage += zone.usage(from: 0)
        }
    }

    static var missing: RecordError {
        RecordError(.internalError, "the table database lacks a row", nextStep: "restore a backup")
    }

    /// The id of a zone. Throws the error for a missing zone.
    mutating func id(ofZone name: String, _ session: PostgresSession) throws -> Int64 {
        if let known = zones[name] { return known.id }
        let (id, end, _) = try PostgresZoneTable(session: session).extent(of: name)
        zones[name] = ZoneState(id: id, sequence: end)
        return id
    }

    /// The token of a zone for whose id the transaction has asked; nil for the default zone.
    func token(ofZone name: String) -> ChangeToken? {
        guard name != ZoneID.defaultName, let zone = zones[name] else { return nil }
        return Zone(named: name, id: zone.id, sequence: zone.sequence, identity: identity).syncToken
    }

    /// Which shares a zone has, if the transaction has read or changed them.
    func shares(ofZone name: String) -> ZoneShares? { zones[name]?.shares }

    mutating func keep(_ shares: ZoneShares, ofZone name: String) { zones[name]?.shares = shares }

    /// How much the usage of a person has grown by changes that are not stored yet.
    func growth(of person: String) -> StoreUsage {
        zones.values.reduce(StoreUsage()) { $0 + ($1.people[person] ?? StoreUsage()) }
    }

    /// Notes that the last change is one of a zone for whose id the transaction has asked, and how much the
    /// usage of the zone and of people in it has grown.
    mutating func note(_ growth: StoreUsage, _ people: [String: StoreUsage], inZone name: String) {
        guard var zone = zones.removeValue(forKey: name) else { return }
        zone.isChanged = true
        zone.sequence = sequence
        zone.growth += growth
        zone.people.merge(people, uniquingKeysWith: +)
        zones[name] = zone
    }

    /// Stores the changes of zones. Call it before statements that read or write what `ZoneState` has.
    mutating func storeZones(in session: PostgresSession) throws {
        try saveZones(in: session)
        zones = [:]
    }

    private func saveZones(in session: PostgresSession) throws {
        for zone in zones.values.sorted(by: { $0.id < $1.id }) where zone.isChanged {
            try PostgresUsageAccount(session: session)
                .add(zone.growth, zone.people, to: zone.id, sequence: zone.sequence)
        }
    }

    func save(in session: PostgresSession) throws {
        try saveZones(in: session)
        try session.run(
            """
            UPDATE database
            SET sequence = $2, time = $3, horizon = $4, deletions = $5, catalog = $6, subscriptions = $7,
                last_notification = $8, notification_horizon = $9, leavings = $10
            WHERE id = $1
            """,
            .integer(sequence), .integer(time.milliseconds), .integer(horizon), .integer(deletions),
            .integer(catalog.number), .integer(subscriptions), .integer(lastNotification),
            .integer(notificationHorizon), .integer(leavings))
    }
}
