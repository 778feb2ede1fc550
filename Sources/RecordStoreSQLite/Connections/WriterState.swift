import RecordStore
import Records

/// The writer's copy of the file's state. A change of it is dropped if its batch is undone.
struct WriterState: Sendable {
    var identity: Int64
    var sequence: Int64
    var time: Timestamp
    var catalog: Catalog
    /// The number of commits since the file was opened.
    var commits = 0
    /// Deletions of records since the tombstones were last counted.
    var deletions = 0
    /// Records that left shares, and shares and memberships that ended, since their traces were last counted.
    var leavings = 0
    /// The usage of all zones together.
    var usage = StoreUsage()
    /// Which shares each zone has, by its id. Zones without shares are missing.
    var shares: [Int64: ZoneShares] = [:]
    /// The number of the last notification.
    var lastNotification: Int64 = 0
    /// The changes of `SubscriptionCache` to apply after the commit.
    var subscriptionChanges: [SubscriptionChange] = []
    /// The ids of the zones by their names.
    private(set) var zones: [String: Int64] = [:]
    /// The names of the zones by their ids.
    private(set) var zoneNames: [Int64: String] = [:]

    init(identity: Int64, sequence: Int64, time: Timestamp, catalog: Catalog) {
        self.identity = identity
        self.sequence = sequence
        self.time = time
        self.catalog = catalog
    }

    mutating func add(zone id: Int64, named name: String) {
        zones[name] = id
        zoneNames[id] = name
    }

    mutating func removeZone(named name: String) {
        guard let id = zones.removeValue(forKey: name) else { return }
        zoneNames[id] = nil
        shares[id] = nil
    }
}
