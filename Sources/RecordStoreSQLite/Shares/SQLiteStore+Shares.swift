import GRDB
package import RecordStore
package import Records

extension SQLiteStore {
    package func memberships(of person: String) async throws -> [ShareMembership] {
        let state = writer.committed
        return try read { database in
            try ShareTable.memberships(of: person, database) { try state.zoneName(of: $0, database) }
        }
    }

    package func shares(covering names: [String], in zone: String) async throws -> [String?] {
        let state = writer.committed
        guard let id = state.zones[zone] else { throw try absence(of: zone) }
        return try read { database in
            let table = ShareTable(database: database, zone: id)
            switch try table.kind {
            case nil, ZoneShares.none?: return names.map { _ in nil }
            case .records: return try names.map { try table.share(covering: $0)?.name }
            case .zone:
                return try names.map { name in
                    let id = RecordID(name: name, zone: ZoneID(name: zone))
                    let head = try RecordRow.head(of: id, in: table.zone, database) {
                        try state.typeName(of: $0, database)
                    }
                    return head == nil ? nil : Share.zoneWideName
                }
            }
        }
    }

    package func isAsset(
        _ fileChecksum: String, sharedWith person: String, in zone: String
    ) async throws -> Bool {
        guard let id = writer.committed.zones[zone] else { return false }
        return try read { try ShareTable(database: $0, zone: id).shows(fileChecksum, to: person) }
    }

    package func record(ofShortGUID guid: String) async throws -> RecordID? {
        let state = writer.committed
        return try read { database in
            var row = try SQL(database, "SELECT zone, name FROM short_guid WHERE guid = ?")
            row.bind(guid)
            defer { row.reset() }
            guard try row.step() else { return nil }
            let zone = try state.zoneName(of: row.integer(0), database)
            return RecordID(name: row.text(1), zone: ZoneID(name: zone))
        }
    }

    package func sharedChanges(
        _ request: ChangesRequest, for person: String
    ) async throws -> ChangesPage {
        let state = writer.committed
        guard let zone = state.zones[request.zone] else { throw RecordError.zoneNotFound(request.zone) }
        return try read { database in
            try SharedFeedReader(database: database, zone: zone, person: person).page(request, state)
        }
    }
}

/// Reads what a person may see of a zone through shares.
private struct SharedFeedReader {
    let database: Database
    let zone: Int64
    let person: String

    func page(_ request: ChangesRequest, _ state: WriterState) throws -> ChangesPage {
        let table = ShareTable(database: database, zone: zone)
        let extent = try ZoneTable(database: database).extent(of: zone)
        guard let extent else { throw RecordError.zoneNotFound(request.zone) }
        let memberships = try table.memberships(of: person, zoneName: request.zone)
        let isWide = memberships.contains { $0.isZoneWide && $0.left == nil }
        let start = try request.sharedStart(
            of: memberships, in: state.identity, zone: zone, horizon: isWide ? extent.horizon : 0,
            zoneEnd: extent.end)
        let current = Set(memberships.filter { $0.left == nil }.map(\.share))
        var feed = SharedFeed(
            memberships, after: start, limit: request.limit, maximumRows: request.sharedRows,
            rows: { try table.rows(of: $0, after: $1, limit: $2) },
            row: { try table.row(of: $0, named: $1) },
            isVisible: { name in
                if isWide { return try isThere(name) }
                return try table.share(covering: name).map { current.contains($0.id) } ?? false
            })
        var changes = PackedChanges(zone: ZoneID(name: request.zone), .shared)
        let (end, moreComing) = try feed.fill(limit: request.limit, bytes: request.bytes) { item in
            try add(item, to: &changes, state)
        }
        let last = memberships.map(\.end).max() ?? 0
        return ChangesPage(
            changes, token: start.after(end, moreComing: moreComing, end: last).token,
            moreComing: moreComing,
            lastBatch: try ClientBatches(database: database, zone: zone).answer(to: request.client))
    }

    private func isThere(_ name: String) throws -> Bool {
        var row = try SQL(
            database, "SELECT 1 FROM record WHERE zone = ? AND name = ? AND fields IS NOT NULL")
        row.bind(zone)
        row.bind(name)
        defer { row.reset() }
        return try row.step()
    }

    /// Adds a change to a page. Returns its bytes.
    private func add(
        _ item: SharedFeed.Item, to changes: inout PackedChanges, _ state: WriterState
    ) throws -> Int {
        var row = try SQL(
            database, "SELECT \(ChangeRow.columns), r.id FROM record r WHERE r.zone = ? AND r.name = ?")
        row.bind(zone)
        row.bind(item.name)
        defer { row.reset() }
        let isKnown = try row.step()
        var type = try isKnown ? state.typeName(of: ChangeRow.type(row), database) : ""
        if isKnown, !item.isDeletion { return ChangeRow.read(row, type: type, into: &changes) }
        if isKnown, row.integer(ChangeRow.count) > item.known { type = "" }
        var name = item.name
        name.withUTF8 {
            changes.addDeletion(UnsafeRawBufferPointer($0), type: type, sequence: item.place.position)
        }
        return 0
    }
}
