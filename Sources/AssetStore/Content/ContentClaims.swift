/// Who holds on to content right now, and which content is being collected.
///
/// The danger is a collection that asks "does a record own this?", hears "no", and deletes the file after an
/// adoption of the same content has been confirmed. Three rules exclude it:
/// - an adoption pins its content, and pinned content is never deleted, but noted as due for a later look;
/// - a pin, or a second wish to collect, that arrives between question and answer makes the answer stale, and
///   the question is asked again;
/// - from the decision to delete until the file is gone, an adoption waits before it makes its link.
///
/// A value without I/O (law 1); the store keeps it behind a lock. `Waiter` is what an adoption waits with.
struct ContentClaims<Waiter> {
    /// How far a collection has come.
    private enum Collection {
        case asking(isStale: Bool)
        case deleting([Waiter])
    }

    enum Decision: Hashable {
        case keep
        case askAgain
        case delete
    }

    private var pins: [AssetChecksum: Int] = [:]
    private var collections: [AssetChecksum: Collection] = [:]
    private var due: Set<AssetChecksum> = []

    /// Content that nobody holds and that should be looked at.
    var dueNow: Set<AssetChecksum> {
        due.filter { pins[$0] == nil }
    }

    /// True when nothing is held, being collected, or due.
    var isQuiet: Bool {
        pins.isEmpty && collections.isEmpty && due.isEmpty
    }

    func isPinned(_ content: AssetChecksum) -> Bool {
        pins[content] != nil
    }

    mutating func pin(_ content: AssetChecksum) {
        pins[content, default: 0] += 1
        makeStale(content)
    }

    /// To be called by who has pinned: false when the file is being deleted and `waiter` was taken for later.
    mutating func wait(for content: AssetChecksum, _ waiter: Waiter) -> Bool {
        guard case .deleting(let waiters) = collections[content] else { return true }
        collections[content] = .deleting(waiters + [waiter])
        return false
    }

    mutating func unpin(_ content: AssetChecksum) {
        let remaining = pins[content, default: 0] - 1
        pins[content] = remaining > 0 ? remaining : nil
    }

    /// Asks for a look at content that may have lost its last owner.
    mutating func wish(_ content: AssetChecksum) {
        due.insert(content)
    }

    /// True when the caller is to ask about ownership now; otherwise there is nothing to do, or somebody is
    /// at it.
    mutating func begin(_ content: AssetChecksum) -> Bool {
        guard pins[content] == nil, due.remove(content) != nil else { return false }
        if collections[content] != nil {
            makeStale(content)
            return false
        }
        collections[content] = .asking(isStale: false)
        return true
    }

    /// What to do with the answer to the question that `begin`, or an earlier `askAgain`, let loose.
    mutating func decide(_ content: AssetChecksum, isUsed: Bool) -> Decision {
        guard case .asking(let isStale) = collections[content] else { return .keep }
        if pins[content] != nil {
            giveUp(content)
            return .keep
        }
        if isStale {
            collections[content] = .asking(isStale: false)
            return .askAgain
        }
        collections[content] = isUsed ? nil : .deleting([])
        return isUsed ? .keep : .delete
    }

    /// The file is gone; those who waited may go on.
    mutating func endDeleting(_ content: AssetChecksum) -> [Waiter] {
        guard case .deleting(let waiters) = collections.removeValue(forKey: content) else { return [] }
        return waiters
    }

    /// The question had no answer: it stays due.
    mutating func giveUp(_ content: AssetChecksum) {
        collections[content] = nil
        due.insert(content)
    }

    private mutating func makeStale(_ content: AssetChecksum) {
        if case .asking = collections[content] {
            collections[content] = .asking(isStale: true)
        }
    }
}
