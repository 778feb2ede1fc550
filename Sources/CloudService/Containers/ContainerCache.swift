import Records

/// The containers that exist, so that a request needs no look-up in the directory, and those that are being
/// deleted.
struct ContainerCache: Sendable {
    private var names: Set<String> = []
    /// Data of these is still in memory or on disk. No new container takes the name until it is gone.
    private var deleting: Set<String> = []
    /// Counts deletions: a container that was read before the last one may not exist any more.
    private(set) var deletions = 0

    /// Whether a container is known to be there. Throws `tryAgainLater` for one that is being deleted.
    func contains(_ name: String) throws(RecordError) -> Bool {
        if names.contains(name) { return true }
        try checkStays(name)
        return false
    }

    /// Throws `tryAgainLater` for a container that is being deleted.
    func checkStays(_ name: String) throws(RecordError) {
        if !deleting.contains(name) { return }
        throw RecordError(
            .tryAgainLater, "the container is being deleted", culprit: name,
            nextStep: "try again in a moment, if you expect it to be there", retryAfter: 1
        )
    }

    /// Remembers a container that was seen when so many had been deleted.
    mutating func saw(_ name: String, after deletions: Int) {
        if deletions == self.deletions, !deleting.contains(name) { names.insert(name) }
    }

    /// Keeps a container from being used until `endDeletion`. Throws `tryAgainLater` when it is so already.
    mutating func beginDeletion(of name: String) throws(RecordError) {
        try checkStays(name)
        deletions += 1
        names.remove(name)
        deleting.insert(name)
    }

    mutating func endDeletion(of name: String) {
        deletions += 1
        deleting.remove(name)
    }
}
