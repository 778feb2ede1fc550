import Records

/// Caches the names of existing containers, so that a request needs no look-up in the directory, and tracks
/// the containers that are being deleted.
struct ContainerCache: Sendable {
    private var names: Set<String> = []
    /// Containers whose data is still in memory or on disk. Their names cannot be used until the data is
    /// gone.
    private var deleting: Set<String> = []
    /// Number of deletions that began or ended, here or at another node. A container that was read before the
    /// last of them may no longer exist.
    private(set) var deletions = 0

    /// Whether the container is known to exist; false if the directory must be asked. Throws `tryAgainLater`
    /// for a container that is being deleted.
    func contains(_ name: String) throws(RecordError) -> Bool {
        if names.contains(name) { return true }
        try checkNotBeingDeleted(name)
        return false
    }

    /// Throws `tryAgainLater` for a container that is being deleted.
    func checkNotBeingDeleted(_ name: String) throws(RecordError) {
        if !deleting.contains(name) { return }
        throw RecordError(
            .tryAgainLater, "the container is being deleted", culprit: name,
            nextStep: "if it should exist again, try again in a second", retryAfter: 1
        )
    }

    /// Caches a container that was read when the deletion count was `deletions`. Ignored if the count has
    /// changed.
    mutating func insert(_ name: String, readAfter deletions: Int) {
        if deletions == self.deletions, !deleting.contains(name) { names.insert(name) }
    }

    /// Refuses use of a container until `endDeletion`. Throws `tryAgainLater` if it is already being deleted.
    mutating func beginDeletion(of name: String) throws(RecordError) {
        try checkNotBeingDeleted(name)
        deletions += 1
        names.remove(name)
        deleting.insert(name)
    }

    /// Drops a container, which another node of the server may have removed; nil: all.
    mutating func forget(_ name: String?) {
        deletions += 1
        if let name { names.remove(name) } else { names = [] }
    }

    mutating func endDeletion(of name: String) {
        deletions += 1
        deleting.remove(name)
    }
}
