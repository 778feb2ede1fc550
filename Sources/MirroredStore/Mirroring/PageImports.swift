import CloudSync
import GRDB
import LocalReplica
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

    /// Imports the records of a page. If that fails, the page stays, and `ObjectImport` tries again and
    /// reports the error. `ObjectImport` also imports the pages with records whose files are missing, since
    /// the files are fetched next.
    func importPage(_ page: FetchedPage, _ writer: ReplicaWriter) {
        let (store, open) = state.withLock { ($0.store, $0.event) }
        guard let store, !page.lacksFiles else { return }
        var event = open
        do {
            try writer.database.inSavepoint {
                if try writer.reader.hasImportable() {
                    if event == nil { event = try writer.begin(.import, store.settings) }
                    try importBatches(page, into: store, writer)
                }
                if !page.moreComing, let ended = event {
                    try writer.end(ended, error: nil, store.settings)
                    event = nil
                }
                return .commit
            }
        } catch { return }
        if event == open { return }
        let next = event
        writer.database.afterNextTransaction(onCommit: { _ in self.state.withLock { $0.event = next } })
    }

    /// Imports the records of a page, and at most one batch more. A long queue, as after a change of the
    /// model, would hold up the app's transactions: `ObjectImport` stores it in several transactions.
    private func importBatches(
        _ page: FetchedPage, into store: MirroredStore, _ writer: ReplicaWriter
    ) throws {
        let imports = ObjectImport(store: store)
        let stored = try imports.importVersions(of: page, writer)
        var left = page.versions.count - stored + page.deletions.count + 1
        while left > 0 {
            let count = try imports.importBatch(writer)
            if count == 0 { return }
            left -= count
        }
    }
}
