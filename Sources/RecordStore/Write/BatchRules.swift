package import Records

/// Applies batches to a transaction. All judgement about saving and deleting is here, none in the stores.
package struct BatchRules: Sendable {
    package var codec: any FieldCodec

    package init(codec: any FieldCodec) {
        self.codec = codec
    }

    /// What became of a batch, and whether the transaction must be undone.
    package struct Outcome {
        package var results: [ItemResult]
        package var mustUndo: Bool
    }

    /// Applies every operation, targets of references before their sources.
    ///
    /// Throws only when the store itself fails; what is wrong with an operation is its result.
    package func apply<T: ZoneTransaction>(_ batch: WriteBatch, to transaction: inout T) throws -> Outcome {
        var results = [ItemResult?](repeating: nil, count: batch.operations.count)
        var failed = false
        var progress = BatchProgress(batch)
        for index in try order(of: batch, in: transaction) {
            let operation = batch.operations[index]
            let id = RecordID(name: operation.recordName ?? "", zone: ZoneID(name: batch.zone))
            do {
                results[index] = try apply(operation, id: id, of: batch, &progress, to: &transaction)
            } catch let error as RecordError where error.code != .internalError {
                results[index] = .failure(id, error)
                failed = true
            }
        }
        let complete = results.compactMap { $0 }
        if failed, batch.isAtomic { return Outcome(results: complete.map(Self.asBystander), mustUndo: true) }
        try touchParents(complete, of: batch, in: &transaction)
        return Outcome(results: complete, mustUndo: false)
    }

    private func order<T: ZoneTransaction>(of batch: WriteBatch, in transaction: T) throws -> [Int] {
        try BatchOrder.sorted(batch.operations) { name in
            guard try transaction.hasSources(of: name) else { return [] }
            return try BindingKind.holding.flatMap { kind in
                try transaction.sources(of: name, kind: kind, limit: batch.operations.count)
            }
        }
    }

    /// In an atomic batch with a culprit, whoever succeeded did so in vain.
    private static func asBystander(_ result: ItemResult) -> ItemResult {
        let error = RecordError(
            .atomicFailure,
            "Atomic failure",
            nextStep: "mend the records of this request that carry an error of their own, then send all again"
        )
        switch result {
        case .record(let record): return .failure(record.id, error)
        case .deleted(let id): return .failure(id, error)
        case .failure: return result
        }
    }

    private func apply<T: ZoneTransaction>(
        _ operation: RecordOperation, id: RecordID, of batch: WriteBatch,
        _ progress: inout BatchProgress, to transaction: inout T
    ) throws -> ItemResult {
        let existing = try transaction.record(named: id.name)
        if let refusal = batch.authorize(operation, existing?.stored) { throw refusal }
        // A conflict carries the server's record as long as the answer has room for it.
        let size = existing?.stored.fields.answerBytes ?? 0
        let hasRoom = progress.answerBytes + size <= batch.limits.requestBytes
        do throws(RecordError) {
            try Precondition(operation: operation, id: id).check(existing?.stored, hasRoom ? codec : nil)
        } catch {
            if error.serverRecord != nil { progress.answerBytes += size }
            throw error
        }
        let old = try existing.map { try written($0) }
        if operation.kind.isDelete {
            if let old { try delete(old, &progress.cascade, in: &transaction) }
            return .deleted(id)
        }
        var new = try merge(operation, id: id, into: old, of: batch)
        progress.answerBytes += new.stored.fields.answerBytes
        if progress.answerBytes > batch.limits.requestBytes { throw Self.longAnswer(id, batch.limits) }
        try bind(&new, replacing: old, of: batch, &progress, in: &transaction)
        let growth = new.usage - (old?.usage ?? StoreUsage())
        if let quota = batch.quota, !quota.admits(growth, after: transaction.usage) {
            throw RecordError.quotaExceeded(id.name)
        }
        new.number(transaction.nextSequence(), isNew: old == nil)
        if let old { try transaction.update(old, to: new) } else { try transaction.insert(new) }
        transaction.count(growth)
        return .record(new.stored)
    }

    /// The error for a record with which the answer to a batch would be longer than any request.
    private static func longAnswer(_ id: RecordID, _ limits: Limits) -> RecordError {
        RecordError(
            .limitExceeded,
            "the records in the answer to one save have more than \(limits.requestBytes) bytes together",
            culprit: id.name, nextStep: "save fewer records in one request"
        )
    }

    /// A stored record with its fields decoded.
    func written(_ found: (stored: StoredRecord, ordinal: Int64)) throws -> WrittenRecord {
        WrittenRecord(
            stored: found.stored, fields: try codec.decode(found.stored.fields), ordinal: found.ordinal
        )
    }

    /// Saving a child gives its parent a new version, unless the batch has something of its own to say about
    /// the parent (observed behaviours: "saving a child touches its parent's change tag"), or the parent is
    /// not the saver's to change.
    private func touchParents<T: ZoneTransaction>(
        _ results: [ItemResult], of batch: WriteBatch, in transaction: inout T
    ) throws {
        var settled: Set<String>?
        for case .record(let child) in results {
            guard let parent = child.parent else { continue }
            var names = settled ?? Set(batch.operations.compactMap(\.recordName))
            let isNew = names.insert(parent).inserted
            settled = names
            guard isNew, let (head, ordinal) = try transaction.head(named: parent) else { continue }
            let touch = RecordOperation(.forceUpdate, recordName: parent)
            if batch.authorize(touch, head) != nil { continue }
            let sequence = transaction.nextSequence()
            try transaction.touch(head, ordinal, modified: batch.stamp, sequence: sequence)
        }
    }
}

extension WrittenRecord {
    /// Takes a number of the sequence; for a new record, it is also its place in the order of creation.
    fileprivate mutating func number(_ sequence: Int64, isNew: Bool) {
        stored.sequence = sequence
        if isNew { ordinal = sequence }
    }
}
