// Owns the feed of a database's zones.

import RecordStore
package import Records

extension CloudService {
    /// A page of the custom zones in which something changed, or that are gone.
    package func zoneChanges(
        since token: ChangeToken?, limit: Int?, in kind: DatabaseKind, by caller: Caller
    ) async throws -> ZoneChangesPage {
        if token != nil { try faults.check(.tokenExpired, on: caller.call) }
        if kind == .shared, case .person = caller.identity { return Self.nothingShared }
        let most = limits.recordsPerResponse
        return try await using(kind, for: caller) { database in
            try await database.records.zoneChanges(since: token, limit: min(max(limit ?? most, 1), most))
        }
    }

    /// The feed of a person with whom nobody shares a zone.
    private static let nothingShared = ZoneChangesPage(
        changes: [], token: FeedPosition(database: 0, zone: 0, sequence: 0, feed: .zones).token,
        moreComing: false
    )
}
