/// Which content is pinned by adoptions, and which is being collected. A reader pins content, too, if the
/// storage cannot keep an open file that is deleted.
///
/// Prevents one race: a collection asks whether a record owns the content, receives "no", and deletes the
/// file although an adoption of the same content was committed meanwhile. Three rules exclude it:
/// - An adoption pins its content. Pinned content is never deleted; it is examined again later.
/// - A pin or a second collection request between question and answer makes the answer stale, and the
///   collection asks again.
/// - From the decision to delete until the file is deleted, adoptions of the content wait.
///
/// It is a value without I/O, which the store keeps behind a lock. `Waiter` is the continuation of a waiting
/// adoption.
struct ContentClaims<Waiter> {
    /// The state of a collection.
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

    /// Unpinned content that a collection should examine.
    var dueNow: Set<AssetChecksum> {
        due.filter { pins[$0] == nil }
    }

    /// Whether nothing is pinned, being collected or due.
    var isQuiet: Bool {
        pins.isEmpty && collections.isEmpty && due.isEmpty
    }

    /// Whether a collection of the content is due or in progress.
    func isUndecided(_ content: AssetChecksum) -> Bool {
        due.contains(content) || collections[content] != nil
    }

    func isPinned(_ content: AssetChecksum) -> Bool {
        pins[content] != nil
    }

    mutating func pin(_ content: AssetChecksum) {
        pins[content, default: 0] += 1
        makeStale(content)
    }

    /// Call it after `pin`. Returns true if the content is not being deleted; otherwise it stores `waiter`,
    /// and `endDeleting` returns it.
    mutating func wait(for content: AssetChecksum, _ waiter: Waiter) -> Bool {
        guard case .deleting(let waiters) = collections[content] else { return true }
        collections[content] = .deleting(waiters + [waiter])
        return false
    }

    mutating func unpin(_ content: AssetChecksum) {
        let remaining = pins[content, default: 0] - 1
        pins[content] = remaining > 0 ? remaining : nil
    }

    /// Requests an examination of content that may have lost its last owner.
    mutating func requestCollection(_ content: AssetChecksum) {
        due.insert(content)
    }

    /// Starts a collection. Returns true if the caller must now ask whether a record owns the content, and
    /// false if the content is pinned, not due, or already being collected.
    mutating func begin(_ content: AssetChecksum) -> Bool {
        guard pins[content] == nil, due.remove(content) != nil else { return false }
        if collections[content] != nil {
            makeStale(content)
            return false
        }
        collections[content] = .asking(isStale: false)
        return true
    }

    /// Decides how a collection continues.
    ///
    /// - Parameter isUsed: Whether a record owns the content: the answer to the question that `begin` or
    ///   `askAgain` demanded.
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

    /// Ends a deletion, and returns the waiting adoptions, which may continue.
    mutating func endDeleting(_ content: AssetChecksum) -> [Waiter] {
        guard case .deleting(let waiters) = collections.removeValue(forKey: content) else { return [] }
        return waiters
    }

    /// Ends a collection without a decision. The content becomes due again.
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
