package import Records

/// Applies batches to a transaction. All rules for saving and deleting are here; stores contain none of them.
package struct BatchRules: Sendable {
    package var codec: any FieldCodec

    package init(codec: any FieldCodec) {
        self.codec = codec
    }

    /// The results of a batch, and whether the transaction must be rolled back.
    package struct Outcome {
        package var results: [ItemResult]
        package var mustUndo: Bool
    }

    /// Applies every operation, the targets of references before the records that refer to them.
    ///
    /// Throws only if the store itself fails, if the batch is too expensive as a whole, or if there is no
    /// memory for the results. An error of an operation becomes its result.
    package func apply<T: ZoneTransaction>(_ batch: WriteBatch, to transaction: inout T) throws -> Outcome {
        var results = [ItemResult?](repeating: nil, count: batch.operations.count)
        var failed = false
        batch.followed?.beginRun()
        var progress = BatchProgress(batch)
        for index in try order(of: batch, in: transaction) {
            let operation = batch.operations[index]
            let id = RecordID(name: operation.recordName ?? "", zone: ZoneID(name: batch.zone))
            do {
                results[index] = try apply(operation, id: id, of: batch, &progress, to: &transaction)
            } catch let error as RecordError where error.code != .internalError && !progress.mustStop {
                results[index] = .failure(id, error)
                failed = true
            }
        }
        var complete = results.compactMap { $0 }
        if failed, batch.isAtomic {
            try batch.reserve?(progress.conflictBytes)
            return Outcome(results: complete.map(Self.asAtomicFailure), mustUndo: true)
        }
        try batch.reserve?(progress.answerBytes + progress.conflictBytes)
        try refresh(&complete, progress, in: transaction)
        try touchParents(complete, of: batch, in: &transaction)
        return Outcome(results: complete, mustUndo: batch.isTrial)
    }

    /// Gives the results of records whose metadata changed after they were saved their latest version.
    private func refresh<T: ZoneTransaction>(
        _ results: inout [ItemResult], _ progress: BatchProgress, in transaction: T
    ) throws {
        if progress.rewritten.isEmpty { return }
        for index in results.indices {
            guard case .record(let record) = results[index], progress.rewritten.contains(record.id.name),
                let found = try transaction.record(named: record.id.name)
            else { continue }
            results[index] = .record(found.stored)
        }
    }

    private func order<T: ZoneTransaction>(of batch: WriteBatch, in transaction: T) throws -> [Int] {
        try BatchOrder.sorted(batch.operations) { name in
            let head = try transaction.shares == .none ? nil : transaction.head(named: name)?.stored
            // A share goes after its root, which may end it.
            let first = [head?.sharing?.terms?.root].compactMap { $0 }
            guard try transaction.hasSources(of: name) else { return first }
            return try first
                + BindingKind.holding.flatMap { kind in
                    try transaction.sources(of: name, kind: kind, limit: batch.operations.count)
                }
        }
    }

    /// Turns the success of an operation into `atomicFailure`, for an atomic batch in which another one
    /// failed.
    private static func asAtomicFailure(_ result: ItemResult) -> ItemResult {
        let error = RecordError(
            .atomicFailure,
            "Atomic failure",
            nextStep:
                "correct the records of this request that carry an error of their own, then send all again"
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
        if operation.kind.isDelete, progress.endedShares.contains(id.name) { return .deleted(id) }
        let sharing = SharingRules(batch)
        // Before the other checks, which look at the fields of a record that the participant may not see.
        if let person = batch.participant {
            try sharing.check(operation, on: existing?.stored, by: person, in: transaction)
        }
        if let refusal = batch.authorize(operation, existing?.stored) { throw refusal }
        // The conflicts of one batch carry at most a page of records, because a small request can cause many.
        let conflictBytes =
            progress.conflictBytes + (existing?.stored.fields.answerBytes(batch.addresses) ?? 0)
        let hasRoom = conflictBytes <= batch.limits.answerBytes
        do throws(RecordError) {
            try Precondition(operation: operation, id: id).check(existing?.stored, hasRoom ? codec : nil)
        } catch {
            if error.serverRecord != nil { progress.conflictBytes = conflictBytes }
            throw error
        }
        let old = try existing.map { try written($0) }
        if operation.kind.isDelete {
            if let old, let person = batch.participant, let terms = old.stored.sharing?.terms {
                try sharing.leave(old, terms, person, in: &transaction)
            } else if let old {
                try progress.cascade.budget.spend(
                    IndexCost(removing: old.fields), on: id.name, next: Self.splitBatch)
                try spendTexts(from: old, to: nil, of: batch, &progress)
                try delete(old, &progress.cascade, in: &transaction)
                try settleDeletions(of: batch, &progress, in: &transaction)
            }
            return .deleted(id)
        }
        var new = try merge(operation, id: id, into: old, of: batch)
        try sharing.share(&new, operation, old, &progress, in: transaction)
        if let old, operation.share?.isAnswer == true, new.stored.sharing == old.stored.sharing {
            return .record(old.stored)
        }
        let cover = try sharing.coverChange(from: old, to: new, &progress, in: transaction)
        if let old {
            let cost = IndexCost(removing: old.fields, keeping: new.fields)
            try progress.cascade.budget.spend(cost, on: id.name, next: Self.splitBatch)
        }
        let answerBytes = progress.answerBytes + new.stored.fields.answerBytes(batch.addresses)
        if answerBytes > batch.limits.requestBytes { throw Self.longAnswer(id, batch.limits) }
        progress.answerBytes = answerBytes
        try spendTexts(from: old, to: new, of: batch, &progress)
        let growth = new.usage - (old?.usage ?? StoreUsage())
        if let quota = batch.quota, try !admits(growth, of: new.stored, quota, in: transaction) {
            throw RecordError.quotaExceeded(id.name)
        }
        try bind(&new, replacing: old, of: batch, &progress, in: &transaction)
        new.number(transaction.nextSequence(), isNew: old == nil)
        if let old { try transaction.update(old, to: new) } else { try transaction.insert(new) }
        transaction.count(growth, by: new.stored.created.by)
        progress.saved.insert(id.name)
        try sharing.settle(new, replacing: old, cover, &progress, in: &transaction)
        return .record(new.stored)
    }

    /// Whether the database and the creator of the record have room for the growth of a record.
    private func admits<T: ZoneTransaction>(
        _ growth: StoreUsage, of record: StoredRecord, _ quota: StoreQuota, in transaction: T
    ) throws -> Bool {
        if !quota.admits(growth, after: transaction.usage) { return false }
        if !quota.limitsPeople { return true }
        return quota.admits(growth, afterPerson: try transaction.usage(of: record.created.by))
    }

    static let splitBatch = "split the batch in half and send both"

    /// Counts the searchable texts of a record before and after a change, because removing words from an
    /// index takes as long as adding them. If there are too many, the whole batch is refused: clients then
    /// send it in halves.
    private func spendTexts(
        from old: WrittenRecord?, to new: WrittenRecord?, of batch: WriteBatch,
        _ progress: inout BatchProgress
    ) throws(RecordError) {
        guard let record = (new ?? old)?.stored, let type = batch.schema.types[record.type] else { return }
        let bytes = type.changedTextBytes(from: old?.fields, to: new?.fields)
        do throws(RecordError) {
            try progress.cascade.budget.spendTexts(bytes, on: record.id.name, next: Self.splitBatch)
        } catch {
            progress.isTooLarge = true
            throw error
        }
    }

    /// The error for a record that would make the results of a batch larger than a request may be.
    private static func longAnswer(_ id: RecordID, _ limits: Limits) -> RecordError {
        RecordError(
            .limitExceeded,
            "the records in the answer to one save have more than \(limits.requestBytes) bytes together",
            culprit: id.name, nextStep: "save fewer records in one request"
        )
    }

    /// Decodes the fields of a stored record.
    func written(_ found: (stored: StoredRecord, ordinal: Int64)) throws -> WrittenRecord {
        WrittenRecord(
            stored: found.stored, fields: try codec.decode(found.stored.fields), ordinal: found.ordinal
        )
    }

    /// Gives the parents of saved records a new version, except parents that the batch itself changes and
    /// parents that the saver may not change. The real service does the same.
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
            // The parent of a root is not shared.
            if let person = batch.participant,
                try !SharingRules(batch).mayWrite(parent, person, in: transaction)
            {
                continue
            }
            let sequence = transaction.nextSequence()
            try transaction.touch(head, ordinal, modified: batch.stamp, sequence: sequence)
            if transaction.shares == .records { try transaction.renew(parent, sequence: sequence) }
        }
    }
}

extension TypeSchema {
    /// The bytes of a record's searchable texts before and after a change, if at least one of the texts
    /// differs: a store may then have to write the words of all texts. nil for fields if there is no record.
    func changedTextBytes(from old: Fields?, to new: Fields?) -> Int {
        var bytes = 0
        var hasChanged = false
        for (name, field) in old ?? Fields() {
            guard let text = searchableText(name, field) else { continue }
            bytes += text.utf8.count
            if new?[name] == nil { hasChanged = true }
        }
        for (name, field) in new ?? Fields() {
            guard let text = searchableText(name, field) else { continue }
            bytes += text.utf8.count
            if !hasChanged { hasChanged = !Optional(field).isIdentical(to: old?[name]) }
        }
        return hasChanged ? bytes : 0
    }
}

extension WrittenRecord {
    /// Sets the sequence number; for a new record, it is also the ordinal.
    fileprivate mutating func number(_ sequence: Int64, isNew: Bool) {
        stored.sequence = sequence
        if isNew { ordinal = sequence }
    }
}
