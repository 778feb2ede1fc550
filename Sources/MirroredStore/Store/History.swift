public import Foundation
import GRDB
import LocalReplica
import ObjectModel
import Records

/// A change of an object in a transaction.
public struct HistoryChange: Hashable, Sendable {
    /// The kind of change.
    public enum Kind: String, Hashable, Sendable {
        /// The object is new.
        case insert
        /// Values or relationships of the object changed.
        case update
        /// The object was deleted.
        case delete
    }

    /// The object.
    public let id: MirroredObject.ID
    /// The kind of change.
    public let kind: Kind
    /// The changed attributes and to-one relationships of an update, sorted.
    public let properties: [String]

    init?(_ id: MirroredObject.ID, from old: MirroredObject?, to new: MirroredObject?) {
        self.id = id
        switch (old, new) {
        case (nil, nil): return nil
        case (nil, _): (kind, properties) = (.insert, [])
        case (_, nil): (kind, properties) = (.delete, [])
        case (let old?, let new?):
            let names = Set(old.values.keys).union(new.values.keys).filter {
                old.values[$0] != new.values[$0]
            }
            let targets = Set(old.targets.keys).union(new.targets.keys)
                .filter { old.targets[$0] != new.targets[$0] }
            (kind, properties) = (.update, names.union(targets).sorted())
        }
    }

    init?(_ row: Row) {
        guard let kind = Kind(rawValue: row["kind"]) else { return nil }
        id = MirroredObject.ID(root: row["entity"], name: row["name"])
        self.kind = kind
        properties = (row["properties"] as String).split(separator: ",").map(String.init)
    }
}

/// The changes that were committed together.
public struct HistoryTransaction: Hashable, Sendable {
    /// The author of the transactions that store changes of other devices.
    public static let importAuthor = "import"

    /// The transaction's position in the history. Later transactions have greater tokens.
    public let token: Int64
    /// The author: the name that was passed to `write`, `importAuthor`, or `MirroredStore.sharingAuthor`.
    public let author: String
    /// The time of the commit by this device's clock.
    public let date: Date
    /// The changes, sorted by object.
    public let changes: [HistoryChange]
}

extension Graph {
    /// Adds a transaction to the history.
    func write(_ changes: [HistoryChange], by author: String, at now: Date) throws {
        if changes.isEmpty { return }
        try database.cachedStatement(sql: "INSERT INTO mirrored_transaction (author, time) VALUES (?, ?)")
            .execute(arguments: [author, Timestamp(now).milliseconds])
        let token = database.lastInsertedRowID
        var row = try RowStatement(database, "INSERT OR REPLACE INTO mirrored_change VALUES (?, ?, ?, ?, ?)")
        for change in changes {
            row.bind(token)
            row.bind(change.id.root)
            row.bind(change.id.name)
            row.bind(change.kind.rawValue)
            row.bind(change.properties.joined(separator: ","))
            try row.run()
        }
    }

    /// The transactions after a token, oldest first.
    ///
    /// - Throws: `MirroredStoreError` with the code `historyExpired`.
    func history(after token: Int64, limit: Int, besides author: String? = nil) throws -> [HistoryTransaction]
    {
        let next = try Int64.fetchOne(database, sql: "SELECT MIN(token) FROM mirrored_transaction")
        let last = try lastToken()
        // The remaining tokens have no gaps. So if the first one is greater than `token + 1`, transactions
        // after `token` were deleted.
        if token < last, token + 1 < next ?? last + 1 {
            throw MirroredStoreError(
                .historyExpired, "the history", "the transactions after \(token) were deleted",
                nextStep: "read all objects, and continue from the token \(last)")
        }
        return try Row.fetchAll(
            database,
            sql:
                """
                SELECT token, author, time
                FROM mirrored_transaction
                WHERE token > ? AND author IS NOT ?
                ORDER BY token
                LIMIT ?
                """,
            arguments: [token, author, limit]
        ).map { row in
            let changes = try Row.fetchAll(
                database, sql: "SELECT * FROM mirrored_change WHERE token = ? ORDER BY entity, name",
                arguments: [row["token"] as Int64])
            return HistoryTransaction(
                token: row["token"], author: row["author"],
                date: Date(timeIntervalSince1970: Double(row["time"] as Int64) / 1000),
                changes: changes.compactMap(HistoryChange.init))
        }
    }

    /// The token of the last transaction; 0 if there was none.
    func lastToken() throws -> Int64 {
        try Int64.fetchOne(
            database, sql: "SELECT seq FROM sqlite_sequence WHERE name = 'mirrored_transaction'") ?? 0
    }

    /// Deletes the transactions before the first one that is not older than a moment. If the clock was set
    /// back, older ones may follow it; they stay, because the history must have no gap.
    func deleteHistory(before date: Date) throws {
        let first = "SELECT MIN(token) FROM mirrored_transaction WHERE time >= ?"
        try deleteHistory("token < IFNULL((\(first)), token + 1)", Timestamp(date).milliseconds)
    }

    /// Deletes the transactions up to a token, that one included.
    func deleteHistory(upTo token: Int64) throws {
        try deleteHistory("token <= ?", token)
    }

    private func deleteHistory(_ condition: String, _ limit: Int64) throws {
        try database.execute(
            sql: """
                DELETE FROM mirrored_change
                WHERE token IN (SELECT token FROM mirrored_transaction WHERE \(condition))
                """,
            arguments: [limit])
        try database.execute(sql: "DELETE FROM mirrored_transaction WHERE \(condition)", arguments: [limit])
    }
}
