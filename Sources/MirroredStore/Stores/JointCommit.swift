import Foundation
import GRDB
import LocalReplica
import ObjectModel

/// A transaction that changes several stores.
///
/// Each store is a separate file, and they commit one after the other. The store that commits first also
/// stores the changes of the others, in the same transaction. If the process ends in between, the changes of
/// the others are made when the stores are opened again.
struct JointCommit {
    let id: String
    /// The store that commits first.
    let first: String
    /// The changes of the other stores, by the name of the store.
    let others: [String: StoreChanges]

    /// Nil if fewer than two stores have changes.
    ///
    /// - Parameter changes: the changes of the stores, in the order in which they commit.
    init?(id: () -> String, _ changes: [(store: String, changes: StoreChanges)]) {
        let known = changes.filter { !$0.changes.isEmpty }
        if known.count < 2 { return nil }
        self.id = id()
        first = known[0].store
        others = Dictionary(
            known.dropFirst().map { ($0.store, $0.changes) }, uniquingKeysWith: { first, _ in first })
    }

    /// Adds to the transaction of a store the rows that a recovery needs: the intents in the first store, and
    /// in the others that they have committed.
    func note(in store: String, _ writer: ReplicaWriter) throws {
        if store == first {
            for (other, changes) in others.sorted(by: { $0.key < $1.key }) {
                try writer.database.execute(
                    sql: """
                        INSERT INTO mirrored_intent (id, store, changes, number)
                        SELECT ?, ?, ?, COALESCE(MAX(number), 0) + 1 FROM mirrored_intent
                        """,
                    arguments: [id, other, try JSONEncoder().encode(changes)])
            }
        } else if others[store] != nil {
            try writer.database.execute(
                sql: "INSERT INTO mirrored_joint (id) VALUES (?)", arguments: [id])
        }
    }
}

/// Completes transactions of several stores that only some of them have committed.
struct JointRecovery {
    let stores: [MirroredStore]
    /// Whether the stores are being opened, so that nothing else writes to them yet.
    let isOpening: Bool

    private struct Intent {
        var id: String
        var store: String
        var changes: Data
    }

    /// Makes the missing changes. Returns the errors of changes that cannot be made now. They are tried again
    /// when the stores are opened the next time.
    func run() throws -> [MirroredStoreError] {
        var problems: [MirroredStoreError] = []
        for store in stores {
            for intent in try store.replica.writeBlocking({ try Self.intents($0) }) {
                guard let other = stores.first(where: { $0.identifier == intent.store }) else {
                    problems.append(
                        MirroredStoreError(
                            .notFound, intent.store,
                            "a transaction that also changed this store is not finished, and the store is "
                                + "not among those that were opened",
                            nextStep: "open it together with the other stores"))
                    continue
                }
                do {
                    try other.replica.writeBlocking { try Self.apply(intent, to: other, $0) }
                } catch {
                    problems.append(try Self.problem(error, of: intent))
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

    /// Why changes cannot be made.
    ///
    /// - Throws: the error, if a store cannot be read or written.
    private static func problem(_ error: any Error, of intent: Intent) throws -> MirroredStoreError {
        let error = MirroredStoreError.translated(error)
        guard let known = error as? MirroredStoreError else {
            return MirroredStoreError(
                .invalidValue, "the changes of \(intent.store) in the transaction \(intent.id)",
                "the changes cannot be read (\(error))",
                nextStep: "update the app, or make the changes again")
        }
        if [.storage, .damaged].contains(known.code) { throw known }
        return known
    }

    /// The pending changes, in the order of their transactions.
    private static func intents(_ writer: ReplicaWriter) throws -> [Intent] {
        try Row.fetchAll(
            writer.database, sql: "SELECT id, store, changes FROM mirrored_intent ORDER BY number, id, store"
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

    /// Marks in a store the pending changes that other stores keep for it as done, so that they are not made.
    ///
    /// - Parameter others: the other stores. Their transactions with this store cannot commit meanwhile.
    static func dismiss(
        _ others: [LocalReplica], changesOf store: String, _ writer: ReplicaWriter
    ) throws {
        for other in others {
            let ids = try other.database.read { database in
                try String.fetchAll(
                    database, sql: "SELECT id FROM mirrored_intent WHERE store = ?", arguments: [store])
            }
            for id in ids {
                try writer.database.execute(
                    sql: "INSERT OR IGNORE INTO mirrored_joint (id) VALUES (?)", arguments: [id])
            }
        }
    }

    /// Deletes intents of a transaction: that for one store, or all of them.
    static func forget(_ id: String, of store: String? = nil, _ writer: ReplicaWriter) throws {
        try writer.database.execute(
            sql: "DELETE FROM mirrored_intent WHERE id = ? AND store = COALESCE(?, store)",
            arguments: [id, store])
    }
}
