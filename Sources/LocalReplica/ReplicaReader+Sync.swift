package import Foundation
import GRDB
package import Records

extension ReplicaReader {
    /// All stored state of a record; nil if it is unknown.
    package func row(_ id: RecordID) throws -> ReplicaRow? {
        let row = try Row.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT record.*, outbox.change, outbox.sent, outbox.sent_fields,
                        outbox.sent_token
                    FROM record
                    JOIN zone ON zone.id = record.zone
                    LEFT JOIN outbox ON outbox.zone = record.zone AND outbox.name = record.name
                    WHERE zone.name = ? AND record.name = ?
                    """),
            arguments: [id.zone.name, id.name]
        )
        return try row.map { try ReplicaRow($0, zone: id.zone.name) }
    }

    /// The number of pending changes that can be sent: not refused, and in a zone that is in use.
    ///
    /// - Parameters:
    ///   - refused: zones that the server refused to create.
    ///   - deferred: records that are not sent now.
    package func sendableCount(
        besides refused: [String] = [], except deferred: [RecordID] = []
    ) throws -> Int {
        try Int.fetchOne(
            database,
            sql: "SELECT COUNT(*) FROM \(Self.sendable) \(Self.besides(refused)) \(Self.except(deferred))",
            arguments: StatementArguments(refused + Self.names(of: deferred))) ?? 0
    }

    private static func besides(_ refused: [String]) -> String {
        "AND (zone.is_made = 1 OR zone.name NOT IN (\(databaseQuestionMarks(count: refused.count))))"
    }

    /// The condition that leaves out records, unless they are in an unanswered batch. Its arguments are
    /// `names(of:)`.
    private static func except(_ deferred: [RecordID]) -> String {
        if deferred.isEmpty { return "" }
        let rows = Array(repeating: "(?, ?)", count: deferred.count).joined(separator: ", ")
        return """
            AND (outbox.sent_token IS NOT NULL OR (zone.name, outbox.name) NOT IN (VALUES \(rows)))
            """
    }

    private static func names(of records: [RecordID]) -> [String] {
        records.flatMap { [$0.zone.name, $0.name] }
    }

    /// The next records to send, all in one zone, oldest edit first. An unanswered batch comes first and
    /// alone, so that it is sent again under the same token.
    ///
    /// - Parameters:
    ///   - refused: zones that the server refused to create.
    ///   - deferred: records that are not sent now, unless they are in the unanswered batch.
    package func sendable(
        limit: Int, besides refused: [String] = [], except deferred: [RecordID] = []
    ) throws -> [ReplicaRow] {
        let first = "SELECT zone.id, zone.name, outbox.sent_token FROM \(Self.sendable)"
        let zone =
            try Row.fetchOne(
                database, sql: first + " AND outbox.sent_token IS NOT NULL ORDER BY outbox.id LIMIT 1")
            ?? Row.fetchOne(
                database,
                sql: first + " \(Self.besides(refused)) \(Self.except(deferred)) ORDER BY outbox.id LIMIT 1",
                arguments: StatementArguments(refused + Self.names(of: deferred)))
        guard let zone else { return [] }
        let (number, name, token): (Int64, String, Data?) = (zone[0], zone[1], zone[2])
        let place: StatementArguments = [number, token]
        return try Row.fetchAll(
            database,
            sql: """
                SELECT record.*, outbox.change, outbox.sent, outbox.sent_fields, outbox.sent_token
                FROM outbox
                JOIN record ON record.zone = outbox.zone AND record.name = outbox.name
                JOIN zone ON zone.id = outbox.zone
                WHERE outbox.zone = ? AND outbox.refusal IS NULL AND outbox.sent_token IS ?
                    \(Self.except(deferred))
                ORDER BY outbox.id
                LIMIT ?
                """,
            arguments: place + StatementArguments(Self.names(of: deferred)) + [limit]
        ).map { try ReplicaRow($0, zone: name).outgoing }
    }

    /// The oldest batch that was sent without an answer, so that it may have arrived: its zone and token. nil
    /// if there is none, or none in `zone`.
    package func doubt(in zone: String? = nil) throws -> (zone: String, token: Data)? {
        let row = try Row.fetchOne(
            database,
            sql: """
                SELECT zone.name, outbox.sent_token
                FROM \(Self.sendable) AND outbox.sent_token IS NOT NULL AND zone.name = COALESCE(?, zone.name)
                ORDER BY outbox.id
                LIMIT 1
                """,
            arguments: [zone])
        return row.map { ($0[0], $0[1]) }
    }

    /// The names of the records in a batch that was sent without an answer.
    package func names(sentAs token: Data, in zone: String) throws -> Set<String> {
        try String.fetchSet(
            database,
            sql: """
                SELECT outbox.name
                FROM outbox
                JOIN zone ON zone.id = outbox.zone
                WHERE zone.name = ? AND outbox.sent_token = ?
                """,
            arguments: [zone, token])
    }

    /// The token of the last batch in a zone that the server is known to have applied; nil if there is none.
    package func lastAppliedToken(in zone: String) throws -> Data? {
        try Data.fetchOne(database, sql: "SELECT taken_token FROM zone WHERE name = ?", arguments: [zone])
    }

    private static let sendable = """
        outbox
        JOIN zone ON zone.id = outbox.zone
        WHERE outbox.refusal IS NULL AND zone.is_purged = 0 AND zone.is_gone = 0
        """

    /// The names of a zone's records with pending changes.
    package func pendingNames(in zone: String) throws -> Set<String> {
        try String.fetchSet(
            database,
            sql: "SELECT outbox.name FROM outbox JOIN zone ON zone.id = outbox.zone WHERE zone.name = ?",
            arguments: [zone])
    }

    /// The change tags of records by record name.
    package func tags(of names: [String], in zone: String) throws -> [String: String] {
        let number = try Int64.fetchOne(
            database.cachedStatement(sql: "SELECT id FROM zone WHERE name = ?"), arguments: [zone])
        guard let number else { return [:] }
        var statement = try RowStatement(
            database, "SELECT tag FROM record WHERE zone = ? AND name = ? AND tag IS NOT NULL")
        var tags: [String: String] = [:]
        for name in names {
            statement.bind(number)
            statement.bind(name)
            tags[name] = try statement.text()
        }
        return tags
    }

    /// The changed records for which the server had an error instead of their content.
    package func unfetched() throws -> [RecordID] {
        try Row.fetchAll(
            database,
            sql: """
                SELECT unfetched.name, zone.name
                FROM unfetched
                JOIN zone ON zone.id = unfetched.zone
                ORDER BY zone.name, unfetched.name
                """
        ).map { RecordID(name: $0[0], zone: $0[1]) }
    }

    /// The change token of a zone; nil before its first fetch.
    package func token(of zone: String) throws -> Data? {
        try Data.fetchOne(database, sql: "SELECT token FROM zone WHERE name = ?", arguments: [zone])
    }

    /// The change token of the database, and whether the server notifies this device of new zones.
    package func databaseState() throws -> (token: Data?, isSubscribed: Bool) {
        let row = try Row.fetchOne(database, sql: "SELECT token, is_subscribed FROM replica")
        return (row?["token"], row?["is_subscribed"] ?? false)
    }

    /// The number of pending edits in each closed zone, with the reason for the closure.
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

    /// The names of the records whose edits the server refused, oldest edit first.
    package func refusedNames() throws -> [String] {
        try String.fetchAll(
            database,
            sql: "SELECT name FROM outbox WHERE refusal IS NOT NULL AND refusal <> ? ORDER BY id",
            arguments: [ReplicaWriter.asideMark])
    }

    /// A number that grows with every edit on this device. A running sync observes it to start sending.
    package func editCount() throws -> Int {
        try Int.fetchOne(database, sql: "SELECT TOTAL(change) FROM outbox WHERE refusal IS NULL") ?? 0
    }
}
