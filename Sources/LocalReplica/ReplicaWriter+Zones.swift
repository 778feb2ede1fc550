package import Foundation
import GRDB
package import Records

extension ReplicaWriter {
    /// Stores the user record name of the person to whom the data belongs.
    package func setAccount(_ account: String) throws {
        try database.execute(sql: "UPDATE replica SET account = ?", arguments: [account])
    }

    /// Sets the scope of the database whose records these are.
    ///
    /// - Throws: `ReplicaError` with the code `otherDatabase` if the replica has another scope.
    package func setScope(_ scope: String) throws {
        if let known = try reader.scope() {
            if known == scope { return }
            throw ReplicaError(
                .otherDatabase, "the replica", "it contains records of the \(known) database",
                nextStep: "use a replica in another folder for the \(scope) database")
        }
        try database.execute(sql: "UPDATE replica SET scope = ?", arguments: [scope])
    }

    /// Adds a zone if it is unknown.
    package func add(zone: ZoneID) throws {
        _ = try self.zone(zone)
    }

    /// Marks the zone as existing on the server.
    package func markCreated(_ zone: ZoneID) throws {
        try change(zone, "is_made = 1")
    }

    /// Stores that the server notifies this device of changes in the zone, or of new zones if `zone` is nil.
    package func markSubscribed(_ zone: ZoneID?) throws {
        guard let zone else { return try database.execute(sql: "UPDATE replica SET is_subscribed = 1") }
        try change(zone, "is_subscribed = 1")
    }

    /// Marks the zone for fetching. This also opens a closed zone, since the server has it again: its edits
    /// that were set aside become sendable. Returns the records of these edits.
    @discardableResult
    package func markStale(_ zone: ZoneID) throws -> [(id: RecordID, type: String)] {
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
            arguments: [number, Self.setAsideMark])
        if kept.isEmpty { return [] }
        try database.execute(
            sql: "UPDATE outbox SET refusal = NULL WHERE zone = ? AND refusal = ?",
            arguments: [number, Self.setAsideMark])
        return kept.map { (RecordID(name: $0[0], zone: zone), $0[1]) }
    }

    /// Sets the change token of the database. With nil, the next fetch starts at the beginning of the feed.
    package func setDatabaseToken(_ token: Data?) throws {
        try database.execute(sql: "UPDATE replica SET token = ?", arguments: [token])
    }

    /// Restarts the change feed of the database. All zones in use are fetched again, and subscriptions are
    /// created again because the server may have lost them.
    package func startDatabaseOver() throws {
        try setDatabaseToken(nil)
        try database.execute(sql: "UPDATE replica SET is_subscribed = 0")
        // For a zone without a token the server cannot report that the token has expired, but edits sent to
        // the zone may be lost too.
        let unfetched = try Row.fetchAll(
            database,
            sql: """
                SELECT name, owner
                FROM zone
                WHERE token IS NULL AND is_made = 1 AND is_purged = 0 AND is_gone = 0
                """)
        for row in unfetched { try startOver(ZoneID(name: row[0], storedOwner: row[1])) }
        try database.execute(
            sql: """
                UPDATE zone
                SET is_stale = 1, is_subscribed = 0
                WHERE is_made = 1 AND is_purged = 0 AND is_gone = 0
                """)
    }

    /// Stores the change token of a zone after a page was applied.
    package func setToken(_ token: Data, of zone: ZoneID, moreComing: Bool) throws {
        try database.cachedStatement(
            sql: "UPDATE zone SET token = ?, is_stale = ?, is_made = 1 WHERE name = ? AND owner = ?"
        ).execute(arguments: [token, moreComing, zone.name, zone.storedOwner])
    }

    /// Restarts the change feed of a zone whose token has expired. All its records are marked as unseen,
    /// because a restarted feed does not report earlier deletions.
    package func startOver(_ zone: ZoneID) throws {
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

    /// Whether the zone is being fetched from the beginning after `startOver`.
    package func isSweeping(_ zone: ZoneID) throws -> Bool {
        try Bool.fetchOne(
            database.cachedStatement(sql: "SELECT is_sweeping FROM zone WHERE name = ? AND owner = ?"),
            arguments: [zone.name, zone.storedOwner]) ?? false
    }

    /// Marks these records as seen in the restarted feed.
    package func markSeen(_ names: [String], in zone: ZoneID) throws {
        let number = try self.zone(zone)
        let statement = try database.cachedStatement(sql: "DELETE FROM unseen WHERE zone = ? AND name = ?")
        for name in names { try statement.execute(arguments: [number, name]) }
    }

    /// Ends a restarted feed, and returns the records that it did not contain.
    package func endSweep(_ zone: ZoneID) throws -> [RecordID] {
        let number = try self.zone(zone)
        let names = try String.fetchAll(
            database, sql: "SELECT name FROM unseen WHERE zone = ? ORDER BY name", arguments: [number])
        try database.execute(sql: "DELETE FROM unseen WHERE zone = ?", arguments: [number])
        try change(zone, "is_sweeping = 0")
        return names.map { RecordID(name: $0, zone: zone) }
    }

    /// Stores the names of the changed records for which the server returned an error instead of the content.
    package func addUnfetched(_ names: [String], in zone: ZoneID) throws {
        let number = try self.zone(zone)
        for name in names {
            try database.execute(
                sql: "INSERT OR IGNORE INTO unfetched (zone, name) VALUES (?, ?)", arguments: [number, name])
        }
    }

    /// Removes the names of records whose content was fetched, or that were deleted.
    package func removeUnfetched(_ names: [String], in zone: ZoneID) throws {
        let isEmpty = try Bool.fetchOne(
            database.cachedStatement(sql: "SELECT NOT EXISTS (SELECT 1 FROM unfetched)"))
        if isEmpty == true { return }
        let number = try self.zone(zone)
        for name in names {
            try database.execute(
                sql: "DELETE FROM unfetched WHERE zone = ? AND name = ?", arguments: [number, name])
        }
    }

    /// Handles a zone that the server lost because the person reset the encrypted data: all local records
    /// become pending again, as new records.
    ///
    /// Shares are removed: only the server has their participants and their URL, so the replica cannot create
    /// them again.
    package func markReset(_ zone: ZoneID) throws {
        let number = try self.zone(zone)
        try database.execute(
            sql: "DELETE FROM record WHERE zone = ? AND type = ?", arguments: [number, Share.recordType])
        try database.execute(
            sql: """
                INSERT OR IGNORE INTO outbox (zone, name, change)
                SELECT zone, name, 1
                FROM record
                WHERE zone = ? AND fields IS NOT NULL
                ORDER BY name
                """,
            arguments: [number])
        try dropUnedited(zone)
    }

    /// Handles a zone that was deleted on another device, or is no longer shared with the person. Its
    /// unedited records are removed, and it is not created again automatically. The edits of the other
    /// records are set aside. Returns these records.
    ///
    /// Pending deletions in the person's own zone are dropped. The owner of a shared zone still has its
    /// records, so edits there, deletions included, keep the version that they are based on: if the zone is
    /// shared again, they are merged with the changes made meanwhile.
    package func markDeleted(_ zone: ZoneID) throws -> [(id: RecordID, type: String)] {
        if zone.owner == nil { try dropUnedited(zone) } else { try dropUneditedShared(zone) }
        try change(zone, "is_gone = 1")
        let number = try self.zone(zone)
        try database.execute(
            sql: "UPDATE outbox SET refusal = ? WHERE zone = ? AND refusal IS NULL",
            arguments: [Self.setAsideMark, number])
        return try Row.fetchAll(
            database, sql: "SELECT name, type FROM record WHERE zone = ? ORDER BY name", arguments: [number]
        ).map { (RecordID(name: $0[0], zone: zone), $0[1]) }
    }

    /// Removes the records of a lost zone that have no pending edit or were deleted here, and marks the
    /// others as new.
    private func dropUnedited(_ zone: ZoneID) throws {
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
        try clearSyncState(of: zone)
    }

    /// Removes the records of a zone that is no longer shared, except for those with a pending edit.
    private func dropUneditedShared(_ zone: ZoneID) throws {
        let number = try self.zone(zone)
        let pending = "SELECT 1 FROM outbox WHERE outbox.zone = record.zone AND outbox.name = record.name"
        try database.execute(
            sql: "DELETE FROM record WHERE zone = ? AND NOT EXISTS (\(pending))", arguments: [number])
        // Without the batch token, the sync decides by the fields whether an unanswered batch arrived.
        try database.execute(sql: "UPDATE outbox SET sent_token = NULL WHERE zone = ?", arguments: [number])
        try clearSyncState(of: zone)
    }

    /// Makes refused edits of a zone sendable, because its share or the record has changed and the server may
    /// accept them now.
    ///
    /// - Parameter name: The name of the record; nil selects all records of the zone.
    package func forgetRefusals(in zone: ZoneID, of name: String? = nil) throws {
        try database.execute(
            sql: """
                UPDATE outbox
                SET refusal = NULL
                WHERE zone = ? AND name = COALESCE(?, name) AND refusal <> ?
                """,
            arguments: [try self.zone(zone), name, Self.setAsideMark])
    }

    /// Makes the refused edits of records with these parents sendable, because the server may have refused
    /// them when it did not have the parent. All parents are in one zone.
    package func forgetRefusals(below parents: [RecordID]) throws {
        guard let zone = parents.first?.zone else { return }
        let refused = try String.fetchAll(
            database,
            sql: """
                SELECT name
                FROM outbox
                WHERE zone = ? AND refusal <> ?
                """,
            arguments: [try self.zone(zone), Self.setAsideMark])
        for name in refused {
            let record = try reader.record(RecordID(name: name, zone: zone))
            guard let parent = record?.parent, parents.contains(where: { $0.name == parent }) else {
                continue
            }
            try forgetRefusals(in: zone, of: name)
        }
    }

    /// Handles a zone whose data the person removed: all its records and edits are removed, and it is closed.
    package func markPurged(_ zone: ZoneID) throws {
        let number = try self.zone(zone)
        for table in ["outbox", "record"] {
            try database.execute(sql: "DELETE FROM \(table) WHERE zone = ?", arguments: [number])
        }
        try clearSyncState(of: zone)
        try change(zone, "is_purged = 1, is_stale = 0")
    }

    private func clearSyncState(of zone: ZoneID) throws {
        let number = try self.zone(zone)
        for table in ["unseen", "unfetched"] {
            try database.execute(sql: "DELETE FROM \(table) WHERE zone = ?", arguments: [number])
        }
        // The server still has a zone of another person that is no longer shared, and knows the last batch of
        // this device in it. So the token of that batch stays.
        if zone.owner == nil { try change(zone, "taken_token = NULL") }
        try change(zone, "token = NULL, is_made = 0, is_stale = 0, is_subscribed = 0, is_sweeping = 0")
    }

    /// Changes columns of a zone. `assignments` is constant SQL of this file.
    private func change(_ zone: ZoneID, _ assignments: String) throws {
        let number = try self.zone(zone)
        try database.execute(sql: "UPDATE zone SET \(assignments) WHERE id = ?", arguments: [number])
    }
}
