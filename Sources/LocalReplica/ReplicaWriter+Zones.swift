package import Foundation
import GRDB
package import Records

extension ReplicaWriter {
    /// Whose data this is from now on.
    package func setAccount(_ account: String) throws {
        try database.execute(sql: "UPDATE replica SET account = ?", arguments: [account])
    }

    /// Notes a zone, if it is new.
    package func note(zone: String) throws {
        _ = try self.zone(zone)
    }

    /// The server has the zone.
    package func noteMade(_ zone: String) throws {
        try change(zone, "is_made = 1")
    }

    /// The server tells of changes in the zone; nil: of new zones.
    package func noteSubscribed(_ zone: String?) throws {
        guard let zone else { return try database.execute(sql: "UPDATE replica SET is_subscribed = 1") }
        try change(zone, "is_subscribed = 1")
    }

    /// The server may know more of a zone than this device. One that was not used any more is: somebody made
    /// it again, so that what was kept aside since it was deleted goes up with everything else. Answers those
    /// records.
    @discardableResult
    package func noteStale(_ zone: String) throws -> [(id: RecordID, type: String)] {
        try change(zone, "is_stale = 1, is_made = 1, is_purged = 0, is_gone = 0")
        let number = try self.zone(zone)
        let kept = try Row.fetchAll(
            database,
            sql: """
                SELECT record.name, record.type
                FROM outbox
                JOIN record ON record.zone = outbox.zone AND record.name = outbox.name
                WHERE outbox.zone = ? AND outbox.refusal = ?
                ORDER BY outbox.id
                """,
            arguments: [number, Self.asideMark])
        if kept.isEmpty { return [] }
        try database.execute(
            sql: "UPDATE outbox SET refusal = NULL WHERE zone = ? AND refusal = ?",
            arguments: [number, Self.asideMark])
        return kept.map { (RecordID(name: $0[0], zone: zone), $0[1]) }
    }

    /// Where the feed of the database goes on; nil: at its beginning.
    package func setDatabaseToken(_ token: Data?) throws {
        try database.execute(sql: "UPDATE replica SET token = ?", arguments: [token])
    }

    /// Begins the feed of the database anew: every zone in use may have changed, and the server may have lost
    /// what it was asked to tell of.
    package func startDatabaseOver() throws {
        try setDatabaseToken(nil)
        try database.execute(sql: "UPDATE replica SET is_subscribed = 0")
        // A zone without a token is not told that it starts over: what was sent to it may be lost all the
        // same.
        let unfetched = try String.fetchAll(
            database,
            sql: """
                SELECT name
                FROM zone
                WHERE token IS NULL AND is_made = 1 AND is_purged = 0 AND is_gone = 0
                """)
        for zone in unfetched { try startOver(zone) }
        try database.execute(
            sql: """
                UPDATE zone
                SET is_stale = 1, is_subscribed = 0
                WHERE is_made = 1 AND is_purged = 0 AND is_gone = 0
                """)
    }

    /// Takes in how far a zone was fetched. At the end of a fetch from the beginning, what did not come is
    /// gone.
    package func setToken(_ token: Data, of zone: String, moreComing: Bool) throws {
        try database.cachedStatement(
            sql: "UPDATE zone SET token = ?, is_stale = ?, is_made = 1 WHERE name = ?"
        ).execute(arguments: [token, moreComing, zone])
    }

    /// Begins a zone anew: its token is too old, so that what was deleted since is not told.
    package func startOver(_ zone: String) throws {
        let number = try self.zone(zone)
        try change(zone, "token = NULL, is_stale = 1, is_sweeping = 1")
        try database.execute(
            sql: """
                INSERT OR IGNORE INTO unseen
                SELECT zone, name
                FROM record
                WHERE zone = ? AND tag IS NOT NULL
                """,
            arguments: [number])
    }

    /// Whether a zone is being fetched again from its beginning.
    package func isSweeping(_ zone: String) throws -> Bool {
        try Bool.fetchOne(database, sql: "SELECT is_sweeping FROM zone WHERE name = ?", arguments: [zone])
            ?? false
    }

    /// These records were brought again.
    package func noteSeen(_ names: [String], in zone: String) throws {
        let number = try self.zone(zone)
        let statement = try database.cachedStatement(sql: "DELETE FROM unseen WHERE zone = ? AND name = ?")
        for name in names { try statement.execute(arguments: [number, name]) }
    }

    /// Ends a fetch from the beginning, and answers the records that it did not bring.
    package func endSweep(_ zone: String) throws -> [RecordID] {
        let number = try self.zone(zone)
        let names = try String.fetchAll(
            database, sql: "SELECT name FROM unseen WHERE zone = ? ORDER BY name", arguments: [number])
        try database.execute(sql: "DELETE FROM unseen WHERE zone = ?", arguments: [number])
        try change(zone, "is_sweeping = 0")
        return names.map { RecordID(name: $0, zone: zone) }
    }

    /// The person reset the encrypted data, so that the server lost the zone: everything that is here is to
    /// be sent again, as new.
    package func noteReset(_ zone: String) throws {
        try database.execute(
            sql: """
                INSERT OR IGNORE INTO outbox (zone, name, change)
                SELECT zone, name, 1
                FROM record
                WHERE zone = ? AND fields IS NOT NULL
                ORDER BY name
                """,
            arguments: [try self.zone(zone)])
        try dropUnedited(zone)
    }

    /// Somebody deleted the zone: its records go here, too, and it is not made again by itself. What was
    /// edited here is kept aside. Answers those records.
    package func noteDeleted(_ zone: String) throws -> [(id: RecordID, type: String)] {
        try dropUnedited(zone)
        try change(zone, "is_gone = 1")
        let number = try self.zone(zone)
        try database.execute(
            sql: "UPDATE outbox SET refusal = ? WHERE zone = ? AND refusal IS NULL",
            arguments: [Self.asideMark, number])
        return try Row.fetchAll(
            database, sql: "SELECT name, type FROM record WHERE zone = ? ORDER BY name", arguments: [number]
        ).map { (RecordID(name: $0[0], zone: zone), $0[1]) }
    }

    /// Only what was edited here stays of a zone that the server has lost, and is as new.
    private func dropUnedited(_ zone: String) throws {
        let number = try self.zone(zone)
        let pending = "SELECT 1 FROM outbox WHERE outbox.zone = record.zone AND outbox.name = record.name"
        try database.execute(
            sql: "DELETE FROM record WHERE zone = ? AND (fields IS NULL OR NOT EXISTS (\(pending)))",
            arguments: [number])
        try database.execute(
            sql: """
                DELETE FROM outbox
                WHERE zone = :zone AND name NOT IN (SELECT name FROM record WHERE zone = :zone)
                """,
            arguments: ["zone": number])
        try database.execute(
            sql: "UPDATE record SET tag = NULL, system_fields = NULL, server_fields = NULL WHERE zone = ?",
            arguments: [number])
        try database.execute(
            sql: "UPDATE outbox SET sent = NULL, sent_fields = NULL, sent_token = NULL WHERE zone = ?",
            arguments: [number])
        try forget(zone)
    }

    /// The person removed the app's data in the zone: nothing of it stays, and nothing is sent again by
    /// itself.
    package func notePurged(_ zone: String) throws {
        let number = try self.zone(zone)
        for table in ["outbox", "record"] {
            try database.execute(sql: "DELETE FROM \(table) WHERE zone = ?", arguments: [number])
        }
        try forget(zone)
        try change(zone, "is_purged = 1, is_stale = 0")
    }

    private func forget(_ zone: String) throws {
        let number = try self.zone(zone)
        try database.execute(sql: "DELETE FROM unseen WHERE zone = ?", arguments: [number])
        try change(
            zone,
            "token = NULL, taken_token = NULL, is_made = 0, is_stale = 0, is_subscribed = 0, is_sweeping = 0")
    }

    /// `assignments` is text of this file only.
    private func change(_ zone: String, _ assignments: String) throws {
        let number = try self.zone(zone)
        try database.execute(sql: "UPDATE zone SET \(assignments) WHERE id = ?", arguments: [number])
    }
}
