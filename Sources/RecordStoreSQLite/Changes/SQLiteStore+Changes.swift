import GRDB
package import RecordStore
package import Records

extension SQLiteStore {
    package func changes(_ request: ChangesRequest) async throws -> ChangesPage {
        let state = writer.committed
        guard let zone = state.zones[request.zone] else { throw try absence(of: request.zone) }
        let found = await connections.readAhead.take(request, after: state.commits)
        let page = try found ?? read { try ChangeFeed(database: $0, zone: zone).page(request, state) }
        if page.moreComing { readNext(after: page, request, zone, state) }
        return page
    }

    /// Starts to read the page that the reader of this feed will probably request next.
    private func readNext(
        after page: ChangesPage, _ request: ChangesRequest, _ zone: Int64, _ state: WriterState
    ) {
        var next = request
        next.since = page.token
        let readAhead = connections.readAhead
        guard !connections.isInline, request.isFollowed, readAhead.begin(next, after: state.commits) else {
            return
        }
        do {
            try connections.beginRead { [next] database in
                let page = database.flatMap { try? ChangeFeed(database: $0, zone: zone).page(next, state) }
                readAhead.end(next, page)
            }
        } catch {
            readAhead.end(next, nil)
        }
    }

    package func zoneChanges(since token: ChangeToken?, limit: Int) async throws -> ZoneChangesPage {
        let identity = writer.committed.identity
        return try read {
            try ChangedZones(database: $0, identity: identity).page(since: token, limit: limit)
        }
    }

    package func forgetDeletions(before time: Timestamp) async throws {
        // This runs whenever the file is opened, and mostly finds nothing; then it should not cost a commit.
        guard try read({ try Deletions(database: $0).areThere(before: time) }) else { return }
        try await write { database, state in
            try Deletions(database: database).forget(before: time, in: state.zones.values)
            return (true, ())
        }
    }
}
