import Foundation
internal import Records
internal import RecordsWire

/// The result of one zone of a batch.
enum ZoneOutcome: Sendable {
    case saved(CKRecordZoneID, Result<CKRecordZone, any Error>)
    case deleted(CKRecordZoneID, Result<Void, any Error>)
}

extension CloudClient {
    /// Fetches all zones of the database, page by page. A zone of another person whose database fails has the
    /// error as its result. Throws `CKError` for the request as a whole.
    func allZones() async throws -> [(CKRecordZoneID, Result<CKRecordZone, any Error>)] {
        do {
            var answer = try ZonesAnswer(bytes: try await call(.zonesList))
            var zones = answer.zones
            while let marker = answer.continuationMarker {
                try Task.checkCancellation()
                let request = ZonesListRequest(continuationMarker: marker)
                answer = try ZonesAnswer(bytes: try await call(.zonesList, request))
                // Stop if the server repeats a marker; otherwise this loop would never end.
                if answer.continuationMarker == marker { break }
                zones += answer.zones
            }
            return try zones.compactMap { entry in
                if case .failure(nil, let error) = entry { throw error }
                guard let id = entry.id else { return nil }
                return (context.zoneID(id), zoneResult(entry))
            }
        } catch {
            throw CKError(failure: error)
        }
    }

    /// Fetches zones by ID, with one result per ID in the given order. Throws `CKError` for the request as a
    /// whole.
    func zones(_ ids: [CKRecordZoneID]) async throws -> [(CKRecordZoneID, Result<CKRecordZone, any Error>)] {
        guard !ids.isEmpty else { return [] }
        try CKError.check(ids.count, limit: limits.zonesPerRequest)
        let answers = try await answers(
            .zonesLookup, ZonesLookupRequest(ids.map { ZoneID($0) }), count: ids.count)
        return zip(ids, answers).map { id, answer in (id, zoneResult(answer)) }
    }

    /// Saves and deletes zones. Throws `CKError` for the request as a whole.
    func modifyZones(saving: [CKRecordZone], deleting: [CKRecordZoneID]) async throws -> [ZoneOutcome] {
        let operations =
            saving.map { ZoneOperation.create(ZoneID($0.zoneID)) }
            + deleting.map { ZoneOperation.delete(ZoneID($0)) }
        guard !operations.isEmpty else { return [] }
        try CKError.check(operations.count, limit: limits.zonesPerRequest)
        let request = ZonesModifyRequest(operations)
        let answers = try await answers(.zonesModify, request, count: operations.count, changes: true)
        let saved = zip(saving, answers).map { zone, answer in
            ZoneOutcome.saved(zone.zoneID, zoneResult(answer))
        }
        let deleted = zip(deleting, answers.dropFirst(saving.count)).map { id, answer in
            ZoneOutcome.deleted(id, deletionResult(answer))
        }
        return saved + deleted
    }

    private func answers(
        _ endpoint: Endpoint, _ request: some WireRequest, count: Int, changes: Bool = false
    ) async throws -> [ZoneResult] {
        try await answers(endpoint, request, count: count, "zones", changes: changes) {
            try ZonesAnswer(bytes: $0).zones
        }
    }

    private func zoneResult(_ answer: ZoneResult) -> Result<CKRecordZone, any Error> {
        switch answer {
        case .zone(let zone): .success(recordZone(zone))
        case .deleted: .failure(CKError.make(.zoneNotFound, "The zone was deleted."))
        case .failure(_, let error): .failure(CKError(error, isSignedIn: context.isSignedIn))
        }
    }

    private func deletionResult(_ answer: ZoneResult) -> Result<Void, any Error> {
        switch answer {
        case .deleted: .success(())
        case .zone: .failure(CKError.make(.internalError, "The server did not delete the zone."))
        case .failure(_, let error): .failure(CKError(error, isSignedIn: context.isSignedIn))
        }
    }

    private func recordZone(_ zone: Zone) -> CKRecordZone {
        var capabilities: CKRecordZone.Capabilities = []
        if zone.isAtomic { capabilities.insert(.atomic) }
        if zone.syncToken != nil { capabilities.insert(.fetchChanges) }
        if database == .private, !zone.id.isDefault { capabilities.formUnion([.sharing, .zoneWideSharing]) }
        return CKRecordZone(zoneID: context.zoneID(zone.id), capabilities: capabilities)
    }
}
