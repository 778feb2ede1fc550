import Foundation
import GRDB
public import Records

/// A transaction that changes the replica, for as long as the closure runs that was given it.
public struct ReplicaWriter {
    let database: Database

    init(database: Database) {
        self.database = database
    }

    /// The state as this transaction sees it.
    public var reader: ReplicaReader { ReplicaReader(database: database) }

    /// Saves a record on this device, and notes that the server has to be told. A record that is as it was
    /// is left alone.
    ///
    /// - Throws: `ReplicaError`.
    public func save(_ record: ReplicaRecord) throws {
        if try reader.record(record.id) == record { return }
        let zone = try zone(record.id.zone.name)
        try database.cachedStatement(
            sql: """
                INSERT INTO record (zone, name, type, fields)
                VALUES (?, ?, ?, ?)
                ON CONFLICT DO UPDATE SET
                    server_fields = CASE
                        WHEN tag IS NOT NULL THEN COALESCE(server_fields, fields)
                        ELSE NULL
                    END,
                    type = excluded.type,
                    fields = excluded.fields
                """
        ).execute(arguments: [zone, record.id.name, record.type, FieldSpelling.bytes(record.fields)])
        try noteEdit(zone, record.id.name)
    }

    /// Deletes a record on this device, and notes that the server has to be told; one that was never sent
    /// just goes. One that does not exist counts as deleted.
    ///
    /// - Throws: `ReplicaError`.
    public func delete(_ id: RecordID) throws {
        guard try reader.record(id) != nil else { return }
        let zone = try zone(id.zone.name)
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
        try noteEdit(zone, id.name)
    }

    /// What marks the edits that are kept aside since their zone was deleted elsewhere.
    static let asideMark = "the zone was deleted elsewhere"

    /// Lets a zone be used again whose data the person had removed, or that was deleted elsewhere. What waits
    /// for it is sent, and the zone made again. Not needed where another device has made it again.
    ///
    /// - Throws: `ReplicaError`; `inUse` when there is nothing to resume, `notFound` for a zone that is not
    ///   known.
    public func resume(_ zone: String) throws {
        guard let known = try reader.zones().first(where: { $0.name == zone }) else {
            throw ReplicaError(
                .notFound, zone, "there is no such zone on this device",
                nextStep: "look which zones there are: \(try reader.zones().map(\.name))")
        }
        try database.execute(
            sql: """
                UPDATE outbox
                SET refusal = NULL
                WHERE refusal = ? AND zone = (SELECT id FROM zone WHERE name = ?)
                """,
            arguments: [Self.asideMark, zone])
        let wasAside = database.changesCount > 0
        guard known.closure != nil else {
            if wasAside { return }
            throw ReplicaError(
                .inUse, zone, "the zone is in use: nothing waits to be resumed", nextStep: "sync")
        }
        try database.execute(
            sql: """
                UPDATE zone
                SET is_purged = 0, is_gone = 0, is_made = 0, is_subscribed = 0, token = NULL
                WHERE name = ?
                """,
            arguments: [zone]
        )
    }

    /// Forgets the conflicts that were resolved.
    ///
    /// - Throws: `ReplicaError`.
    public func forgetConflicts() throws {
        try database.execute(sql: "DELETE FROM conflict")
    }

    private func noteEdit(_ zone: Int64, _ name: String) throws {
        try database.cachedStatement(
            sql: """
                INSERT INTO outbox (zone, name, change)
                VALUES (?, ?, 1)
                ON CONFLICT DO UPDATE SET change = change + 1, refusal = NULL
                """
        ).execute(arguments: [zone, name])
    }

    /// The number of a zone, which is noted if it is new.
    func zone(_ name: String) throws -> Int64 {
        let known = try Int64.fetchOne(
            database.cachedStatement(sql: "SELECT id FROM zone WHERE name = ?"), arguments: [name])
        if let known { return known }
        try database.execute(
            sql: """
                INSERT INTO zone
                    (name, is_made, is_stale, is_purged, is_subscribed, is_sweeping)
                VALUES (?, 0, 1, 0, 0, 0)
                """,
            arguments: [name]
        )
        return database.lastInsertedRowID
    }
}
