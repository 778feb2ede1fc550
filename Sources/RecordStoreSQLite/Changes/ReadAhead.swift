import RecordStore
import Records
import Synchronization

/// Reads the next page of a feed ahead, while its reader still receives the page before.
///
/// A page is returned only if there was no commit since its reading began, so it equals a page read now. Only
/// one page is read at a time, and at most `limit` pages are kept. A page that no reader fetches stays until
/// other pages replace it or a commit makes it useless.
final class ReadAhead: Sendable {
    private enum Page {
        /// The requests that wait for the page.
        case reading([CheckedContinuation<ChangesPage?, Never>])
        /// The page was read before a request for it came. It is never nil.
        case ready(ChangesPage?)
    }

    private struct Entry {
        let request: ChangesRequest
        /// The number of the last commit before reading began.
        let commit: Int
        var page = Page.reading([])
    }

    private let entries = Mutex<[Entry]>([])

    /// The maximum number of pages that are kept.
    static let limit = 2
    /// The maximum size of a page that is kept.
    static let bytes = 512 * 1024

    /// Drops the pages that a commit made useless.
    func forget(before commit: Int) {
        entries.withLock { entries in
            entries.removeAll { entry in
                if case .ready = entry.page { entry.commit < commit } else { false }
            }
        }
    }

    /// The number of requests that wait for a page that is being read.
    var waiting: Int {
        entries.withLock { entries in
            entries.reduce(0) { sum, entry in
                if case .reading(let waiters) = entry.page { sum + waiters.count } else { sum }
            }
        }
    }

    /// Call it before a page is read ahead. Returns false if the caller must not read it: another page is
    /// being read, or this one is kept already.
    func begin(_ request: ChangesRequest, after commit: Int) -> Bool {
        entries.withLock { entries in
            for entry in entries {
                if case .reading = entry.page { return false }
            }
            entries.removeAll { $0.commit < commit }
            if entries.contains(where: { $0.request == request || $0.commit > commit }) { return false }
            if entries.count >= Self.limit { entries.removeFirst() }
            entries.append(Entry(request: request, commit: commit))
            return true
        }
    }

    /// Ends the reading of a page. Passes the page to the requests that wait for it, or keeps it if there are
    /// none and it is not too large.
    ///
    /// - Parameter page: nil if the page could not be read.
    func end(_ request: ChangesRequest, _ page: ChangesPage?) {
        let waiters = entries.withLock { entries -> [CheckedContinuation<ChangesPage?, Never>] in
            guard let place = entries.firstIndex(where: { $0.request == request }),
                case .reading(let waiters) = entries[place].page
            else { return [] }
            if waiters.isEmpty, let page, page.packed.byteCount <= Self.bytes {
                entries[place].page = .ready(page)
            } else {
                entries.remove(at: place)
            }
            return waiters
        }
        for waiter in waiters { waiter.resume(returning: page) }
    }

    /// Returns the page if its reading began after this commit and no later one, waiting for it if necessary;
    /// nil if the caller must read it.
    func take(_ request: ChangesRequest, after commit: Int) async -> ChangesPage? {
        guard entries.withLock({ $0.contains { $0.request == request && $0.commit == commit } }) else {
            return nil
        }
        return await withCheckedContinuation { waiter in
            let found: ChangesPage?? = entries.withLock { entries in
                guard
                    let place = entries.firstIndex(where: { $0.request == request && $0.commit == commit })
                else { return .some(nil) }
                switch entries[place].page {
                case .ready(let page):
                    entries.remove(at: place)
                    return .some(page)
                case .reading(let waiters):
                    entries[place].page = .reading(waiters + [waiter])
                    return nil
                }
            }
            if let found { waiter.resume(returning: found) }
        }
    }
}
