import RecordStore
import Records

/// What the writer knows beside the file, taken back when a batch is undone.
struct WriterState: Sendable {
    var identity: Int64
    var sequence: Int64
    var time: Timestamp
    var catalog: Catalog
    /// How many commits there were since the file was opened.
    var commits = 0
    /// Deletions since somebody looked at how many there are.
    var deletions = 0
    /// What the records of all zones take up.
    var usage = StoreUsage()
    /// The number of the last notification that was made.
    var lastNotification: Int64 = 0
    /// What the index of subscriptions is to be told once it is on disk.
    var subscriptionChanges: [SubscriptionChange] = []
    /// Names to ids, and back.
    private(set) var zones: [String: Int64] = [:]
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
        if let id = zones.removeValue(forKey: name) { zoneNames[id] = nil }
    }
}
