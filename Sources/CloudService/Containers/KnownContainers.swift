// Owns the memory of which containers there are, so that a request costs no look-up in the directory, and of
// those that are being deleted.

import Records

/// Containers that were seen in the directory and have not been deleted since.
struct KnownContainers: Sendable {
    private var names: Set<String> = []
    /// Those of which something is still there, in memory or on disk, that must not reach a successor.
    private var deleting: Set<String> = []
    /// Counts deletions: what was seen before one may be gone.
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
