// Owns the questions of those who sync the replica.

package import Foundation
import GRDB

extension ReplicaReader {
    /// Everything known of a record; nil when there is none.
    package func row(_ id: ReplicaID) throws -> ReplicaRow? {
        let row = try Row.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT record.*, outbox.change, outbox.sent, outbox.sent_fields
                    FROM record
                    JOIN zone ON zone.id = record.zone
                    LEFT JOIN outbox ON outbox.zone = record.zone AND outbox.name = record.name
                    WHERE zone.name = ? AND record.name = ?
                    """),
            arguments: [id.zone, id.name]
        )
        return try row.map { try ReplicaRow($0, zone: id.zone) }
    }

    /// How many records may be sent: neither refused nor in a zone that is not used any more.
    package func sendableCount() throws -> Int {
        try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM \(Self.sendable)") ?? 0
    }

    /// The records to send next, the oldest edit first, all in one zone.
    package func sendable(limit: Int) throws -> [ReplicaRow] {
        let zone = try Row.fetchOne(
            database,
            sql: "SELECT zone.id, zone.name FROM \(Self.sendable) ORDER BY outbox.id LIMIT 1")
        guard let zone else { return [] }
        let (number, name): (Int64, String) = (zone[0], zone[1])
        return try Row.fetchAll(
            database,
            sql: """
                SELECT record.*, outbox.change, outbox.sent, outbox.sent_fields
                FROM outbox
                JOIN record ON record.zone = outbox.zone AND record.name = outbox.name
                WHERE outbox.zone = ? AND outbox.refusal IS NULL
                ORDER BY outbox.id
                LIMIT ?
                """,
            arguments: [number, limit]
        ).map { try ReplicaRow($0, zone: name).outgoing }
    }

    private static let sendable = """
        outbox
        JOIN zone ON zone.id = outbox.zone
        WHERE outbox.refusal IS NULL AND zone.is_purged = 0 AND zone.is_gone = 0
        """

    /// The names of the records of a zone that the server has not been told of.
    package func pendingNames(in zone: String) throws -> Set<String> {
        try String.fetchSet(
            database,
            sql: "SELECT outbox.name FROM outbox JOIN zone ON zone.id = outbox.zone WHERE zone.name = ?",
            arguments: [zone])
    }

    /// Where the feed of a zone goes on; nil: at its beginning.
    package func token(of zone: String) throws -> Data? {
        try Data.fetchOne(database, sql: "SELECT token FROM zone WHERE name = ?", arguments: [zone])
    }

    /// Where the feed of the database goes on, and whether the server tells of new zones.
    package func databaseState() throws -> (token: Data?, isSubscribed: Bool) {
        let row = try Row.fetchOne(database, sql: "SELECT token, is_subscribed FROM replica")
        return (row?["token"], row?["is_subscribed"] ?? false)
    }

    /// How many edits wait for each zone that is not used any more, and why it is not.
    package func closedEdits() throws -> [(zone: String, closure: ReplicaZone.Closure, edits: Int)] {
        try Row.fetchAll(
            database,
            sql: """
                SELECT zone.name, zone.is_purged, zone.is_gone, COUNT(*) AS edits
                FROM outbox
                JOIN zone ON zone.id = outbox.zone
                WHERE zone.is_purged OR zone.is_gone OR outbox.refusal = ?
                GROUP BY zone.id
                ORDER BY zone.name
                """,
            arguments: [ReplicaWriter.asideMark]
        ).map { ($0["name"], ReplicaZone.Closure($0) ?? .deleted, $0["edits"]) }
    }

    /// Grows with every edit on this device: what a sync that runs wakes up for.
    package func editCount() throws -> Int {
        try Int.fetchOne(database, sql: "SELECT TOTAL(change) FROM outbox WHERE refusal IS NULL") ?? 0
    }
}
