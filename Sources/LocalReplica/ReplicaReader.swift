import Foundation
package import GRDB
public import Records

/// A consistent snapshot of the replica, valid only inside the closure that receives it.
public struct ReplicaReader {
    package let database: Database

    package init(database: Database) {
        self.database = database
    }

    /// The record with this ID, with the edits of this device; nil if there is none.
    ///
    /// - Throws: `ReplicaError`.
    public func record(_ id: RecordID) throws -> ReplicaRecord? {
        let row = try Row.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT record.type, record.fields
                    FROM record
                    JOIN zone ON zone.id = record.zone
                    WHERE zone.name = ? AND zone.owner = ? AND record.name = ? AND record.fields IS NOT NULL
                    """),
            arguments: [id.zone.name, id.zone.storedOwner, id.name]
        )
        return try row.map { row in
            ReplicaRecord(type: row[0], id: id, fields: try FieldCoding.fields(row[1], of: id.name))
        }
    }

    /// The records of a type in a zone of the person, sorted by name.
    ///
    /// - Throws: `ReplicaError`.
    public func records(ofType type: String, in zone: String) throws -> [ReplicaRecord] {
        try records(ofType: type, in: ZoneID(name: zone))
    }

    /// The records of a type in a zone of any owner, sorted by name.
    ///
    /// - Throws: `ReplicaError`.
    public func records(ofType type: String, in zone: ZoneID) throws -> [ReplicaRecord] {
        try records(ofType: type, in: zone, where: "TRUE", [])
    }

    /// The records of a type in a zone whose names begin with a prefix, sorted by name. Only these are read.
    ///
    /// Use it for records whose names begin with the name of the record to which they belong.
    ///
    /// - Throws: `ReplicaError`.
    public func records(
        ofType type: String, in zone: ZoneID, namePrefix: String
    ) throws -> [ReplicaRecord] {
        // Record names are ASCII, and U+10FFFF is greater than any ASCII character, so no name with the
        // prefix is greater.
        try records(
            ofType: type, in: zone, where: "record.name BETWEEN ? AND ?",
            [namePrefix, namePrefix + "\u{10FFFF}"])
    }

    private func records(
        ofType type: String, in zone: ZoneID, where condition: String, _ names: StatementArguments
    ) throws -> [ReplicaRecord] {
        let rows = try Row.fetchCursor(
            database,
            sql: """
                SELECT record.name, record.fields
                FROM record
                JOIN zone ON zone.id = record.zone
                WHERE zone.name = ?
                    AND zone.owner = ?
                    AND record.type = ?
                    AND record.fields IS NOT NULL
                    AND \(condition)
                ORDER BY record.name
                """,
            arguments: [zone.name, zone.storedOwner, type] + names
        )
        var records: [ReplicaRecord] = []
        while let row = try rows.next() {
            let id = RecordID(name: row[0], zone: zone)
            records.append(
                ReplicaRecord(type: type, id: id, fields: try FieldCoding.fields(row[1], of: id.name)))
        }
        return records
    }

    /// The number of records of a zone of the person on this device.
    ///
    /// - Throws: `ReplicaError`.
    public func count(in zone: String) throws -> Int {
        try count(in: ZoneID(name: zone))
    }

    /// The number of records of a zone of any owner on this device.
    ///
    /// - Throws: `ReplicaError`.
    public func count(in zone: ZoneID) throws -> Int {
        try Int.fetchOne(
            database,
            sql: """
                SELECT COUNT(*)
                FROM record
                JOIN zone ON zone.id = record.zone
                WHERE zone.name = ? AND zone.owner = ? AND record.fields IS NOT NULL
                """,
            arguments: [zone.name, zone.storedOwner]
        ) ?? 0
    }

    /// The zones that this device knows, sorted by name and owner.
    ///
    /// - Throws: `ReplicaError`.
    public func zones() throws -> [ReplicaZone] {
        let sql = "SELECT * FROM zone ORDER BY name, owner"
        return try Row.fetchAll(database.cachedStatement(sql: sql)).map(ReplicaZone.init)
    }

    /// The edits that the server has not acknowledged, oldest first.
    ///
    /// - Throws: `ReplicaError`.
    public func pendingChanges() throws -> [PendingChange] {
        try Row.fetchAll(
            database,
            sql: """
                SELECT zone.name AS zone, zone.owner, outbox.name, record.type,
                    record.fields IS NULL AS is_deleted, record.tag IS NULL AS is_new, outbox.change,
                    zone.is_purged, zone.is_gone, outbox.refusal IS :aside AS is_aside,
                    CASE WHEN outbox.refusal IS NOT :aside THEN outbox.refusal END AS refusal
                FROM outbox
                JOIN zone ON zone.id = outbox.zone
                JOIN record ON record.zone = outbox.zone AND record.name = outbox.name
                ORDER BY outbox.id
                """,
            arguments: ["aside": ReplicaWriter.setAsideMark]
        ).map(PendingChange.init)
    }

    /// The conflicts that this device resolved, oldest first.
    ///
    /// - Throws: `ReplicaError`.
    public func conflicts() throws -> [ResolvedConflict] {
        try Row.fetchAll(database, sql: "SELECT * FROM conflict ORDER BY id").map(ResolvedConflict.init)
    }

    /// The person to whom the data belongs; nil before the first sync.
    ///
    /// - Throws: `ReplicaError`.
    public func account() throws -> String? {
        try String.fetchOne(database, sql: "SELECT account FROM replica")
    }

    /// The scope of the database whose records these are; nil before the first sync.
    package func scope() throws -> String? {
        try String.fetchOne(database, sql: "SELECT scope FROM replica")
    }

    /// The assets of all stored versions of all records.
    func assets() throws -> Set<Asset> {
        var found: Set<Asset> = []
        for column in ["record.fields", "record.server_fields", "outbox.sent_fields"] {
            let table = column.prefix { $0 != "." }
            let rows = try Row.fetchCursor(
                database,
                sql: """
                    SELECT \(column)
                    FROM \(table)
                    WHERE CAST(\(column) AS TEXT) LIKE '%fileChecksum%'
                    """
            )
            while let row = try rows.next() {
                found.formUnion(try FieldCoding.fields(row[0], of: "a record").assets)
            }
        }
        return found
    }

    /// The records that the server has and that have assets, with these assets.
    func recordsWithAssets() throws -> [(id: RecordID, assets: Set<Asset>)] {
        let rows = try Row.fetchCursor(
            database,
            sql: """
                SELECT zone.name, zone.owner, record.name, record.fields
                FROM record
                JOIN zone ON zone.id = record.zone
                WHERE record.tag IS NOT NULL AND CAST(record.fields AS TEXT) LIKE '%fileChecksum%'
                """
        )
        var found: [(id: RecordID, assets: Set<Asset>)] = []
        while let row = try rows.next() {
            let id = RecordID(name: row[2], zone: ZoneID(name: row[0], storedOwner: row[1]))
            found.append((id, try FieldCoding.fields(row[3], of: id.name).assets))
        }
        return found
    }
}

extension Fields {
    fileprivate var assets: Set<Asset> {
        var found: Set<Asset> = []
        for (_, field) in self {
            for case .asset(let asset) in field.value.elements { found.insert(asset) }
        }
        return found
    }
}
