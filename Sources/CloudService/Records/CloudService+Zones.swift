// Owns the zones of a database.

import RecordStore
package import Records

/// What became of one zone that was asked for or changed.
package enum ZoneResult: Hashable, Sendable {
    case zone(Zone)
    case deleted(ZoneID)
    case failure(ZoneID, RecordError)
}

/// A change to the zones of a database.
package enum ZoneOperation: Hashable, Sendable {
    case create(ZoneID)
    case delete(ZoneID)
}

extension CloudService {
    /// All zones of a database, the default zone first.
    package func zones(in scope: DatabaseKind, by caller: Caller) async throws -> [Zone] {
        if scope == .shared, case .person = caller.identity { return [] }
        return try await reading(scope, for: caller) { try await $0.records.zones() }
    }

    /// The zones of those names, in order.
    package func lookupZones(
        _ ids: [ZoneID], in scope: DatabaseKind, by caller: Caller
    ) async throws -> [ZoneResult] {
        try checkZoneCount(ids.count, "zones")
        if scope == .shared, case .person = caller.identity {
            return ids.map { .failure($0, .zoneNotFound($0.name)) }
        }
        return try await reading(scope, for: caller) { database in
            let zones = try await database.records.zones()
            var results: [ZoneResult] = []
            for id in ids { results.append(await lookup(id, among: zones, in: database)) }
            return results
        }
    }

    private func lookup(_ id: ZoneID, among zones: [Zone], in database: OpenDatabase) async -> ZoneResult {
        do throws(RecordError) {
            let name = try zoneName(id, in: database)
            if let zone = zones.first(where: { $0.id.name == name }) { return .zone(zone) }
            return .failure(id, await absence(of: name, in: database))
        } catch {
            return .failure(id, error)
        }
    }

    /// Creates and deletes zones, each on its own.
    ///
    /// Throws `badDatabase` outside a private database, the only kind with custom zones (talk 2, "Custom
    /// zones").
    package func modifyZones(
        _ operations: [ZoneOperation], in scope: DatabaseKind, by caller: Caller
    ) async throws -> [ZoneResult] {
        guard scope == .private else {
            throw RecordError(
                .badDatabase, "zones cannot be modified in the \(scope.rawValue) database",
                culprit: scope.rawValue,
                nextStep: "use the private database for zones of your own"
            )
        }
        try checkZoneCount(operations.count, "operations")
        return try await using(scope, for: caller) { database in
            var results: [ZoneResult] = []
            for operation in operations {
                results.append(await modify(operation, in: database, by: stamp(of: caller)))
            }
            return results
        }
    }

    /// Throws `limitExceeded` for a request that names too many zones.
    package func checkZoneCount(_ count: Int, _ culprit: String) throws(RecordError) {
        try RecordError.check(
            count, atMost: limits.zonesPerRequest, culprit, next: "name them in several requests"
        )
    }

    private func modify(
        _ operation: ZoneOperation, in database: OpenDatabase, by stamp: Stamp
    ) async -> ZoneResult {
        switch operation {
        case .create(let id):
            do {
                if !id.isDefault { try NameRules.checkZoneName(id.name, limits: limits) }
                return .zone(
                    try await database.records.createZone(named: zoneName(id, in: database), by: stamp))
            } catch {
                return .failure(id, Self.recordError(error))
            }
        case .delete(let id):
            do {
                if id.isDefault {
                    throw RecordError(
                        .badRequest, "the default zone cannot be deleted", culprit: id.name,
                        nextStep: "delete its records instead"
                    )
                }
                try await database.records.deleteZone(
                    named: zoneName(id, in: database), reason: .deleted, by: stamp
                )
                try await collectReleasedAssets(in: database)
                return .deleted(id)
            } catch {
                return .failure(id, Self.recordError(error))
            }
        }
    }

    /// Who changes something now, on which device.
    func stamp(of caller: Caller) -> Stamp {
        Stamp(at: seams.now(), by: caller.userRecordName ?? "_world", device: caller.device)
    }

    static func recordError(_ error: any Error) -> RecordError {
        error as? RecordError ?? RecordError(.internalError, "\(error)")
    }
}
