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

    package func shares(of person: String, in zone: String) async throws -> [String] {
        guard let id = writer.committed.zones[zone] else { return [] }
        return try read { try ShareTable(database: $0, zone: id).shares(of: person) }
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
            let table = ShareTable(database: database, zone: zone)
            guard let (end, horizon) = try ZoneTable(database: database).extent(of: zone) else {
                throw RecordError.zoneNotFound(request.zone)
            }
            return try request.sharedPage(
                of: table.memberships(of: person, zoneName: request.zone), in: state.identity,
                zone: (id: zone, end: end, horizon: horizon), from: table,
                lastBatch: try ClientBatches(database: database, zone: zone).answer(to: request.client)
            ) { item, changes in
                try table.add(item, to: &changes) { try state.typeName(of: $0, database) }
            }
        }
    }
}

extension ShareTable {
    /// Adds a change for a member of shares to a page. Returns its bytes.
    fileprivate func add(
        _ item: SharedFeed.Item, to changes: inout PackedChanges, typeName: (Int64) throws -> String
    ) throws -> Int {
        var row = try SQL(
            database, "SELECT \(ChangeRow.columns), r.id FROM record r WHERE r.zone = ? AND r.name = ?")
        row.bind(zone)
        row.bind(item.name)
        defer { row.reset() }
        let isKnown = try row.step()
        var type = try isKnown ? typeName(ChangeRow.type(row)) : ""
        if isKnown, !item.isDeletion { return ChangeRow.read(row, type: type, into: &changes) }
        if isKnown, row.integer(ChangeRow.count) > item.known { type = "" }
        var name = item.name
        name.withUTF8 {
            changes.addDeletion(UnsafeRawBufferPointer($0), type: type, sequence: item.place.position)
        }
        return 0
    }
}
