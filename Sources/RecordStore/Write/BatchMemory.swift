// Owns the rule of what a zone remembers of a device's last batch.

package import Records

extension WriteBatch {
    /// Whose batch it is, if that device gave it a name.
    package var client: ClientID? { name == nil ? nil : ClientID(stamp) }

    /// What is remembered of the batch after these results; nil for nothing new.
    ///
    /// A batch of which nothing was done leaves what was remembered. One that is sent again under its name
    /// is the same batch: what was done of it by either attempt is done.
    package func memory(of results: [ItemResult], after last: ClientChange?) -> ClientChange? {
        guard var memory = name else { return nil }
        var failures: Set<String> = []
        for case .failure(let id, _) in results { failures.insert(id.name) }
        guard failures.count < results.count else { return nil }
        memory.exceptions.formUnion(failures)
        if let last, last.token == memory.token { memory.exceptions.formIntersection(last.exceptions) }
        return memory
    }
}
