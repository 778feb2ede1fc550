// Owns the memory of which containers there are, so that a request costs no look-up in the directory.

/// Containers that were seen in the directory and have not been deleted since.
struct KnownContainers: Sendable {
    private var names: Set<String> = []
    /// Counts deletions: what was seen before one may be gone.
    private(set) var deletions = 0

    func contains(_ name: String) -> Bool { names.contains(name) }

    /// Remembers a container that was seen when so many had been deleted.
    mutating func saw(_ name: String, after deletions: Int) {
        if deletions == self.deletions { names.insert(name) }
    }

    mutating func deleted(_ name: String) {
        deletions += 1
        names.remove(name)
    }
}
