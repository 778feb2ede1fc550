import Records

/// A zone with its records and tombstones.
struct MemoryZone {
    var id: Int64
    var name: String
    /// The sequence number of the zone's last change.
    var sequence: Int64
    var records: [String: WrittenRecord] = [:]
    /// Bytes of the records and their files.
    var usage = StoreUsage()
    var tombstones: [String: (type: String, ordinal: Int64, sequence: Int64, time: Timestamp)] = [:]
    /// The sequence number of the last forgotten deletion of a record.
    var horizon: Int64 = 0
    /// The last named batch of each device, with its sequence number, by which the oldest are forgotten.
    var lastBatches: [ClientID: (name: ClientChange, number: Int64)] = [:]
    /// The records with each binding: their names by their ordinals.
    var sources: [Binding: [Int64: String]] = [:]
    /// The shares by their ids, ended ones included until that is forgotten.
    var shares: [Int64: MemoryShare] = [:]
    /// The share that covers a record, for shares of records.
    var covers: [String: Int64] = [:]
    /// The number of the last forgotten row of a share.
    var shareHorizon: Int64 = 0
    /// The short GUIDs of roots, and of the zone under the name `Share.zoneWideName`.
    var shortGUIDs: [String: String] = [:]

    var isDefault: Bool { name == ZoneID.defaultName }

    func described(in database: Int64) -> Zone {
        Zone(named: name, id: id, sequence: sequence, identity: database)
    }

    /// Bytes of the records that a person created, and of their files.
    func usage(of person: String) -> StoreUsage {
        records.values.filter { $0.stored.created.by == person }.reduce(StoreUsage()) { $0 + $1.usage }
    }

    /// The usage of each person who created records.
    var creators: [CreatorUsage] {
        Dictionary(grouping: records.values) { $0.stored.created.by }.map { person, records in
            CreatorUsage(person: person, usage: records.reduce(StoreUsage()) { $0 + $1.usage })
        }
    }

    /// All records and tombstones as changes, unordered.
    var changes: [Change] {
        records.values.map { .saved($0.stored) }
            + tombstones.map { name, grave in
                .deleted(
                    RecordID(name: name, zone: ZoneID(name: self.name)), type: grave.type,
                    sequence: grave.sequence
                )
            }
    }

    /// Remembers a batch as its device's last one, and forgets the device of the same person that wrote
    /// longest ago if there are too many.
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

struct MemoryNotification {
    var entry: NumberedNotification
    var isRead = false
}

/// The whole content of a memory store.
struct MemoryState {
    var identity: Int64
    var sequence: Int64 = 0
    var lastTime = Timestamp(milliseconds: .min)
    /// Deletions of records since the tombstones were last counted.
    var deletions = 0
    /// Records that left shares, and shares and memberships that ended, since their traces were last counted.
    var leavings = 0
    var zones = [ZoneID.defaultName: MemoryZone(id: 1, name: ZoneID.defaultName, sequence: 0)]
    /// Deleted zones, by name, until the deletion is forgotten or the name is used again.
    var graves: [String: (reason: ZoneDeletionReason, sequence: Int64, time: Timestamp)] = [:]
    /// The sequence number of the last forgotten deletion of a zone.
    var horizon: Int64 = 0
    /// Bytes of the records and files of all zones.
    var usage = StoreUsage()
    /// How many records refer to each file.
    var owners: [String: Int] = [:]
    var released: Set<String> = []
    var subscriptions: [PreparedSubscription] = []
    var lastSubscription: Int64 = 0
    /// In ascending order of their numbers.
    var notifications: [MemoryNotification] = []
    var lastNotification: Int64 = 0
    /// The number of the last notification that was forgotten.
    var notificationHorizon: Int64 = 0
    /// The number of the last forgotten notification of each person who had too many.
    var notificationHorizons: [String: Int64] = [:]
    let notificationLimits: NotificationLimits
    let codec: any FieldCodec

    init(identity: Int64, notificationLimits: NotificationLimits, codec: any FieldCodec) {
        self.identity = identity
        self.notificationLimits = notificationLimits
        self.codec = codec
    }

    /// Forgets the oldest deletions of records if there are more than `DeletionRules` allows.
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
            zone.forgetSharedRows { row, _ in row <= all[kept] }
            zones[name] = zone
        }
    }

    /// Forgets the oldest traces of records that left shares and of shares that ended, if there are more than
    /// `DeletionRules` allows for deletions.
    mutating func forgetSurplusLeavings(keeping most: Int) {
        guard DeletionRules.isDue(after: leavings, keeping: most) else { return }
        leavings = 0
        let kept = DeletionRules.kept(most, records: zones.values.reduce(0) { $0 + $1.records.count })
        let all = zones.values.flatMap { $0.shares.values.flatMap(\.leavings) }.sorted(by: >)
        guard all.count > kept else { return }
        for name in zones.keys { zones[name]?.forgetSharedRows { row, _ in row <= all[kept] } }
    }

    /// Forgets all deletions of zones but the latest `most`.
    mutating func forgetSurplusZones(keeping most: Int) {
        let all = graves.sorted { $0.value.sequence > $1.value.sequence }
        for (name, grave) in all.dropFirst(most) {
            graves[name] = nil
            horizon = max(horizon, grave.sequence)
        }
    }

    /// Forgets all remembered batches but the latest `most`, counted over all zones.
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

    /// Returns a zone. Throws the error for a missing one, with the reason of its deletion.
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
    /// The checksums of the files that the fields refer to.
    package var assetChecksums: Set<String> { Set(assetSlots.map(\.fileChecksum)) }
}
