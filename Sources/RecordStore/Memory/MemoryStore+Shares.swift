package import Records
import Synchronization

extension MemoryStore {
    package func memberships(of person: String) async throws -> [ShareMembership] {
        state.withLock { state in
            state.zones.values.flatMap { $0.memberships(of: person) }.sorted { $0.share < $1.share }
        }
    }

    package func shares(of person: String, in zone: String) async throws -> [String] {
        state.withLock { state in
            let all = state.zones[zone]?.memberships(of: person) ?? []
            return all.filter { $0.left == nil }.map(\.name)
        }
    }

    package func shares(covering names: [String], in zone: String) async throws -> [String?] {
        let zone = try state.withLock { try $0.zone(named: zone) }
        return names.map { name in
            if case .zone = zone.currentShares {
                return zone.records[name] == nil ? nil : Share.zoneWideName
            }
            return zone.share(covering: name)?.name
        }
    }

    package func isAsset(
        _ fileChecksum: String, sharedWith person: String, in zone: String
    ) async throws -> Bool {
        state.withLock { state in
            guard let zone = state.zones[zone] else { return false }
            let current = zone.memberships(of: person).filter { $0.left == nil }
            let (shares, isWide) = (Set(current.map(\.share)), current.contains(where: \.isZoneWide))
            return zone.records.contains { name, record in
                record.stored.fields.assetChecksums.contains(fileChecksum)
                    && (isWide || zone.covers[name].map { shares.contains($0) } ?? false)
            }
        }
    }

    package func record(ofShortGUID guid: String) async throws -> RecordID? {
        state.withLock { state in
            for zone in state.zones.values {
                if let name = zone.shortGUIDs.first(where: { $0.value == guid })?.key {
                    return RecordID(name: name, zone: ZoneID(name: zone.name))
                }
            }
            return nil
        }
    }

    package func sharedChanges(
        _ request: ChangesRequest, for person: String
    ) async throws -> ChangesPage {
        try state.withLock { state in
            guard let zone = state.zones[request.zone] else { throw RecordError.zoneNotFound(request.zone) }
            return try request.sharedPage(
                of: zone.memberships(of: person), in: state.identity,
                zone: (id: zone.id, end: zone.sequence, horizon: zone.horizon), from: zone,
                lastBatch: request.client.map { zone.lastBatches[$0]?.name ?? .nothing }
            ) { item, changes in
                if !item.isDeletion, let record = zone.records[item.name]?.stored {
                    changes.append(.saved(record))
                    return record.answerBytes(.shared)
                }
                let record = zone.records[item.name].map { ($0.stored.type, $0.ordinal) }
                let grave = zone.tombstones[item.name].map { ($0.type, $0.ordinal) }
                let (name, ordinal) = record ?? grave ?? ("", 0)
                let type = ordinal <= item.known ? name : ""
                let id = RecordID(name: item.name, zone: ZoneID(name: request.zone))
                changes.append(.deleted(id, type: type, sequence: item.place.position))
                return 0
            }
        }
    }
}
