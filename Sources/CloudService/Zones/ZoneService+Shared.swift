import Directory
import RecordStore
import Records

extension ZoneService {
    /// A zone in which the caller has accepted a share.
    private struct SharedState {
        var entry: SharedZone
        /// The zone; nil if it is no longer shared with the caller.
        var zone: Zone?
        /// The number of the last change that the caller may see.
        var end: Int64 = 0

        var id: ZoneID { ZoneID(name: entry.zone, owner: entry.owner) }
    }

    /// Returns a page of the zones that others share with the caller.
    ///
    /// - Parameter number: the number of the last zone of the page before; 0 begins with the first.
    func listShared(after number: Int64, limit: Int, by caller: Caller) async throws -> ZoneList {
        let states = try await sharedStates(for: caller) { $0.number > number }.filter { $0.zone != nil }
        let page = states.prefix(limit)
        let next = states.count > limit ? page.last : nil
        return ZoneList(
            zones: page.compactMap(\.zone),
            marker: next.map { seal.sealed(Array(String($0.entry.number).utf8), .zones) })
    }

    /// The zones with these IDs, in order, as far as they are shared with the caller.
    func lookupShared(_ ids: [ZoneID], by caller: Caller) async throws -> [ZoneResult] {
        let wanted = Set(ids)
        let states = try await sharedStates(for: caller) {
            wanted.contains(ZoneID(name: $0.zone, owner: $0.owner))
        }
        let found = Dictionary(states.map { ($0.id, $0.zone) }) { first, _ in first }
        return ids.map { id in
            if case .some(.some(let zone)) = found[id] { return .zone(zone) }
            return .failure(id, .zoneNotFound(id.name))
        }
    }

    /// Returns a page of the changes of the shared database. A zone that is no longer shared with the caller
    /// appears as deleted.
    func sharedChanges(
        since token: ChangeToken?, limit: Int, by caller: Caller
    ) async throws -> ZoneChangesPage {
        var position = SharedDatabasePosition()
        if let token { position = try SharedDatabasePosition(token) }
        var changes: [ZoneChange] = []
        var moreComing = false
        for state in try await sharedStates(for: caller, where: { _ in true }) {
            let seen = position.seen[state.entry.number]
            if state.zone == nil ? seen == nil : seen == state.end { continue }
            if changes.count == limit {
                moreComing = true
                break
            }
            if let zone = state.zone {
                position.seen[state.entry.number] = state.end
                changes.append(.changed(zone, sequence: state.end))
            } else {
                position.seen[state.entry.number] = nil
                changes.append(.deleted(state.id, .deleted, sequence: state.end))
            }
        }
        return ZoneChangesPage(
            changes: changes, token: seal.sealed(position.token), moreComing: moreComing)
    }

    /// The caller's accepted zones that match a condition, in the order of acceptance.
    private func sharedStates(
        for caller: Caller, where isWanted: (SharedZone) -> Bool
    ) async throws -> [SharedState] {
        guard case .person(let person) = caller.identity else {
            _ = try databases.key(of: .shared, for: caller)
            return []
        }
        let known = try await context.directory.sharedZones(
            of: person, in: caller.container, caller.environment)
        let entries = known.filter(isWanted)
        var states: [SharedState] = []
        for (owner, zones) in Dictionary(grouping: entries, by: \.owner) {
            let key = databases.key(owner: owner, for: caller)
            guard context.provider.exists(key) else {
                states += zones.map { SharedState(entry: $0) }
                continue
            }
            states += try await databases.using(key) { database in
                try await databases.slowWork.reading(for: caller.workPayer) {
                    let memberships = try await database.records.memberships(of: person)
                    let byZone = Dictionary(grouping: memberships, by: \.zone)
                    var found: [SharedState] = []
                    for entry in zones {
                        found.append(
                            try await state(
                                of: entry, byZone[entry.zone] ?? [], for: person, in: database))
                    }
                    return found
                }
            }
        }
        return states.sorted { $0.entry.number < $1.entry.number }
    }

    private func state(
        of entry: SharedZone, _ own: [ShareMembership], for person: String, in database: OpenDatabase
    ) async throws -> SharedState {
        guard own.contains(where: { $0.left == nil }), let end = own.map(\.end).max() else {
            return SharedState(entry: entry)
        }
        var state = SharedState(entry: entry, end: end)
        // The position at the end of the feed: all that the person could see when the memberships were read.
        let request = ChangesRequest(zone: entry.zone, limit: 1)
        let page = try await database.records.sharedChanges(request, for: person)
        var position = try FeedPosition(page.token)
        position.sequence = end
        position.row = .max
        position.baseline = end
        state.zone = seal.sealed(Zone(id: state.id, isAtomic: true, syncToken: position.token))
        return state
    }
}
