import Records

/// A zone with its records and tombstones.
struct MemoryZone {
    var id: Int64
    var name: String
    /// The number of the zone's last change.
    var sequence: Int64
    var records: [String: WrittenRecord] = [:]
    /// What the records take up.
    var usage = StoreUsage()
    var tombstones: [String: (type: String, sequence: Int64, time: Timestamp)] = [:]
    /// The number of the last deletion that was forgotten.
    var horizon: Int64 = 0
    /// The last batch of each device that names them, and the place of that in their order.
    var lastBatches: [ClientID: (name: ClientChange, number: Int64)] = [:]
    /// The sources of each binding, by the order of their creation.
    var sources: [Binding: [Int64: String]] = [:]

    var isDefault: Bool { name == ZoneID.defaultName }

    func described(in database: Int64) -> Zone {
        let position = FeedPosition(database: database, zone: id, sequence: sequence)
        return Zone(
            id: ZoneID(name: name), isAtomic: !isDefault, syncToken: isDefault ? nil : position.token
        )
    }

    /// Every record and tombstone as a change, in no order.
    var changes: [Change] {
        records.values.map { .saved($0.stored) }
            + tombstones.map { name, grave in
                .deleted(
                    RecordID(name: name, zone: ZoneID(name: self.name)), type: grave.type,
                    sequence: grave.sequence
                )
            }
    }

    /// Remembers a batch in place of the device's last one.
    mutating func remember(_ batch: WriteBatch, _ results: [ItemResult]) {
        guard let client = batch.client,
            let memory = batch.memory(of: results, after: lastBatches[client]?.name)
        else { return }
        lastBatches[client] = (memory, sequence)
        let known = lastBatches.filter { $0.key.person == client.person }
        let surplus = known.count - batch.limits.clientsPerZone
        guard surplus > 0 else { return }
        let order = known.map { ($0.value.number, $0.key) }
            .sorted { ($0.0, $0.1.device) < ($1.0, $1.1.device) }
        for (_, client) in order.prefix(surplus) { lastBatches[client] = nil }
    }

    mutating func bind(_ source: Int64, _ name: String, to bindings: [Binding]) {
        for binding in bindings { sources[binding, default: [:]][source] = name }
    }

    mutating func unbind(_ source: Int64, from bindings: [Binding]) {
        for binding in bindings {
            sources[binding]?[source] = nil
            if sources[binding]?.isEmpty == true { sources[binding] = nil }
        }
    }
}

/// A notification and whether it was read.
struct MemoryNotification {
    var entry: NumberedNotification
    var isRead = false
}

/// All of a memory store.
struct MemoryState {
    var identity: Int64
    var sequence: Int64 = 0
    var lastTime = Timestamp(milliseconds: .min)
    /// Deletions since somebody looked at how many there are.
    var deletions = 0
    var zones = [ZoneID.defaultName: MemoryZone(id: 1, name: ZoneID.defaultName, sequence: 0)]
    /// Zones that are gone.
    var graves: [String: (reason: ZoneDeletionReason, sequence: Int64, time: Timestamp)] = [:]
    /// The number of the last deletion of a zone that was forgotten.
    var horizon: Int64 = 0
    /// What the records of all zones take up.
    var usage = StoreUsage()
    /// How many records refer to each file.
    var owners: [String: Int] = [:]
    var released: Set<String> = []
    var subscriptions: [SubscriptionEntry] = []
    var lastSubscription: Int64 = 0
    /// In the order of their making.
    var notifications: [MemoryNotification] = []
    var lastNotification: Int64 = 0
    /// The number of the last notification that was forgotten.
    var notificationHorizon: Int64 = 0
    /// The same for people who had too many.
    var notificationHorizons: [String: Int64] = [:]
    let notificationLimits: NotificationLimits
    let codec: any FieldCodec

    init(identity: Int64, notificationLimits: NotificationLimits, codec: any FieldCodec) {
        self.identity = identity
        self.notificationLimits = notificationLimits
        self.codec = codec
    }

    /// Forgets the oldest deletions when there are more than a database may keep.
    mutating func forgetSurplusDeletions(keeping most: Int) {
        guard DeletionRules.isDue(after: deletions, keeping: most) else { return }
        deletions = 0
        let kept = DeletionRules.kept(most, records: zones.values.reduce(0) { $0 + $1.records.count })
        let all = zones.values.flatMap { $0.tombstones.values.map(\.sequence) }.sorted(by: >)
        guard all.count > kept else { return }
        for (name, var zone) in zones {
            for (name, grave) in zone.tombstones where grave.sequence <= all[kept] {
                zone.tombstones[name] = nil
                zone.horizon = max(zone.horizon, grave.sequence)
            }
            zones[name] = zone
        }
    }

    /// Forgets the oldest deletions of zones.
    mutating func forgetSurplusZones(keeping most: Int) {
        let all = graves.sorted { $0.value.sequence > $1.value.sequence }
        for (name, grave) in all.dropFirst(most) {
            graves[name] = nil
            horizon = max(horizon, grave.sequence)
        }
    }

    /// Forgets the devices whose batches are oldest, of all zones together.
    mutating func forgetSurplusClients(keeping most: Int) {
        let all = zones.values.flatMap { zone in
            zone.lastBatches.map { (number: $0.value.number, zone: zone.name, client: $0.key) }
        }
        guard all.count > most else { return }
        let order = all.sorted {
            ($0.number, $0.client.person, $0.client.device) > ($1.number, $1.client.person, $1.client.device)
        }
        for old in order.dropFirst(most) { zones[old.zone]?.lastBatches[old.client] = nil }
    }

    /// A zone that must be there. Throws what became of it.
    func zone(named name: String) throws(RecordError) -> MemoryZone {
        if let zone = zones[name] { return zone }
        throw RecordError.zoneGone(name, graves[name]?.reason)
    }

    func uses(_ fileChecksum: String) -> Bool { owners[fileChecksum, default: 0] > 0 }

    mutating func own(_ record: WrittenRecord) {
        for checksum in record.stored.fields.assetChecksums { owners[checksum, default: 0] += 1 }
    }

    mutating func release(_ record: WrittenRecord) {
        for checksum in record.stored.fields.assetChecksums {
            owners[checksum, default: 0] -= 1
            if !uses(checksum) {
                owners[checksum] = nil
                released.insert(checksum)
            }
        }
    }
}

extension FieldBytes {
    /// The files that the fields refer to, each once.
    package var assetChecksums: Set<String> { Set(assetSlots.map(\.fileChecksum)) }
}
