// Owns the feed of a database's zones.

import RecordStore
package import Records

extension CloudService {
    /// A page of the custom zones in which something changed, or that are gone.
    package func zoneChanges(
        since token: ChangeToken?, limit: Int?, in kind: DatabaseKind, by caller: Caller
    ) async throws -> ZoneChangesPage {
        let database = try await database(kind, for: caller)
        let most = limits.recordsPerResponse
        return try await database.records.zoneChanges(since: token, limit: min(max(limit ?? most, 1), most))
    }
}
