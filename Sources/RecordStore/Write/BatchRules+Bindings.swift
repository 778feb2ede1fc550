// Owns how references bind the life of records: what a save needs, and what a deletion takes along.

import Records

extension BatchRules {
    /// Targets of validating and parent references must exist; a target takes a bounded number of delete-self
    /// sources. Dangling plain and delete-self references are legal (talk 1, "References").
    func checkBindings<T: ZoneTransaction>(
        of new: WrittenRecord, replacing old: WrittenRecord?, limits: Limits, in transaction: T
    ) throws {
        let bindings = new.bindings
        if bindings.isEmpty { return }
        let before = Set(old?.bindings ?? [])
        for binding in bindings where !before.contains(binding) {
            switch binding.kind {
            case .validate, .parent:
                if binding.target == new.stored.id.name { continue }
                if try transaction.exists(named: binding.target) { continue }
                throw RecordError(
                    .validatingReference, "the target of a reference does not exist", culprit: binding.target,
                    nextStep: "save the target first, or in the same request"
                )
            case .deleteSelf:
                let most = limits.deleteSelfSources
                if try !transaction.hasSources(of: binding.target, kind: .deleteSelf, count: most) {
                    continue
                }
                throw RecordError(
                    .limitExceeded, "more than \(most) records refer to one target with DELETE_SELF",
                    culprit: binding.target, nextStep: "use plain references, or spread over several targets"
                )
            }
        }
    }

    /// Deletes a record and all that hang on it by delete-self, down the whole tree, each once.
    ///
    /// Refused, and nothing is deleted, if a record stays that validates, or has for its parent, one of those
    /// that would go.
    func delete<T: ZoneTransaction>(_ root: WrittenRecord, in transaction: inout T) throws {
        guard try transaction.hasSources(of: root.stored.id.name) else {
            try remove(root, sequence: transaction.nextSequence(), in: &transaction)
            return
        }
        try transaction.attempt { transaction in
            let first = transaction.nextSequence()
            try remove(root, sequence: first, in: &transaction)
            try cascade(from: first, in: &transaction)
            try checkNothingDangles(from: first, in: transaction)
        }
    }

    private func remove<T: ZoneTransaction>(
        _ record: WrittenRecord, sequence: Int64, in transaction: inout T
    ) throws {
        try transaction.delete(record, sequence: sequence)
        transaction.count(StoreUsage() - record.usage)
    }

    /// Walks along the deletions since a number and deletes the delete-self sources of each, which are
    /// thereby deletions to walk along.
    private func cascade<T: ZoneTransaction>(from first: Int64, in transaction: inout T) throws {
        var reached = first - 1
        while let (target, sequence) = try transaction.firstDeletion(after: reached) {
            reached = sequence
            var page: [String]
            repeat {
                page = try transaction.sources(of: target, kind: .deleteSelf, limit: Self.cascadePage)
                for name in page {
                    guard let found = try transaction.record(named: name) else {
                        throw RecordError(.internalError, "a reference leads from a record that is not there")
                    }
                    let sequence = transaction.nextSequence()
                    try remove(try written(found), sequence: sequence, in: &transaction)
                }
            } while page.count == Self.cascadePage
        }
    }

    private func checkNothingDangles<T: ZoneTransaction>(from first: Int64, in transaction: T) throws {
        var reached = first - 1
        while let (target, sequence) = try transaction.firstDeletion(after: reached) {
            reached = sequence
            for kind in BindingKind.holding {
                guard let source = try transaction.sources(of: target, kind: kind, limit: 1).first else {
                    continue
                }
                throw RecordError(
                    .validatingReference, "the record is still referred to and cannot be deleted",
                    culprit: source,
                    nextStep: "delete or change the records that refer to it first"
                )
            }
        }
    }

    /// How many children are looked up at once: what bounds the memory of a cascade.
    private static let cascadePage = 256
}
