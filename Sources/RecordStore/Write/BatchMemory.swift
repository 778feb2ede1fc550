package import Records

extension WriteBatch {
    /// The device that sent the batch; nil if it gave the batch no token.
    package var client: ClientID? { clientChange == nil ? nil : ClientID(stamp) }

    /// Returns the entry to remember for the batch, given its results; nil keeps the last entry.
    ///
    /// A batch of which every operation failed keeps the last entry. A batch that is sent again under the
    /// same token is the same batch: an operation that succeeded in either attempt counts as done, so only
    /// records whose operations failed in both remain exceptions.
    package func memory(of results: [ItemResult], after last: ClientChange?) -> ClientChange? {
        guard var memory = clientChange else { return nil }
        var failures: Set<String> = []
        for case .failure(let id, _) in results { failures.insert(id.name) }
        guard failures.count < results.count else { return nil }
        memory.exceptions.formUnion(failures)
        if let last, last.token == memory.token { memory.exceptions.formIntersection(last.exceptions) }
        return memory
    }
}
