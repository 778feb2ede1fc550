import CloudSync
import Foundation
import GRDB
import LocalReplica
import ObjectModel
import Records

/// Stores as objects the records that `PageImports` has left in the queue, and those that did not come with a
/// page.
struct ObjectImport: Sendable {
    let store: MirroredStore

    /// Stores all queued records, in transactions of `Settings.batchSize` records, and repairs relationships.
    func run() async throws {
        try await requeueArrivedFiles()
        if try await store.replica.read({ try $0.hasImportable() }) {
            let event = try await store.begin(.import)
            do {
                while try await store.replica.write({ try self.importBatch($0) }) > 0 {}
                try await store.end(event, error: nil)
            } catch {
                try await store.end(event, error: "\(error)")
                throw error
            }
        }
        try await repair()
    }

    /// Stores the next queued records as objects. Returns their number.
    func importBatch(_ writer: ReplicaWriter) throws -> Int {
        try run(writer) { try $0.run(limit: store.settings.batchSize) }
    }

    /// Stores the changed records of a page as objects, without reading them from the database. Returns their
    /// number. Records with edits of this device stay in the queue, for `importBatch`.
    ///
    /// - Parameters:
    ///   - page: a page that was applied in the same transaction.
    ///   - unqueued: records of it that are not in the queue, but are to be imported.
    func importVersions(
        of page: FetchedPage, unqueued: Set<String>, _ writer: ReplicaWriter
    ) throws -> Int {
        guard ObjectZone.isMirrored(page.zone.name) else { return 0 }
        let (versions, size) = (page.versions, max(1, store.settings.batchSize))
        var count = 0
        for start in stride(from: 0, to: versions.count, by: size) {
            let batch = versions[start..<min(start + size, versions.count)]
            count += try run(writer) { try $0.run(batch, unqueued: unqueued, in: page.zone) }
        }
        return count
    }

    /// Runs an import whose changes are one transaction of the history.
    private func run(_ writer: ReplicaWriter, _ body: (RecordImport) throws -> Int) throws -> Int {
        guard let scope = store.scope else { return 0 }
        return try store.commit(writer, author: HistoryTransaction.importAuthor, isImport: true) { objects in
            let files = store.replica
            return try body(
                RecordImport(
                    writer: writer, objects: objects, translation: store.translation,
                    now: store.settings.now(), scope: scope,
                    file: { asset in try files.file(of: asset).map { try Data(contentsOf: $0) } }))
        }
    }

    /// Repairs relationships, unless records of the same batch of another device may still arrive.
    func repair() async throws {
        let layout = store.layout
        guard layout.roots.contains(where: { !layout.oneToOnes(ofRoot: $0).isEmpty }) else { return }
        guard try await store.replica.read({ try $0.hasFetchedAllZones() }) else { return }
        try await store.replica.write { writer in
            guard try writer.reader.hasFetchedAllZones() else { return }
            try store.commit(writer, author: HistoryTransaction.importAuthor, isImport: true) { objects in
                try GraphRepair(objects: objects).run()
            }
        }
    }

    /// Makes the queued records importable whose files have arrived.
    private func requeueArrivedFiles() async throws {
        let (files, layout, home) = (store.replica, store.layout, ObjectZone.home(of: store.scope))
        let lacking = "SELECT name FROM mirrored_queue WHERE lacks_file = 1"
        let isWhole = try await files.read { reader in
            try Bool.fetchOne(reader.database, sql: "SELECT NOT EXISTS (\(lacking))") ?? true
        }
        if isWhole { return }
        try await store.replica.write { writer in
            let names = try String.fetchAll(writer.database, sql: lacking)
            for name in names {
                let place = try Graph(database: writer.database, layout: layout).place(of: name)
                guard let zone = place ?? home else { continue }
                let id = RecordID(name: name, zone: zone)
                let values = try writer.reader.record(id)?.fields.map(\.1.value) ?? []
                let isWhole = values.allSatisfy { value in
                    if case .asset(let asset) = value { files.file(of: asset) != nil } else { true }
                }
                if !isWhole { continue }
                try writer.database.execute(
                    sql: "UPDATE mirrored_queue SET lacks_file = 0 WHERE name = ?", arguments: [name])
            }
        }
    }
}
