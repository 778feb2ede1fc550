import CloudSync
import GRDB
import LocalReplica
import Records
import Synchronization

/// Stores the records of fetched pages as objects, each page in its own transaction. So an object appears as
/// soon as its record, and a page is written to the disk once.
final class PageImports: Sendable {
    private struct State {
        weak var store: MirroredStore?
        /// The event of the feed whose pages are being imported.
        var event: String?
    }

    private let state = Mutex(State())

    /// Sets the store of the objects.
    func open(_ store: MirroredStore) {
        state.withLock { $0.store = store }
    }

    /// Returns the event of a feed that did not come to its end, so that the caller ends the event.
    func takeEvent() -> String? {
        state.withLock { state in
            defer { state.event = nil }
            return state.event
        }
    }

    /// Prepares the import of a page before it is applied: its new records are not queued, because
    /// `importPage` imports them in the same transaction. That saves writing each to the queue.
    func prepare(_ page: FetchedPage, _ writer: ReplicaWriter) throws {
        guard state.withLock({ $0.store })?.scope != nil, !page.lacksFiles, !page.added.isEmpty,
            ObjectZone.isMirrored(page.zone.name)
        else { return }
        try writer.database.cachedStatement(sql: "INSERT INTO mirrored_importing VALUES (1)").execute()
    }

    /// Imports the records of a page. If that fails, the page stays with its records in the queue, and
    /// `ObjectImport` tries again and reports the error. `ObjectImport` also imports the pages with records
    /// whose files are missing, since the files are fetched next.
    func importPage(_ page: FetchedPage, _ writer: ReplicaWriter) throws {
        try writer.database.cachedStatement(sql: "DELETE FROM mirrored_importing").execute()
        let unqueued = writer.database.changesCount > 0 ? page.added : []
        if importPage(page, unqueued, writer) { return }
        try writer.enqueue(unqueued, in: page.zone)
    }

    /// Imports the records of a page. Returns false, and changes nothing, if that is not possible.
    ///
    /// - Parameter unqueued: the records that are not in the queue, but are to be imported.
    private func importPage(
        _ page: FetchedPage, _ unqueued: Set<String>, _ writer: ReplicaWriter
    ) -> Bool {
        let (store, open) = state.withLock { ($0.store, $0.event) }
        guard let store, !page.lacksFiles else { return false }
        var event = open
        do {
            try writer.database.inSavepoint {
                if try !unqueued.isEmpty || writer.reader.hasImportable() {
                    if event == nil { event = try writer.begin(.import, store.settings) }
                    try importBatches(page, unqueued, into: store, writer)
                }
                if !page.moreComing, let ended = event {
                    try writer.end(ended, error: nil, store.settings)
                    event = nil
                }
                return .commit
            }
        } catch { return false }
        if event == open { return true }
        let next = event
        writer.database.afterNextTransaction(onCommit: { _ in self.state.withLock { $0.event = next } })
        return true
    }

    /// Imports the records of a page, and at most one batch more. A long queue, as after a change of the
    /// model, would hold up the app's transactions: `ObjectImport` stores it in several transactions.
    private func importBatches(
        _ page: FetchedPage, _ unqueued: Set<String>, into store: MirroredStore, _ writer: ReplicaWriter
    ) throws {
        let imports = ObjectImport(store: store)
        let stored = try imports.importVersions(of: page, unqueued: unqueued, writer)
        var left = page.versions.count - stored + page.deletions.count + 1
        while left > 0 {
            let count = try imports.importBatch(writer)
            if count == 0 { return }
            left -= count
        }
    }
}
