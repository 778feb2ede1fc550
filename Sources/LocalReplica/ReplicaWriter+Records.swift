package import Foundation
import GRDB
package import Records

extension ReplicaWriter {
    /// Replaces local records by the server's versions. The caller removes their pending edits, if any.
    package func replace(with versions: [ServerVersion], in zone: ZoneID) throws {
        try storeEncrypted(in: versions)
        let number = try self.zone(zone)
        var statement = try RowStatement(
            database,
            """
            INSERT INTO record (zone, name, type, fields, tag, system_fields)
            VALUES (?, ?, ?, ?, ?, ?)
            ON CONFLICT DO UPDATE SET
                type = excluded.type,
                fields = excluded.fields,
                tag = excluded.tag,
                system_fields = excluded.system_fields,
                server_fields = NULL
            """)
        for version in versions {
            statement.bind(number)
            statement.bind(version.id.name)
            statement.bind(version.type)
            statement.bind(version.encodedFields)
            statement.bind(version.tag)
            statement.bind(version.systemFields)
            try statement.run()
        }
    }

    /// Stores the result of a successful save: the sent edit is no longer pending. A later edit stays
    /// pending.
    package func storeSaved(_ row: ReplicaRow, as version: ServerVersion) throws {
        try storeServerVersion(version, of: row.id)
        try database.cachedStatement(
            sql: "DELETE FROM outbox WHERE zone = ? AND name = ? AND change = ?"
        ).execute(arguments: [try zone(row.id.zone), row.id.name, row.change])
        if database.changesCount > 0 {
            try database.cachedStatement(
                sql: "UPDATE record SET server_fields = NULL WHERE zone = ? AND name = ?"
            ).execute(arguments: [try zone(row.id.zone), row.id.name])
        } else {
            try forgetSent(row.id)
        }
    }

    /// Stores the server's version of a record. The edits of this device stay pending.
    private func storeServerVersion(_ version: ServerVersion, of id: RecordID) throws {
        try storeEncrypted(in: [version])
        try database.cachedStatement(
            sql: """
                UPDATE record
                SET tag = ?, system_fields = ?, server_fields = ?
                WHERE zone = ? AND name = ?
                """
        ).execute(arguments: [
            version.tag, version.systemFields, Data(version.encodedFields), try zone(id.zone), id.name,
        ])
    }

    /// Stores the result of a merge: the pending edit changes `version` to `fields`; nil deletes the record.
    package func merge(_ fields: Fields?, over version: ServerVersion) throws {
        try storeServerVersion(version, of: version.id)
        let kept = try fields.map { try keepingEncryption(of: $0, in: version.type) }
        try database.execute(
            sql: "UPDATE record SET fields = ? WHERE zone = ? AND name = ?",
            arguments: [kept.map(FieldCoding.bytes), try zone(version.id.zone), version.id.name])
        try forgetSent(version.id)
    }

    /// Marks the edits of these records as not sent: they did not reach the server, or it rejected them.
    package func markUnsent(_ ids: [RecordID]) throws {
        for id in ids { try forgetSent(id) }
    }

    /// Marks the record's edit as not sent.
    private func forgetSent(_ id: RecordID) throws {
        try database.execute(
            sql: """
                UPDATE outbox
                SET sent = NULL, sent_fields = NULL, sent_token = NULL
                WHERE zone = ? AND name = ?
                """,
            arguments: [try zone(id.zone), id.name])
    }

    /// Removes the record's pending edits.
    package func dropPending(_ id: RecordID) throws {
        try database.execute(
            sql: "DELETE FROM outbox WHERE zone = ? AND name = ?",
            arguments: [try zone(id.zone), id.name])
    }

    /// Removes the record and its pending edits.
    package func remove(_ id: RecordID) throws {
        try dropPending(id)
        try database.execute(
            sql: "DELETE FROM record WHERE zone = ? AND name = ?",
            arguments: [try zone(id.zone), id.name])
    }

    /// Marks the record as new: the server does not have it, and its pending edit will create it.
    ///
    /// - Parameter base: the version on which the edit is based, for the merge with a version that appears
    ///   later; nil if there is none.
    package func makeNew(_ id: RecordID, base: Fields? = nil) throws {
        let number = try zone(id.zone)
        try database.execute(
            sql: """
                UPDATE record
                SET tag = NULL, system_fields = NULL, server_fields = ?
                WHERE zone = ? AND name = ?
                """,
            arguments: [base.map(FieldCoding.bytes), number, id.name])
        try forgetSent(id)
    }

    /// Marks the sent edit of a record as refused by the server. A later edit is not marked.
    package func refuse(_ row: ReplicaRow, because reason: String) throws {
        try database.execute(
            sql: "UPDATE outbox SET refusal = ? WHERE zone = ? AND name = ? AND change = ?",
            arguments: [reason, try zone(row.id.zone), row.id.name, row.change])
        try forgetSent(row.id)
    }

    /// Adds a resolved conflict to the log, which keeps the last thousand entries.
    package func addConflict(
        _ id: RecordID, type: String, summary: String, fields: String, at date: Date
    ) throws {
        try database.execute(
            sql: """
                INSERT INTO conflict (time, zone, owner, name, type, what, fields)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                Timestamp(date).milliseconds, id.zone.name, id.zone.storedOwner, id.name, type, summary,
                fields,
            ])
        try database.execute(sql: "DELETE FROM conflict WHERE id <= (SELECT MAX(id) FROM conflict) - 1000")
    }
}
