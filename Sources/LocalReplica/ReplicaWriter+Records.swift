package import Foundation
import GRDB
package import Records

extension ReplicaWriter {
    /// Takes the server's version in place of what is here; nothing of this device is pending after.
    package func take(_ versions: [ServerVersion], in zone: String) throws {
        let number = try self.zone(zone)
        var statement = try PlainStatement(
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
            statement.bind(FieldSpelling.plainBytes(version.fields))
            statement.bind(version.tag)
            statement.bind(version.systemFields)
            try statement.run()
        }
    }

    /// The server has what was sent. An edit made since stays pending.
    package func settle(_ row: ReplicaRow, as version: ServerVersion) throws {
        try keep(version, pending: row.id)
        try database.execute(
            sql: "DELETE FROM outbox WHERE zone = ? AND name = ? AND change = ?",
            arguments: [try zone(row.id.zone.name), row.id.name, row.change]
        )
        if database.changesCount > 0 {
            try database.execute(
                sql: "UPDATE record SET server_fields = NULL WHERE zone = ? AND name = ?",
                arguments: [try zone(row.id.zone.name), row.id.name])
        } else {
            try forgetSent(row.id)
        }
    }

    /// The record lies as this on the server; the edits on this device stay on top, and pending.
    private func keep(_ version: ServerVersion, pending id: RecordID) throws {
        try database.cachedStatement(
            sql: """
                UPDATE record
                SET tag = ?, system_fields = ?, server_fields = ?
                WHERE zone = ? AND name = ?
                """
        ).execute(arguments: [
            version.tag, version.systemFields, FieldSpelling.bytes(version.fields), try zone(id.zone.name),
            id.name,
        ])
    }

    /// What this device and the server had became one: `fields` is to be sent over `version`.
    package func merge(_ fields: Fields?, over version: ServerVersion) throws {
        try keep(version, pending: version.id)
        try database.execute(
            sql: "UPDATE record SET fields = ? WHERE zone = ? AND name = ?",
            arguments: [fields.map(FieldSpelling.bytes), try zone(version.id.zone.name), version.id.name])
        try forgetSent(version.id)
    }

    /// The server has answered that it did not take these, or was never reached: they were not sent.
    package func noteUnsent(_ ids: [RecordID]) throws {
        for id in ids { try forgetSent(id) }
    }

    /// Nothing is on its way any more.
    private func forgetSent(_ id: RecordID) throws {
        try database.execute(
            sql: """
                UPDATE outbox
                SET sent = NULL, sent_fields = NULL, sent_token = NULL
                WHERE zone = ? AND name = ?
                """,
            arguments: [try zone(id.zone.name), id.name])
    }

    /// Nothing is pending of a record any more.
    package func dropPending(_ id: RecordID) throws {
        try database.execute(
            sql: "DELETE FROM outbox WHERE zone = ? AND name = ?",
            arguments: [try zone(id.zone.name), id.name])
    }

    /// The record is gone, here and there.
    package func remove(_ id: RecordID) throws {
        try dropPending(id)
        try database.execute(
            sql: "DELETE FROM record WHERE zone = ? AND name = ?",
            arguments: [try zone(id.zone.name), id.name])
    }

    /// The server does not have the record, and is to get it.
    package func makeNew(_ id: RecordID) throws {
        let number = try zone(id.zone.name)
        try database.execute(
            sql: """
                UPDATE record
                SET tag = NULL, system_fields = NULL, server_fields = NULL
                WHERE zone = ? AND name = ?
                """,
            arguments: [number, id.name])
        try forgetSent(id)
    }

    /// The server does not want the record as it was sent; what was typed since may be another matter.
    package func refuse(_ row: ReplicaRow, because reason: String) throws {
        try database.execute(
            sql: "UPDATE outbox SET refusal = ? WHERE zone = ? AND name = ? AND change = ?",
            arguments: [reason, try zone(row.id.zone.name), row.id.name, row.change])
        try forgetSent(row.id)
    }

    /// Notes what a conflict came to; the last thousand are kept.
    package func note(_ id: RecordID, type: String, what: String, fields: String, at date: Date) throws {
        try database.execute(
            sql: "INSERT INTO conflict (time, zone, name, type, what, fields) VALUES (?, ?, ?, ?, ?, ?)",
            arguments: [
                Timestamp(date).milliseconds, id.zone.name, id.name, type, what, fields,
            ])
        try database.execute(sql: "DELETE FROM conflict WHERE id <= (SELECT MAX(id) FROM conflict) - 1000")
    }
}
