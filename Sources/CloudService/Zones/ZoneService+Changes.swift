import RecordStore
package import Records

extension ZoneService {
    /// Returns a page of the custom zones that changed or were deleted.
    package func changes(
        since token: ChangeToken?, limit: Int?, in kind: DatabaseKind, by caller: Caller
    ) async throws -> ZoneChangesPage {
        let most = context.limits.recordsPerResponse
        if kind == .shared, let person = caller.userRecordName {
            let known = try seal.revealed(token, to: person, culprit: "database")
            var page = try await sharedChanges(
                since: try seal.opened(known, culprit: "database"), limit: min(max(limit ?? most, 1), most),
                by: caller)
            page.changes = try page.changes.map { change in
                guard case .changed(let zone, let sequence) = change else { return change }
                return .changed(try seal.hidden(zone, from: person), sequence: sequence)
            }
            page.token = try seal.hidden(page.token, from: person)
            return page
        }
        let token = try seal.opened(token, culprit: "database")
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
}
