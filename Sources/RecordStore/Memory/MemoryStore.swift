package import Records
import Synchronization

/// A store in memory: the reference implementation that other stores are tested against. Its content is lost
/// when the process ends.
package final class MemoryStore: RecordStore {
    let state: Mutex<MemoryState>
    private let codec: any FieldCodec

    /// - Parameter notificationLimits: limits for the notifications of each person.
    package init(
        codec: any FieldCodec, identity: Int64 = 1,
        notificationLimits: NotificationLimits = NotificationLimits()
    ) {
        self.codec = codec
        state = Mutex(
            MemoryState(identity: identity, notificationLimits: notificationLimits, codec: codec))
    }

    package func apply(_ batch: WriteBatch) async throws -> BatchAnswer {
        try state.withLock { state in
            let results = try Self.commit(batch, to: &state, codec)
            let zone = batch.wantsToken ? state.zones[batch.zone] : nil
            return BatchAnswer(results: results, token: zone?.described(in: state.identity).syncToken)
        }
    }

    private static func commit(
        _ batch: WriteBatch, to state: inout MemoryState, _ codec: any FieldCodec
    ) throws -> [ItemResult] {
        var draft = state
        var batch = batch
        batch.stamp.at = max(batch.stamp.at, draft.lastTime)
        draft.lastTime = batch.stamp.at
        let zone = try draft.zone(named: batch.zone)
        let base = MemoryTransaction(state: draft, zone: zone)
        let (all, watchers) = (state.subscriptions, state.watchers)
        let watchesShares = all.contains { $0.entry.scope == .shared }
        var transaction = WatchedTransaction(
            base, codec: codec, watchesShares: watchesShares,
            asksForUpdates: { type in all.contains { $0.entry.asks(for: .update, of: type) } })
        let outcome = try BatchRules(codec: codec).apply(batch, to: &transaction)
        if outcome.mustUndo { return outcome.results }
        let people = try transaction.peopleOfShares()
        state = transaction.base.finished()
        state.zones[batch.zone]?.remember(batch, outcome.results)
        state.forgetSurplusClients(keeping: batch.limits.clientsPerDatabase)
        state.forgetSurplusDeletions(keeping: batch.limits.deletionsPerDatabase)
        state.forgetSurplusLeavings(keeping: batch.limits.deletionsPerDatabase)
        let matching = PushMatching(batch, identity: state.identity)
        state.keep(matching.pushes(for: transaction.changes, queries: { _, _ in all }, watchers: watchers))
        state.keep(matching.pushes(of: people, watchers: watchers, sequence: state.sequence))
        return outcome.results
    }

    package func lookup(
        _ names: [String], in zone: String, atMost bytes: Int, wantsToken: Bool,
        take: (StoredRecord?) throws -> Void
    ) async throws -> ChangeToken? {
        let (zone, identity) = try state.withLock { (try $0.zone(named: zone), $0.identity) }
        var left = bytes
        for name in names {
            let record = zone.records[name]?.stored
            left -= record?.fields.bytes.count ?? 0
            if left < 0 { throw RecordError.answerTooLarge(limit: bytes) }
            try take(record)
        }
        return wantsToken ? zone.described(in: identity).syncToken : nil
    }

    package func heads(named names: [String], in zone: String) async throws -> [StoredRecord?] {
        try await records(named: names, in: zone).map { $0?.withoutFields }
    }

    package func query(_ plan: QueryPlan) async throws -> QueryPage {
        try state.withLock { state in
            if let zone = plan.zone { _ = try state.zone(named: zone) }
            let evaluation = QueryEvaluation(plan: plan)
            var found: [(record: StoredRecord, values: [SortValue])] = []
            for zone in state.zones.values where plan.zone == nil || plan.zone == zone.name {
                for entry in zone.records.values where entry.stored.type == plan.recordType {
                    if !evaluation.matches(entry) { continue }
                    if let person = plan.participant, !zone.shows(entry.stored.id.name, to: person) {
                        continue
                    }
                    let values = evaluation.sortValues(of: entry)
                    if let cursor = plan.cursor, !evaluation.isOrdered(cursor.values, before: values) {
                        continue
                    }
                    found.append((entry.stored, values))
                }
            }
            found.sort { evaluation.isOrdered($0.values, before: $1.values) }
            let count = PageGauge.cut(found, limit: plan.limit, bytes: plan.bytes, plan.addresses) {
                $0.record
            }
            let page = found.prefix(count)
            let cursor = found.count > count ? page.last.map { QueryCursor(values: $0.values) } : nil
            let zone = plan.wantsToken ? plan.zone.flatMap { state.zones[$0] } : nil
            return QueryPage(
                records: page.map(\.record), plan.addresses, cursor: cursor,
                token: zone?.described(in: state.identity).syncToken)
        }
    }

    package func zones(after name: String?, limit: Int) async throws -> [Zone] {
        func place(_ name: String) -> String { name == ZoneID.defaultName ? "" : name }
        return state.withLock { state in
            let found = state.zones.values
                .filter { zone in name.map { place($0).precedesInBytes(place(zone.name)) } ?? true }
                .sorted { place($0.name).precedesInBytes(place($1.name)) }
            return found.prefix(limit).map { $0.described(in: state.identity) }
        }
    }

    package func zones(named names: [String]) async throws -> [Zone?] {
        state.withLock { state in names.map { state.zones[$0]?.described(in: state.identity) } }
    }

    package func createZone(named name: String, by stamp: Stamp, atMost most: Int) async throws -> Zone {
        try state.withLock { state in
            if let zone = state.zones[name] { return zone.described(in: state.identity) }
            try ZoneRules.checkCreation(of: name, besides: state.zones.count - 1, atMost: most)
            state.sequence += 1
            state.notify(ofZone: name, stamp)
            let zone = MemoryZone(id: ZoneRules.id(at: state.sequence), name: name, sequence: state.sequence)
            state.zones[name] = zone
            state.graves[name] = nil
            state.forgetSurplusZones(keeping: most)
            return zone.described(in: state.identity)
        }
    }

    package func deleteZone(
        named name: String, reason: ZoneDeletionReason, by stamp: Stamp
    ) async throws {
        try ZoneRules.checkDeletion(of: name, reason)
        try state.withLock { state in
            let zone = try state.zone(named: name)
            state.sequence += 1
            state.lastTime = max(state.lastTime, stamp.at)
            state.notify(ofZone: name, members: zone.shares.values.flatMap(\.currentMembers), stamp)
            if zone.isDefault {
                var empty = MemoryZone(id: zone.id, name: name, sequence: state.sequence)
                empty.horizon = state.sequence
                state.zones[name] = empty
            } else {
                state.zones[name] = nil
                state.graves[name] = (reason, state.sequence, state.lastTime)
            }
            for entry in zone.records.values { state.release(entry) }
            state.usage -= zone.usage
        }
    }

    package func zoneChanges(since token: ChangeToken?, limit: Int) async throws -> ZoneChangesPage {
        try state.withLock { state in
            let start = try FeedPosition.start(
                of: .zones, after: token, database: state.identity, zone: 0, horizon: state.horizon,
                end: state.sequence, culprit: "database"
            )
            let changed = state.zones.values.filter { !$0.isDefault }.map { zone in
                ZoneChange.changed(zone.described(in: state.identity), sequence: zone.sequence)
            }
            let gone = state.graves.map { name, grave in
                ZoneChange.deleted(ZoneID(name: name), grave.reason, sequence: grave.sequence)
            }
            let all = (changed + gone).filter { $0.sequence > start.sequence }
                .sorted { $0.sequence < $1.sequence }
            return ZoneChangesPage(taking: all, limit: limit, start: start, end: state.sequence)
        }
    }

    package func forgetDeletions(before time: Timestamp) async throws {
        state.withLock { state in
            for (name, var zone) in state.zones {
                let old = zone.tombstones.filter { $0.value.time < time }
                for (name, grave) in old {
                    zone.tombstones[name] = nil
                    zone.horizon = max(zone.horizon, grave.sequence)
                }
                zone.forgetSharedRows { $1 < time }
                state.zones[name] = zone
            }
            for (name, grave) in state.graves where grave.time < time {
                state.graves[name] = nil
                state.horizon = max(state.horizon, grave.sequence)
            }
        }
    }

    package func changes(_ request: ChangesRequest) async throws -> ChangesPage {
        try state.withLock { state in
            let zone = try state.zone(named: request.zone)
            let start = try request.start(
                in: state.identity, zone: zone.id, horizon: zone.horizon, end: zone.sequence
            )
            let all = zone.changes.sorted { $0.sequence < $1.sequence }
            let rest =
                request.isReversed
                ? all.reversed().filter { $0.sequence < start.sequence }
                : all.filter { $0.sequence > start.sequence }
            let count = PageGauge.cut(rest, limit: request.limit, bytes: request.bytes, record: \.record)
            return ChangesPage(
                PackedChanges(rest.prefix(count), zone: ZoneID(name: request.zone)),
                moreComing: rest.count > count, start: start, end: zone.sequence,
                lastBatch: request.client.map { zone.lastBatches[$0]?.name ?? .nothing }
            )
        }
    }

    package func prepare(_ types: [TypeSchema]) async throws {
        // No tables or indexes have to be prepared.
    }

    package func dropIndexes(notIn schema: Schema) async throws -> Int64? {
        // There are no indexes: every query is a scan.
        0
    }

    package func usesAsset(_ fileChecksum: String) async throws -> Bool {
        state.withLock { $0.uses(fileChecksum) }
    }

    package func assets(
        of fileChecksums: Set<String>, createdBy person: String
    ) async throws -> Set<String> {
        state.withLock { state in
            var found: Set<String> = []
            for zone in state.zones.values {
                for entry in zone.records.values where entry.stored.created.by == person {
                    found.formUnion(entry.stored.fields.assetChecksums.intersection(fileChecksums))
                }
            }
            return found
        }
    }

    package func assets(
        of fileChecksums: [String: Set<String>], inZone zone: String
    ) async throws -> [String: Set<String>] {
        try state.withLock { state in
            let records = try state.zone(named: zone).records
            var found: [String: Set<String>] = [:]
            for (name, wanted) in fileChecksums {
                let owned = records[name]?.stored.fields.assetChecksums.intersection(wanted) ?? []
                if !owned.isEmpty { found[name] = owned }
            }
            return found
        }
    }

    package func releasedAssets(limit: Int) async throws -> [String] {
        state.withLock { Array($0.released.sorted().prefix(limit)) }
    }

    package func forgetReleasedAssets(_ fileChecksums: [String], thatAreOwned: Bool) async throws {
        state.withLock { state in
            for checksum in fileChecksums where state.uses(checksum) == thatAreOwned {
                state.released.remove(checksum)
            }
        }
    }

    package func usage() async throws -> StoreUsage { state.withLock { $0.usage } }

    package func usage(of person: String) async throws -> StoreUsage {
        state.withLock { state in
            state.zones.values.reduce(StoreUsage()) { $0 + $1.usage(of: person) }
        }
    }

    package func usage(ofZones names: [String]) async throws -> [String: StoreUsage] {
        let names = Set(names)
        return state.withLock { $0.zones.filter { names.contains($0.key) }.mapValues(\.usage) }
    }

    package func creators(
        in zone: String, after last: CreatorUsage?, limit: Int
    ) async throws -> [CreatorUsage] {
        let all = state.withLock { $0.zones[zone]?.creators ?? [] }
        let later = all.filter { last?.precedes($0) ?? true }
        return Array(later.sorted { $0.precedes($1) }.prefix(limit))
    }

    package func space(ofTypes names: [String]) async throws -> [String: TypeSpace]? {
        let names = Set(names)
        let records = state.withLock { $0.zones[ZoneID.defaultName]?.records ?? [:] }
        return Dictionary(grouping: records.values) { $0.stored.type }
            .filter { names.contains($0.key) }
            .mapValues { records in
                let usage = records.reduce(StoreUsage()) { $0 + $1.usage }
                return TypeSpace(
                    records: SpaceFigure(usage.records), recordBytes: SpaceFigure(usage.recordBytes),
                    assetBytes: SpaceFigure(usage.assetBytes))
            }
    }

    package func interruptWrites() {
        // A write takes no longer than its computation, which cannot be interrupted.
    }

    package func close() async throws {}
}

extension Change {
    /// The saved record; nil for a deletion.
    fileprivate var record: StoredRecord? {
        if case .saved(let record) = self { record } else { nil }
    }
}
