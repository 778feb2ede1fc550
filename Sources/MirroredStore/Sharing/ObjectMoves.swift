import CloudSync
import Cloudlet
import GRDB
import LocalReplica
import ObjectModel
import Records
import Synchronization

/// Numbers the fetches for which deletions wait.
final class FetchNumbers: Sendable {
    // 0 and 1 have other meanings in `mirrored_queue`.
    private let last = Mutex<Int64>(1)

    func next() -> Int64 {
        last.withLock { last in
            last += 1
            return last
        }
    }
}

/// Moves the records of objects into the zones of shares.
///
/// An object moves in two steps, and another device may fetch the result of one without the other: the record
/// is saved in the zone of the share; when the server has it, the old record is deleted. A device that has
/// fetched the deletion therefore fetches all zones once more before it imports the deletion, so that it has
/// the new record and the object does not disappear meanwhile.
struct ObjectMoves: Sendable {
    let store: MirroredStore

    /// Fetches all changes, and then permits the import of the deletions that had been fetched before.
    func fetchAndRelease(_ sync: CloudSync) async throws -> SyncStatus {
        let number = store.fetchNumbers.next()
        try await store.replica.write { writer in
            try writer.database.execute(
                sql: "UPDATE mirrored_queue SET is_held = ? WHERE is_held = 1", arguments: [number])
        }
        let status = try await sync.sync()
        try await store.replica.write { writer in
            let isWhole = try status.activity == .idle && writer.reader.hasFetchedAllZones()
            try writer.database.execute(
                sql: "UPDATE mirrored_queue SET is_held = ? WHERE is_held = ?",
                arguments: [isWhole ? 0 : 1, number])
        }
        return status
    }

    /// Fetches all changes again whenever deletions wait for that. Returns only if the task is cancelled.
    func releaseHeld(_ sync: CloudSync) async throws {
        do {
            for try await hasHeld in store.replica.observeWork({ try $0.hasHeld() }) where hasHeld {
                while true {
                    _ = try await fetchAndRelease(sync)
                    try await store.importChanges()
                    if try await store.replica.read({ try !$0.hasHeld() }) { break }
                    try await store.settings.pause(.seconds(10))
                }
            }
        } catch is CancellationError {}
    }

    /// Deletes the old records of objects whose new records the server has.
    func finish() async throws {
        guard store.scope == .private, try await store.replica.read({ try $0.hasLeaving() }) else { return }
        let layout = store.layout
        try await store.replica.write { writer in
            let graph = Graph(database: writer.database, layout: layout)
            for row in try Row.fetchAll(writer.database, sql: "SELECT name, zone FROM mirrored_leaving") {
                let old = RecordID(name: row["name"], zone: ZoneID(name: row["zone"]))
                let place = try graph.place(of: old.name) ?? ObjectZone.home
                if place == old.zone, try graph.type(of: old.name) != nil {
                    // The object has returned to this zone.
                    try writer.forgetLeaving(old)
                    continue
                }
                let new =
                    place == old.zone ? nil : try writer.reader.row(RecordID(name: old.name, zone: place))
                // As long as the server does not have the new record, other devices need the old one.
                if let new, new.fields != nil, new.tag == nil { continue }
                try writer.unqueued(old) { try $0.delete($1) }
                try writer.forgetLeaving(old)
            }
        }
    }
}

extension ReplicaReader {
    /// Whether all zones in use have been fetched.
    func hasFetchedAllZones() throws -> Bool {
        try zones().allSatisfy { $0.closure != nil || !$0.isStale && $0.hasToken }
    }

    /// Whether fetched deletions wait for another fetch.
    func hasHeld() throws -> Bool {
        try Bool.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT EXISTS (
                        SELECT 1
                        FROM mirrored_queue AS queue
                        JOIN zone ON zone.id = queue.zone
                        WHERE queue.is_held > 0 AND zone.name = ? AND zone.owner = ''
                    )
                    """),
            arguments: [ObjectZone.home.name]) ?? false
    }

    fileprivate func hasLeaving() throws -> Bool {
        try Bool.fetchOne(database, sql: "SELECT EXISTS (SELECT 1 FROM mirrored_leaving)") ?? false
    }
}

extension ReplicaWriter {
    /// Makes deletions wait again if the process ended during the fetch for which they waited.
    func holdAgain() throws {
        try database.execute(sql: "UPDATE mirrored_queue SET is_held = 1 WHERE is_held > 1")
    }

    fileprivate func forgetLeaving(_ id: RecordID) throws {
        try database.execute(
            sql: "DELETE FROM mirrored_leaving WHERE name = ? AND zone = ?",
            arguments: [id.name, id.zone.name])
    }
}
