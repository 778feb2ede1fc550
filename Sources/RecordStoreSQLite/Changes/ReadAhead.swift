import RecordStore
import Records
import Synchronization

/// Keeps the next page of a feed for whoever follows it: it is read while the page before is on its way.
///
/// A page is handed out only when nothing was committed since its reading began, so it says what a read at
/// that moment would have said. One page is read at a time, and few are kept: a feed that nobody follows to
/// its end leaves one behind, until others take its place.
final class ReadAhead: Sendable {
    private enum Page {
        /// Those who wait for it.
        case reading([CheckedContinuation<ChangesPage?, Never>])
        /// Nil: it could not be read.
        case ready(ChangesPage?)
    }

    private struct Entry {
        let request: ChangesRequest
        /// The number of the last commit when reading began.
        let commit: Int
        var page = Page.reading([])
    }

    private let entries = Mutex<[Entry]>([])

    /// How many pages are kept, and how many bytes each may have.
    static let limit = 2
    static let bytes = 512 * 1024

    /// Lets go of pages that are not good any more after a commit.
    func forget(before commit: Int) {
        entries.withLock { entries in
            entries.removeAll { entry in
                if case .ready = entry.page { entry.commit < commit } else { false }
            }
        }
    }

    /// How many wait for a page that is being read.
    var waiting: Int {
        entries.withLock { entries in
            entries.reduce(0) { sum, entry in
                if case .reading(let waiters) = entry.page { sum + waiters.count } else { sum }
            }
        }
    }

    /// Claims the reading of a page; false when another is being read, or when it is there.
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

    /// Gives the page that was claimed to those who wait for it, or keeps it; nil when it could not be read.
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

    /// The page, if it was read, or is being read, since that commit; nil when it must be read now.
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
