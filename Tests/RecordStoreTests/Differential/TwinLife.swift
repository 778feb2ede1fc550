import RecordStore
import Records
import Testing

@testable import TestKit

/// Runs the same operations on two stores and compares the results.
struct TwinLife {
    let memory: MemoryStore
    private(set) var engine: any RecordStore
    let seed: UInt64
    var random: RandomWorld
    private var tokens: [(zone: String, token: ChangeToken)] = []
    private var databaseTokens: [ChangeToken] = []
    /// The last operations, for the report of a difference.
    private var diary: [DiaryEntry] = []
    private(set) var compared = 0
    var step = 0
    /// The copies that people have of the zones shared with them.
    var devices: [SharedDevice] = []
    /// The names of the records that each participant has ever been able to see, by zone and person; empty in
    /// a run that does not follow them.
    var seen: [String: [String: Set<String>]] = [:]
    /// The counts of the kinds of changes in a run with shares.
    var tally = SharedTally()

    init(memory: MemoryStore, engine: any RecordStore, seed: UInt64) {
        self.memory = memory
        self.engine = engine
        self.seed = seed
        random = RandomWorld(seed: seed)
    }

    /// Goes on with another store, which has the same content.
    mutating func goOn(with engine: any RecordStore) { self.engine = engine }

    /// Runs one operation of a random kind. Some indexes are declared only after a third of all operations.
    mutating func live(_ step: Int, of count: Int) async throws {
        self.step = step
        random.hasLateIndexes = step > count / 3
        switch random.numbers.next() % 100 {
        case ..<40: try await write()
        case ..<62: try await share()
        case ..<82: try await ask()
        case ..<90: try await follow()
        case ..<94: try await changeZones()
        case ..<97: try await lookUp()
        case ..<98: try await forget()
        case ..<99: try await changeSubscriptions()
        default: try await compareAssets()
        }
    }

    // MARK: Kinds of operation

    private mutating func write() async throws {
        let zone = random.numbers.pick(RandomWorld.zones)
        var tags: [String: ChangeTag] = [:]
        for record in (try? await memory.records(named: RandomWorld.recordNames, in: zone)) ?? [] {
            if let record { tags[record.id.name] = record.changeTag }
        }
        // Time advances, with an occasional step back.
        let time = Int64(step / 100) - (random.numbers.chance(5) ? 3 : 0)
        let batch = random.batch(in: zone, at: time, tags: tags)
        let last = memory.lastNotification
        try await compare(.commit(batch)) { try await $0.commit(batch) }
        try await compare(.other("notifications")) {
            try await $0.notifications(after: last, limit: 1000).map(\.ofAnyProcess)
        }
    }

    private mutating func changeSubscriptions() async throws {
        let owner = random.numbers.pick(RandomWorld.people)
        let zone = random.numbers.chance(30) ? ZoneID(name: random.numbers.pick(RandomWorld.zones)) : nil
        var operations: [SubscriptionOperation] = []
        for _ in 0..<3 {
            let id = random.numbers.pick(["s1", "s2", "s3", "s4"])
            let subscription = Subscription(id: id, kind: random.subscription(zone))
            operations += random.numbers.pick([
                [.create(subscription)], [.delete(id), .create(subscription)], [.update(subscription)],
            ])
        }
        let all = operations
        try await compare(.other("subscriptions \(all)")) {
            try await $0.modifySubscriptions(all, of: owner, limits: Limits())
        }
        let from = random.numbers.pick([0, memory.lastNotification / 2, memory.lastNotification])
        let page = try await compare(.other("collection")) {
            var page = try await $0.notifications(of: owner, after: from, limit: 9)
            page.notifications = page.notifications.map(\.ofAnyProcess)
            return page
        }
        let read = page?.notifications.prefix(2).map(\.notification.id) ?? []
        let stamp = Stamp(at: Timestamp(milliseconds: Int64(step / 100)), by: owner)
        try await compare(.other("read \(read)")) {
            try await $0.markNotificationsRead(read, of: owner, by: stamp)
        }
    }

    private mutating func ask() async throws {
        let query = random.query()
        let zone = random.numbers.chance(70) ? random.numbers.pick(RandomWorld.zones) : nil
        let limit = Int.random(in: 1...6, using: &random.numbers)
        guard var plan = try? QueryRules().plan(query, zone: zone, limit: limit, in: random.schema)
        else { return }
        if random.numbers.chance(30) { plan.bytes = Int.random(in: 1...600, using: &random.numbers) }
        for _ in 0..<60 {
            let asked = plan
            guard let page = try await compare(.query(asked), { try await $0.query(asked) }),
                let cursor = page.cursor
            else { return }
            plan.cursor = try QueryCursor(marker: cursor.marker(for: plan), for: plan)
            if random.numbers.chance(10) { try await write() }
        }
    }

    private mutating func follow() async throws {
        if random.numbers.chance(40) {
            let since = databaseTokens.isEmpty ? nil : random.numbers.pick([nil] + databaseTokens)
            let limit = Int.random(in: 1...4, using: &random.numbers)
            let page = try await compare(.other("zoneChanges limit \(limit)")) {
                try await $0.zoneChanges(since: since, limit: limit)
            }
            if let page { databaseTokens = databaseTokens.suffix(20) + [page.token] }
            return
        }
        let known = random.numbers.chance(80) ? tokens.randomElement(using: &random.numbers) : nil
        let bytes = random.numbers.chance(30) ? Int.random(in: 1...600, using: &random.numbers) : .max
        let request = ChangesRequest(
            zone: known?.zone ?? random.numbers.pick(RandomWorld.zones), since: known?.token,
            limit: Int.random(in: 1...9, using: &random.numbers), bytes: bytes,
            isReversed: random.numbers.chance(15)
        )
        if let page = try await compare(.changes(request), { try await $0.changes(request) }) {
            tokens = tokens.suffix(30) + [(request.zone, page.token)]
        }
    }

    private mutating func changeZones() async throws {
        let name = random.numbers.pick(RandomWorld.zones)
        if random.numbers.chance(60) {
            try await compare(.other("createZone \(name)")) { try await $0.createZone(named: name) }
        } else {
            let reason = random.numbers.pick(ZoneDeletionReason.allCases)
            let time = Timestamp(milliseconds: Int64(step / 100))
            try await compare(.other("deleteZone \(name) \(reason) at \(time.milliseconds)")) {
                store -> Bool in
                try await store.deleteZone(named: name, reason: reason, at: time)
                return true
            }
        }
        try await compare(.other("zones")) { try await $0.zones() }
    }

    private mutating func lookUp() async throws {
        let zone = random.numbers.pick(RandomWorld.zones)
        let names = RandomWorld.recordNames.shuffled(using: &random.numbers)
        try await compare(.other("records in \(zone)")) { try await $0.records(named: names, in: zone) }
        try await compare(.other("heads in \(zone)")) { try await $0.heads(named: names, in: zone) }
    }

    private mutating func forget() async throws {
        let time = Timestamp(milliseconds: Int64(step / 100) - 2)
        try await compare(.other("forgetDeletions before \(time.milliseconds)")) { store -> Bool in
            try await store.forgetDeletions(before: time)
            try await store.forgetNotifications(before: time)
            return true
        }
    }

    private mutating func compareAssets() async throws {
        let released =
            try await compare(.other("releasedAssets")) { try await $0.releasedAssets(limit: 9) } ?? []
        for checksum in ["f1", "f2", "f3"] {
            try await compare(.other("usesAsset \(checksum)")) { try await $0.usesAsset(checksum) }
        }
        for person in RandomWorld.people {
            try await compare(.other("assets by \(person)")) {
                try await $0.assets(of: ["f1", "f2", "f3"], createdBy: person)
            }
            try await compare(.other("usage of \(person)")) { try await $0.usage(of: person) }
        }
        for zone in RandomWorld.zones {
            let asked = Set(["f1", "f2", "f3"])
            try await compare(.other("assets in \(zone)")) {
                try await $0.assets(of: ["a": asked, "b": asked, "c": asked], inZone: zone)
            }
            try await compare(.other("creators in \(zone)")) {
                try await $0.creators(in: zone, after: nil, limit: 9)
            }
        }
        if random.numbers.chance(50) {
            try await compare(.other("forgetReleasedAssets \(released)")) { store -> Bool in
                for isOwned in [true, false] {
                    try await store.forgetReleasedAssets(released, thatAreOwned: isOwned)
                }
                return true
            }
        }
    }

    /// Compares every zone from its first change, and every type in every zone.
    mutating func compareWholeStates() async throws {
        try await compare(.other("zones")) { try await $0.zones() }
        for zone in RandomWorld.zones {
            let all = ChangesRequest(zone: zone, limit: 10_000)
            try await compare(.changes(all)) { try await $0.changes(all) }
        }
        for type in RandomWorld.types {
            let plan = QueryPlan(recordType: type, zone: nil, limit: 10_000)
            try await compare(.query(plan)) { try await $0.query(plan) }
        }
        try await compareAssets()
    }

    // MARK: Comparing

    /// Runs the operation on both stores and compares results or errors. Returns nil after an error.
    @discardableResult
    mutating func compare<T: Equatable & Sendable>(
        _ entry: DiaryEntry, _ body: (any RecordStore) async throws -> T
    ) async throws -> T? {
        compared += 1
        diary.append(entry)
        if diary.count > 40 { diary.removeFirst(20) }
        let expected = await outcome(body, memory)
        let found = await outcome(body, engine)
        if expected == found { return try? found.get() }
        Issue.record(
            """
            seed \(seed), step \(step); what was done last:
            \(diary.suffix(15).map { "  \($0)" }.joined(separator: "\n"))
            memory: \(expected)
            engine: \(found)
            """
        )
        throw Unexpected(text: "the stores differ")
    }

    /// An internal error of a store always counts as a difference.
    private func outcome<T>(
        _ body: (any RecordStore) async throws -> T, _ store: any RecordStore
    ) async -> Result<T, RecordError> {
        do {
            return .success(try await body(store))
        } catch let error as RecordError {
            if error.code == .internalError { Issue.record("seed \(seed), step \(step): \(error)") }
            return .failure(error)
        } catch {
            return .failure(RecordError(.internalError, "\(type(of: store)): \(error)"))
        }
    }
}

extension NumberedNotification {
    /// The notification as if it were not known which process has written it: a copy does not tell.
    fileprivate var ofAnyProcess: NumberedNotification {
        var notification = self
        notification.isForeign = false
        return notification
    }
}
