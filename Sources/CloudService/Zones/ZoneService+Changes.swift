import RecordStore
package import Records

extension ZoneService {
    /// Returns a page of the custom zones that changed or were deleted.
    package func changes(
        since token: ChangeToken?, limit: Int?, in kind: DatabaseKind, by caller: Caller
    ) async throws -> ZoneChangesPage {
        if kind == .shared, case .person = caller.identity { return nothingShared }
        let token = try seal.opened(token, culprit: "database")
        let most = context.limits.recordsPerResponse
        var page = try await databases.reading(kind, for: caller) { database in
            try await database.records.zoneChanges(since: token, limit: min(max(limit ?? most, 1), most))
        }
        page.changes = page.changes.map { change in
            guard case .changed(let zone, let sequence) = change else { return change }
            return .changed(seal.sealed(zone), sequence: sequence)
        }
        page.token = seal.sealed(page.token)
        return page
    }

    /// The empty feed of the shared database.
    private var nothingShared: ZoneChangesPage {
        let start = FeedPosition(database: 0, zone: 0, sequence: 0, feed: .zones)
        return ZoneChangesPage(changes: [], token: seal.sealed(start.token), moreComing: false)
    }
}
