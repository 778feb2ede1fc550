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
                    WHERE zone.name = ? AND zone.owner = ? AND record.name = ?
                    """),
            arguments: [id.zone.name, id.zone.storedOwner, id.name]
        )
        return try row.map { try ReplicaRow($0, zone: id.zone) }
    }

    /// The number of pending changes that can be sent: not refused, and in a zone that is in use.
    ///
    /// - Parameters:
    ///   - refused: zones that the server refused to create.
    ///   - owners: the owners to whose zones nothing is sent now; nil is the owner of this database.
    ///   - deferred: records that are not sent now.
    package func sendableCount(
        besides refused: [ZoneID] = [], excludingOwners owners: [String?] = [],
        except deferred: [RecordID] = []
    ) throws -> Int {
        try Int.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT COUNT(*)
                    FROM \(Self.sendableEdits) \(Self.notRefused(refused)) \(Self.excludingOwners(owners))
                        \(Self.notDeferred(deferred))
                    """),
            arguments: StatementArguments(
                Self.names(of: refused) + Self.names(of: owners) + Self.names(of: deferred))) ?? 0
    }

    /// The condition that excludes refused zones, unless they exist on the server. Its arguments are
    /// `names(of:)`.
    private static func notRefused(_ refused: [ZoneID]) -> String {
        if refused.isEmpty { return "" }
        let rows = Array(repeating: "(?, ?)", count: refused.count).joined(separator: ", ")
        return "AND (zone.is_made = 1 OR (zone.name, zone.owner) NOT IN (VALUES \(rows)))"
    }

    private static func names(of zones: [ZoneID]) -> [String] {
        zones.flatMap { [$0.name, $0.storedOwner] }
    }

    /// The condition that excludes the zones of some owners. Its arguments are `names(of:)`.
    private static func excludingOwners(_ owners: [String?]) -> String {
        if owners.isEmpty { return "" }
        return "AND zone.owner NOT IN (\(Array(repeating: "?", count: owners.count).joined(separator: ", ")))"
    }

    private static func names(of owners: [String?]) -> [String] {
        owners.map { ZoneID(name: "", owner: $0).storedOwner }
    }

    /// The condition that excludes deferred records, unless they are in an unanswered batch. Its arguments
    /// are `names(of:)`.
    private static func notDeferred(_ deferred: [RecordID]) -> String {
        if deferred.isEmpty { return "" }
        let rows = Array(repeating: "(?, ?, ?)", count: deferred.count).joined(separator: ", ")
        return """
            AND (
                outbox.sent_token IS NOT NULL
                OR (zone.name, zone.owner, outbox.name) NOT IN (VALUES \(rows))
            )
            """
    }

    private static func names(of records: [RecordID]) -> [String] {
        records.flatMap { [$0.zone.name, $0.zone.storedOwner, $0.name] }
    }

    /// The next records to send, all in one zone, oldest edit first. An unanswered batch comes first and
    /// alone, so that it is sent again under the same token.
    ///
    /// - Parameters:
    ///   - refused: zones that the server refused to create.
    ///   - owners: the owners to whose zones nothing is sent now; nil is the owner of this database.
    ///   - deferred: records that are not sent now, unless they are in the unanswered batch.
    package func sendable(
        limit: Int, besides refused: [ZoneID] = [], excludingOwners owners: [String?] = [],
        except deferred: [RecordID] = []
    ) throws -> [ReplicaRow] {
        let first = """
            SELECT zone.id, zone.name, zone.owner, outbox.sent_token
            FROM \(Self.sendableEdits) \(Self.excludingOwners(owners))
            """
        let ownerNames = Self.names(of: owners)
        let zone =
            try Row.fetchOne(
                database.cachedStatement(
                    sql: first + " AND outbox.sent_token IS NOT NULL ORDER BY outbox.id LIMIT 1"),
                arguments: StatementArguments(ownerNames))
            ?? Row.fetchOne(
                database.cachedStatement(
                    sql: """
                        \(first) \(Self.notRefused(refused)) \(Self.notDeferred(deferred))
                        ORDER BY outbox.id LIMIT 1
                        """),
                arguments: StatementArguments(
                    ownerNames + Self.names(of: refused) + Self.names(of: deferred)))
        guard let zone else { return [] }
        let (number, token): (Int64, Data?) = (zone[0], zone[3])
        let id = ZoneID(name: zone[1], storedOwner: zone[2])
        let place: StatementArguments = [number, token]
        return try Row.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT record.*, outbox.change, outbox.sent, outbox.sent_fields, outbox.sent_token
                    FROM outbox
                    JOIN record ON record.zone = outbox.zone AND record.name = outbox.name
                    JOIN zone ON zone.id = outbox.zone
                    WHERE outbox.zone = ? AND outbox.refusal IS NULL AND outbox.sent_token IS ?
                        \(Self.notDeferred(deferred))
                    ORDER BY outbox.id
                    LIMIT ?
                    """),
            arguments: place + StatementArguments(Self.names(of: deferred)) + [limit]
        ).map { try ReplicaRow($0, zone: id).outgoing }
    }

    /// The zone and token of the oldest batch that was sent without an answer, so that the server may have
    /// applied it; nil if there is none.
    ///
    /// - Parameters:
    ///   - zone: the only zone to search; nil: all zones.
    ///   - owners: the owners whose zones are not searched; nil is the owner of this database.
    package func unansweredBatch(
        in zone: ZoneID? = nil, excludingOwners owners: [String?] = []
    ) throws -> (zone: ZoneID, token: Data)? {
        let row = try Row.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT zone.name, zone.owner, outbox.sent_token
                    FROM \(Self.sendableEdits) AND outbox.sent_token IS NOT NULL
                        AND zone.name = COALESCE(?, zone.name) AND zone.owner = COALESCE(?, zone.owner)
                        \(Self.excludingOwners(owners))
                    ORDER BY outbox.id
                    LIMIT 1
                    """),
            arguments: StatementArguments([zone?.name, zone?.storedOwner])
                + StatementArguments(Self.names(of: owners)))
        return row.map { (ZoneID(name: $0[0], storedOwner: $0[1]), $0[2]) }
    }

    /// The names of the records in a batch that was sent without an answer.
    package func names(sentAs token: Data, in zone: ZoneID) throws -> Set<String> {
        try String.fetchSet(
            database.cachedStatement(
                sql: """
                    SELECT outbox.name
                    FROM outbox
                    JOIN zone ON zone.id = outbox.zone
                    WHERE zone.name = ? AND zone.owner = ? AND outbox.sent_token = ?
                    """),
            arguments: [zone.name, zone.storedOwner, token])
    }

    /// The token of the last batch in a zone that the server is known to have applied; nil if there is none.
    package func lastAppliedToken(in zone: ZoneID) throws -> Data? {
        try Data.fetchOne(
            database.cachedStatement(sql: "SELECT taken_token FROM zone WHERE name = ? AND owner = ?"),
            arguments: [zone.name, zone.storedOwner])
    }

    /// The edits that can be sent: the SQL between `FROM` and further conditions, which begin with `AND`.
    private static let sendableEdits = """
        outbox
        JOIN zone ON zone.id = outbox.zone
        WHERE outbox.refusal IS NULL AND zone.is_purged = 0 AND zone.is_gone = 0
        """

    /// The names of a zone's records with pending changes.
    package func pendingNames(in zone: ZoneID) throws -> Set<String> {
        try String.fetchSet(
            database.cachedStatement(
                sql: """
                    SELECT outbox.name
                    FROM outbox
                    JOIN zone ON zone.id = outbox.zone
                    WHERE zone.name = ? AND zone.owner = ?
                    """),
            arguments: [zone.name, zone.storedOwner])
    }

    /// The change tags of records by record name.
    package func tags(of names: [String], in zone: ZoneID) throws -> [String: String] {
        guard let number = try number(of: zone) else { return [:] }
        var statement = try RowStatement(
            database, "SELECT tag FROM record WHERE zone = ? AND name = ? AND tag IS NOT NULL")
        var tags: [String: String] = [:]
        for name in names {
            statement.bind(number)
            statement.bind(name)
            if let tag = try statement.text() { tags[name] = tag }
        }
        return tags
    }

    /// The row ID of a zone; nil if the zone is unknown.
    package func number(of zone: ZoneID) throws -> Int64? {
        try Int64.fetchOne(
            database.cachedStatement(sql: "SELECT id FROM zone WHERE name = ? AND owner = ?"),
            arguments: [zone.name, zone.storedOwner])
    }

    /// The changed records for which the server returned an error instead of the content.
    package func unfetched() throws -> [RecordID] {
        try Row.fetchAll(
            database,
            sql: """
                SELECT unfetched.name, zone.name, zone.owner
                FROM unfetched
                JOIN zone ON zone.id = unfetched.zone
                ORDER BY zone.name, zone.owner, unfetched.name
                """
        ).map { RecordID(name: $0[0], zone: ZoneID(name: $0[1], storedOwner: $0[2])) }
    }

    /// The change token of a zone; nil before its first fetch.
    package func token(of zone: ZoneID) throws -> Data? {
        try Data.fetchOne(
            database.cachedStatement(sql: "SELECT token FROM zone WHERE name = ? AND owner = ?"),
            arguments: [zone.name, zone.storedOwner])
    }

    /// The change tokens of all zones that have been fetched.
    package func tokens() throws -> [ZoneID: Data] {
        let sql = "SELECT name, owner, token FROM zone WHERE token IS NOT NULL"
        let rows = try Row.fetchAll(database.cachedStatement(sql: sql))
        return Dictionary(
            rows.map { (ZoneID(name: $0[0], storedOwner: $0[1]), $0[2]) }, uniquingKeysWith: { $1 })
    }

    /// The change token of the database, and whether the server notifies this device of new zones.
    package func databaseState() throws -> (token: Data?, isSubscribed: Bool) {
        let row = try Row.fetchOne(database.cachedStatement(sql: "SELECT token, is_subscribed FROM replica"))
        return (row?["token"], row?["is_subscribed"] ?? false)
    }

    /// The number of records with pending edits in each closed zone, with the reason for the closure. A zone
    /// in use is included, as deleted, with the records whose edits are set aside.
    package func closedEdits() throws -> [(zone: ZoneID, closure: ReplicaZone.Closure, edits: Int)] {
        try Row.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT zone.name, zone.owner, zone.is_purged, zone.is_gone, COUNT(*) AS edits
                    FROM outbox
                    JOIN zone ON zone.id = outbox.zone
                    WHERE zone.is_purged OR zone.is_gone OR outbox.refusal = ?
                    GROUP BY zone.id
                    ORDER BY zone.name, zone.owner
                    """),
            arguments: [ReplicaWriter.setAsideMark]
        ).map { row in
            let zone = ZoneID(name: row["name"], storedOwner: row["owner"])
            return (zone: zone, closure: ReplicaZone.Closure(row) ?? .deleted, edits: row["edits"])
        }
    }

    /// The names of the records whose edits the server refused, oldest edit first.
    package func refusedNames() throws -> [String] {
        try String.fetchAll(
            database.cachedStatement(
                sql: "SELECT name FROM outbox WHERE refusal IS NOT NULL AND refusal <> ? ORDER BY id"),
            arguments: [ReplicaWriter.setAsideMark])
    }
}
