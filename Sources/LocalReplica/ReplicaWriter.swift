import Foundation
package import GRDB
public import Records

/// A write transaction, valid only inside the closure that receives it.
public struct ReplicaWriter {
    package let database: Database

    package init(database: Database) {
        self.database = database
    }

    /// A reader that sees the changes of this transaction.
    public var reader: ReplicaReader { ReplicaReader(database: database) }

    /// Saves a record on this device and adds it to the outbox. An unchanged record is ignored. A field that
    /// was encrypted in any record of the type becomes encrypted.
    ///
    /// - Throws: `ReplicaError`.
    public func save(_ record: ReplicaRecord) throws {
        if try reader.record(record.id) == record { return }
        let zone = try zone(record.id.zone)
        let fields = try keepingEncryption(of: record.fields, in: record.type)
        try database.cachedStatement(
            sql: """
                INSERT INTO record (zone, name, type, fields)
                VALUES (?, ?, ?, ?)
                ON CONFLICT DO UPDATE SET
                    server_fields = CASE
                        WHEN tag IS NOT NULL THEN COALESCE(server_fields, fields)
                        ELSE server_fields
                    END,
                    type = excluded.type,
                    fields = excluded.fields
                """
        ).execute(arguments: [zone, record.id.name, record.type, FieldCoding.bytes(fields)])
        try enqueueEdit(zone, record.id.name)
    }

    /// Deletes a record on this device and adds the deletion to the outbox. A record that was never sent is
    /// removed at once. Deleting a missing record has no effect.
    ///
    /// - Throws: `ReplicaError`.
    public func delete(_ id: RecordID) throws {
        guard try reader.record(id) != nil else { return }
        let zone = try zone(id.zone)
        try database.execute(
            sql: """
                DELETE FROM record
                WHERE zone = :zone AND name = :name AND tag IS NULL
                    AND NOT EXISTS (
                        SELECT 1
                        FROM outbox
                        WHERE zone = :zone AND name = :name AND sent IS NOT NULL
                    )
                """,
            arguments: ["zone": zone, "name": id.name]
        )
        if database.changesCount > 0 {
            try database.execute(
                sql: "DELETE FROM outbox WHERE zone = ? AND name = ?", arguments: [zone, id.name])
            return
        }
        try database.execute(
            sql: """
                UPDATE record
                SET server_fields = CASE WHEN tag IS NOT NULL THEN COALESCE(server_fields, fields) END,
                    fields = NULL
                WHERE zone = ? AND name = ?
                """,
            arguments: [zone, id.name]
        )
        try enqueueEdit(zone, id.name)
    }

    /// The `refusal` of edits that were set aside because their zone was deleted elsewhere.
    static let setAsideMark = "the zone was deleted elsewhere"

    /// Reopens a closed zone. The next sync creates the zone on the server and sends its pending edits. This
    /// is unnecessary if another device has created the zone again.
    ///
    /// - Throws: `ReplicaError`; with the code `inUse` if the zone is not closed and no edits are set aside,
    ///   and with `notFound` for an unknown zone.
    public func resume(_ zone: String) throws {
        try resume(ZoneID(name: zone))
    }

    /// Reopens a closed zone of any owner. A zone that is no longer shared with the person is closed again by
    /// the next sync, and its edits stay.
    ///
    /// - Throws: `ReplicaError`; with the code `inUse` if the zone is not closed and no edits are set aside,
    ///   and with `notFound` for an unknown zone.
    public func resume(_ zone: ZoneID) throws {
        let known = try known(zone)
        let number = try self.zone(zone)
        try database.execute(
            sql: """
                UPDATE outbox
                SET refusal = NULL
                WHERE refusal = ? AND zone = ?
                """,
            arguments: [Self.setAsideMark, number])
        let wasAside = database.changesCount > 0
        guard known.closure != nil else {
            if wasAside { return }
            throw ReplicaError(
                .inUse, zone.name, "the zone is not closed and none of its edits are set aside",
                nextStep: "sync: that sends its edits")
        }
        // The next sync creates a zone of the person, and fetches one of another owner.
        try database.execute(
            sql: """
                UPDATE zone
                SET is_purged = 0, is_gone = 0, is_made = owner <> '', is_stale = owner <> '',
                    is_subscribed = 0, token = NULL
                WHERE id = ?
                """,
            arguments: [number]
        )
    }

    /// Deletes the pending edits of a closed zone, and its records on this device.
    ///
    /// - Throws: `ReplicaError`; with the code `inUse` if the zone is not closed, and with `notFound` for an
    ///   unknown zone.
    public func discardEdits(in zone: ZoneID) throws {
        guard try known(zone).closure != nil else {
            throw ReplicaError(
                .inUse, zone.name, "the zone is in use: its edits are sent by the next sync",
                nextStep: "to undo an edit, change or delete its record")
        }
        let number = try self.zone(zone)
        for table in ["outbox", "record"] {
            try database.execute(sql: "DELETE FROM \(table) WHERE zone = ?", arguments: [number])
        }
    }

    private func known(_ zone: ZoneID) throws -> ReplicaZone {
        let zones = try reader.zones()
        if let known = zones.first(where: { $0.id == zone }) { return known }
        let names = zones.map(\.name).joined(separator: ", ")
        throw ReplicaError(
            .notFound, zone.name, "there is no such zone on this device",
            nextStep: zones.isEmpty
                ? "sync first, because this device knows no zones" : "use one of these zones: \(names)")
    }

    /// Clears the log of resolved conflicts.
    public func forgetConflicts() throws {
        try database.execute(sql: "DELETE FROM conflict")
    }

    private func enqueueEdit(_ zone: Int64, _ name: String) throws {
        try database.cachedStatement(
            sql: """
                INSERT INTO outbox (zone, name, change)
                VALUES (?, ?, 1)
                ON CONFLICT DO UPDATE SET change = change + 1, refusal = NULL
                """
        ).execute(arguments: [zone, name])
    }

    /// The row ID of a zone. An unknown zone is added.
    func zone(_ zone: ZoneID) throws -> Int64 {
        if let known = try reader.number(of: zone) { return known }
        try database.execute(
            sql: """
                INSERT INTO zone
                    (name, owner, is_made, is_stale, is_purged, is_subscribed, is_sweeping)
                VALUES (?, ?, 0, 1, 0, 0, 0)
                """,
            arguments: [zone.name, zone.storedOwner]
        )
        return database.lastInsertedRowID
    }
}
