import CloudService
import Records
import RecordsWire

extension ProtocolRequest {
    func zonesList() async throws -> [UInt8] {
        let request: ZonesListRequest = try await decoded()
        let list = try await service.zones.list(
            in: kind, limit: request.resultsLimit, marker: request.continuationMarker, by: caller)
        notes.note(itemErrors: list.failures.lazy.compactMap(\.error))
        return ZonesAnswer(
            list.zones.map { .zone($0) } + list.failures, continuationMarker: list.marker
        ).encoded(in: context)
    }

    func zonesLookup() async throws -> [UInt8] {
        let request: ZonesLookupRequest = try await decoded()
        let results = try await service.zones.lookup(request.zones, in: kind, by: caller)
        notes.note(itemErrors: results.lazy.compactMap(\.error))
        return ZonesAnswer(results).encoded(in: context)
    }

    func zonesModify() async throws -> [UInt8] {
        let request: ZonesModifyRequest = try await decoded()
        let results = try await service.zones.modify(request.operations, in: kind, by: caller)
        notes.note(itemErrors: results.lazy.compactMap(\.error))
        return ZonesAnswer(results).encoded(in: context)
    }
}
