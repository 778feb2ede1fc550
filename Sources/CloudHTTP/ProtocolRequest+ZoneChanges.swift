import CloudService
import Records
import RecordsWire

extension ProtocolRequest {
    func changesDatabase() async throws -> [UInt8] {
        let request: ChangesDatabaseRequest = try await decoded()
        return try await zoneChanges(since: request.token, limit: request.resultsLimit, form: .current)
    }

    func zonesChanges() async throws -> [UInt8] {
        let request: ZonesChangesRequest = try await decoded()
        return try await zoneChanges(since: request.token, limit: request.resultsLimit, form: .deprecated)
    }

    private func zoneChanges(
        since token: ChangeToken?, limit: Int?, form: ChangesDatabaseAnswer.Form
    ) async throws -> [UInt8] {
        let page = try await service.zones.changes(since: token, limit: limit, in: kind, by: caller)
        notes.note(itemErrors: page.failures.lazy.compactMap(\.error))
        let zones = page.changes.map { change -> ZoneResult in
            switch change {
            case .changed(let zone, _): .zone(zone)
            case .deleted(let id, let reason, _): .deleted(id, reason: reason)
            }
        }
        return ChangesDatabaseAnswer(
            zones: zones + page.failures, token: page.token, moreComing: page.moreComing
        )
        .encoded(in: context, form: form)
    }
}
