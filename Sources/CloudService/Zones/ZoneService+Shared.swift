import Directory
import RecordStore
import Records

extension ZoneService {
    /// A zone in which the caller has accepted a share.
    private struct SharedState {
        var entry: SharedZone
        /// The zone; nil if it is no longer shared with the caller, or if its owner's database fails.
        var zone: Zone?
        /// The part of the zone that the caller sees now; nil if `zone` is nil.
        var seen: SharedDatabasePosition.Seen?
        /// The error of the owner's database.
        var failure: RecordError?

        var id: ZoneID { ZoneID(name: entry.zone, owner: entry.owner) }
        /// Whether the zone is no longer shared with the caller.
        var hasEnded: Bool { zone == nil && failure == nil }

        var result: ZoneResult {
            if let zone { return .zone(zone) }
            return .failure(id, failure ?? .zoneNotFound(id.name))
        }
    }

    /// Returns a page of the zones that others share with the caller. A zone whose owner's database fails is
    /// among the failures of its page.
    ///
    /// - Parameter number: the number of the last zone of the page before; 0 begins with the first.
    func listShared(after number: Int64, limit: Int, by caller: Caller) async throws -> ZoneList {
        let states = try await sharedStates(for: caller) { $0.number > number }.filter { !$0.hasEnded }
        let page = states.prefix(limit)
        let next = states.count > limit ? page.last : nil
        return ZoneList(
            zones: page.compactMap(\.zone),
            failures: page.filter { $0.zone == nil }.map(\.result),
            marker: next.map { seal.sealed(Array(String($0.entry.number).utf8), .zones) })
    }

    /// The zones with these IDs, in order, as far as they are shared with the caller.
    func lookupShared(_ ids: [ZoneID], by caller: Caller) async throws -> [ZoneResult] {
        let wanted = Set(ids)
        let states = try await sharedStates(for: caller) {
            wanted.contains(ZoneID(name: $0.zone, owner: $0.owner))
        }
        let found = Dictionary(states.map { ($0.id, $0.result) }) { first, _ in first }
        return ids.map { found[$0] ?? .failure($0, .zoneNotFound($0.name)) }
    }

    /// Returns a page of the changes of the shared database. A zone that is no longer shared with the caller
    /// appears as deleted. A zone whose owner's database fails is among the failures, and its changes follow
    /// the token.
    ///
    /// Throws `changeTokenExpired` for a token with a zone that the index no longer contains, because its
    /// share ended long ago or the directory was restored.
    func sharedChanges(
        since token: ChangeToken?, limit: Int, by caller: Caller
    ) async throws -> ZoneChangesPage {
        var position = SharedDatabasePosition()
        if let token { position = try SharedDatabasePosition(token) }
        let states = try await sharedStates(for: caller) { _ in true }
        let known = Set(states.map { SharedDatabasePosition.key(of: $0.entry) })
        if !known.isSuperset(of: position.seen.keys) { throw RecordError.changeTokenExpired("shared") }
        var changes: [ZoneChange] = []
        var failures: [ZoneResult] = []
        var moreComing = false
        for state in states {
            if state.failure != nil {
                failures.append(state.result)
                continue
            }
            let key = SharedDatabasePosition.key(of: state.entry)
            if position.seen[key] == state.seen { continue }
            if changes.count == limit {
                moreComing = true
                break
            }
            position.seen[key] = state.seen
            let end = state.seen?.end ?? 0
            if let zone = state.zone {
                changes.append(.changed(zone, sequence: end))
            } else {
                changes.append(.deleted(state.id, .deleted, sequence: end))
            }
        }
        return ZoneChangesPage(
            changes: changes, token: seal.sealed(position.token), moreComing: moreComing, failures: failures)
    }

    /// The caller's accepted zones that match a condition, in the order of acceptance. Updates the index of
    /// the directory: stores which zones have ended, and removes those that ended long ago. Corrects the
    /// copies of the caller's subscriptions in the databases that it reads, unless the caller's own database
    /// fails.
    private func sharedStates(
        for caller: Caller, where isWanted: (SharedZone) -> Bool
    ) async throws -> [SharedState] {
        guard case .person(let person) = caller.identity else {
            _ = try databases.key(of: .shared, for: caller)
            return []
        }
        let known = try await context.directory.sharedZones(
            of: person, in: caller.container, caller.environment)
        let subscriptions = try await databases.readableSharedSubscriptions(of: caller)
        var states: [SharedState] = []
        var toCorrect: [DatabaseKey] = []
        for (owner, zones) in Dictionary(grouping: known.filter(isWanted), by: \.owner) {
            let key = databases.key(owner: owner, for: caller)
            guard context.provider.exists(key) else {
                states += zones.map { SharedState(entry: $0) }
                continue
            }
            let (found, isCorrect) = try await databases.attempt(key, for: caller) { database in
                let memberships = try await database.records.memberships(of: person)
                let byZone = Dictionary(grouping: memberships, by: \.zone)
                var found: [SharedState] = []
                for entry in zones {
                    found.append(
                        try await state(of: entry, byZone[entry.zone] ?? [], for: person, in: database))
                }
                let copy = try await database.records.subscriptions(of: person, in: .shared)
                return (found, subscriptions == nil || copy == subscriptions)
            } failed: { error in
                (zones.map { SharedState(entry: $0, failure: error) }, true)
            }
            states += found
            if !isCorrect { toCorrect.append(key) }
        }
        try await databases.copySharedSubscriptions(to: toCorrect, by: caller)
        try await noteEnds(of: states, of: person, by: caller)
        return states.filter { !$0.hasEnded || !isForgotten($0.entry) }
            .sorted { $0.entry.number < $1.entry.number }
    }

    /// Whether a zone ended so long ago that the index no longer contains it.
    private func isForgotten(_ zone: SharedZone) -> Bool {
        zone.ended.map { $0 < oldestEnd } ?? false
    }

    private var oldestEnd: Timestamp {
        context.runtime.now().advanced(bySeconds: -Int64(context.limits.deletionSeconds))
    }

    private func noteEnds(
        of states: [SharedState], of person: String, by caller: Caller
    ) async throws {
        for state in states where state.zone != nil && state.entry.ended != nil {
            // The person accepted again after the end was stored.
            try await context.directory.addSharedZone(
                state.entry.zone, of: state.entry.owner, for: person, in: caller.container,
                caller.environment, atMost: context.limits.sharedZonesPerPerson)
        }
        let ended = states.filter(\.hasEnded).map(\.entry)
        let new = Set(ended.filter { $0.ended == nil }.map(\.number))
        if new.isEmpty, !ended.contains(where: { isForgotten($0) }) { return }
        try await context.directory.endSharedZones(
            new, at: context.runtime.now(), forgettingBefore: oldestEnd, of: person, in: caller.container,
            caller.environment)
    }

    private func state(
        of entry: SharedZone, _ own: [ShareMembership], for person: String, in database: OpenDatabase
    ) async throws -> SharedState {
        guard own.contains(where: { $0.left == nil }), let end = own.map(\.end).max() else {
            return SharedState(entry: entry)
        }
        var state = SharedState(entry: entry)
        // The position at the end of the feed: all that the person could see when the memberships were read.
        let request = ChangesRequest(zone: entry.zone, limit: 1, sharedRows: 1)
        let page = try await database.records.sharedChanges(request, for: person)
        var position = try FeedPosition(page.token)
        position.sequence = end
        position.row = .max
        position.passEnd = 0
        position.baseline = end
        state.seen = SharedDatabasePosition.Seen(identity: position.database, end: end)
        state.zone = seal.sealed(Zone(id: state.id, isAtomic: true, syncToken: position.token))
        return state
    }
}
