import Foundation
import GRDB
import LocalReplica
import ObjectModel

/// A transaction that changes several stores.
///
/// The stores are files of their own and commit one after the other. The store that commits first keeps what
/// the others are to change, in the same transaction. So if the process ends in between, the others make
/// their changes when the stores are opened again.
struct JointCommit {
    let id: String
    /// The store that commits first.
    let first: String
    /// What the other stores change, by the name of the store.
    let others: [String: StoreChanges]

    /// Nil if fewer than two stores have changes.
    ///
    /// - Parameter changes: what the stores change, in the order in which they commit.
    init?(id: () -> String, _ changes: [(store: String, changes: StoreChanges)]) {
        let known = changes.filter { !$0.changes.isEmpty }
        if known.count < 2 { return nil }
        self.id = id()
        first = known[0].store
        others = Dictionary(
            known.dropFirst().map { ($0.store, $0.changes) }, uniquingKeysWith: { first, _ in first })
    }

    /// Notes in the transaction of a store what a later process needs to know.
    func note(in store: String, _ writer: ReplicaWriter) throws {
        if store == first {
            for (other, changes) in others.sorted(by: { $0.key < $1.key }) {
                try writer.database.execute(
                    sql: "INSERT INTO mirrored_intent (id, store, changes) VALUES (?, ?, ?)",
                    arguments: [id, other, try JSONEncoder().encode(changes)])
            }
        } else if others[store] != nil {
            try writer.database.execute(
                sql: "INSERT INTO mirrored_joint (id) VALUES (?)", arguments: [id])
        }
    }
}

/// Ends transactions of several stores that only some of them have committed.
struct JointRecovery {
    let stores: [MirroredStore]
    /// Whether nothing else writes to the stores yet.
    let isOpening: Bool

    private struct Intent {
        var id: String
        var store: String
        var changes: Data
    }

    /// Makes the changes that are missing. Returns the errors of those that cannot be made now, and are tried
    /// again when the stores are opened the next time.
    func run() throws -> [MirroredStoreError] {
        var problems: [MirroredStoreError] = []
        for store in stores {
            for intent in try store.replica.writeBlocking({ try Self.intents($0) }) {
                guard let other = stores.first(where: { $0.identifier == intent.store }) else {
                    problems.append(
                        MirroredStoreError(
                            .notFound, intent.store, "it lacks changes, and is none of these stores",
                            nextStep: "describe it again"))
                    continue
                }
                do {
                    try other.replica.writeBlocking { try Self.apply(intent, to: other, $0) }
                } catch let error as MirroredStoreError where error.code != .storage {
                    problems.append(error)
                    continue
                }
                try store.replica.writeBlocking { try Self.forget(intent.id, of: intent.store, $0) }
            }
        }
        guard isOpening, problems.isEmpty else { return problems }
        for store in stores {
            try store.replica.writeBlocking { try $0.database.execute(sql: "DELETE FROM mirrored_joint") }
        }
        return []
    }

    private static func intents(_ writer: ReplicaWriter) throws -> [Intent] {
        try Row.fetchAll(
            writer.database, sql: "SELECT id, store, changes FROM mirrored_intent ORDER BY id, store"
        ).map { Intent(id: $0["id"], store: $0["store"], changes: $0["changes"]) }
    }

    private static func apply(_ intent: Intent, to store: MirroredStore, _ writer: ReplicaWriter) throws {
        let isDone = try Bool.fetchOne(
            writer.database, sql: "SELECT EXISTS (SELECT 1 FROM mirrored_joint WHERE id = ?)",
            arguments: [intent.id])
        if isDone == true { return }
        let changes = try JSONDecoder().decode(StoreChanges.self, from: intent.changes)
        let objects = store.objects(writer)
        try objects.apply(changes)
        try store.finish(objects, writer, author: changes.author, isImport: false, isChecked: true)
        try writer.database.execute(
            sql: "INSERT INTO mirrored_joint (id) VALUES (?)", arguments: [intent.id])
    }

    /// Deletes intents of a transaction: that for one store, or all of them.
    static func forget(_ id: String, of store: String? = nil, _ writer: ReplicaWriter) throws {
        try writer.database.execute(
            sql: "DELETE FROM mirrored_intent WHERE id = ? AND store = COALESCE(?, store)",
            arguments: [id, store])
    }
}
