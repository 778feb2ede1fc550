// Owns the rules of writing: preconditions, merging, bindings, cascades (law 1).

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
        for index in BatchOrder.targetsFirst(batch.operations) {
            let operation = batch.operations[index]
            let id = RecordID(name: operation.recordName ?? "", zone: ZoneID(name: batch.zone))
            do {
                results[index] = try apply(operation, id: id, of: batch, to: &transaction)
            } catch let error as RecordError where error.code != .internalError {
                results[index] = .failure(id, error)
                failed = true
            }
        }
        let complete = results.compactMap { $0 }
        guard failed, batch.isAtomic else { return Outcome(results: complete, mustUndo: false) }
        return Outcome(results: complete.map(Self.asBystander), mustUndo: true)
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
        _ operation: RecordOperation, id: RecordID, of batch: WriteBatch, to transaction: inout T
    ) throws -> ItemResult {
        let existing = try transaction.record(named: id.name)
        if let refusal = batch.authorize(operation, existing?.stored) { throw refusal }
        try checkPreconditions(of: operation, id: id, against: existing?.stored)
        let old = try existing.map { found in
            WrittenRecord(
                stored: found.stored, fields: try codec.decode(found.stored.fields), ordinal: found.ordinal
            )
        }
        if operation.kind.isDelete {
            if let old { try delete(old, in: &transaction) }
            return .deleted(id)
        }
        let new = try merge(operation, id: id, into: old, of: batch, sequence: transaction.nextSequence())
        try checkBindings(of: new, replacing: old, limits: batch.limits, in: transaction)
        if let old { try transaction.update(old, to: new) } else { try transaction.insert(new) }
        return .record(new.stored)
    }
}

// MARK: - Preconditions

extension BatchRules {
    private func checkPreconditions(
        of operation: RecordOperation, id: RecordID, against existing: StoredRecord?
    ) throws {
        guard let existing else {
            if operation.kind.mayCreate || operation.kind == .forceDelete { return }
            throw RecordError(
                .notFound, "Record not found", culprit: id.name,
                nextStep: "it was deleted or never saved: create it, or drop your copy"
            )
        }
        if operation.kind == .create {
            throw RecordError(
                .exists, "record to insert already exists", culprit: id.name,
                nextStep: "fetch the record and update it, or choose another record name"
            ).carrying(existing, codec)
        }
        if let type = operation.recordType, type != existing.type, !operation.kind.isDelete {
            throw RecordError(
                .badRequest, "a record cannot change its type from \(existing.type) to \(type)", culprit: id.name,
                nextStep: "save it under another record name, or delete this one first"
            )
        }
        guard operation.kind.comparesTag else { return }
        guard let tag = operation.changeTag else {
            if operation.kind == .delete { return }
            throw RecordError(
                .badRequest, "recordChangeTag is required for \(operation.kind.rawValue)", culprit: id.name,
                nextStep: "send the change tag of the version you read, or use a force operation"
            )
        }
        if tag != existing.changeTag {
            throw RecordError(
                .conflict, "client oplock error updating record", culprit: id.name,
                nextStep: "apply your changes to the server's record and save that"
            ).carrying(existing, codec)
        }
    }
}

extension RecordError {
    /// The same error with the server's record, which the caller needs to merge.
    fileprivate func carrying(_ record: StoredRecord, _ codec: any FieldCodec) -> RecordError {
        var error = self
        error.serverRecord = try? record.decoded(by: codec)
        return error
    }
}

// MARK: - Merging

extension BatchRules {
    private func merge(
        _ operation: RecordOperation, id: RecordID, into old: WrittenRecord?, of batch: WriteBatch, sequence: Int64
    ) throws -> WrittenRecord {
        guard let type = old?.stored.type ?? operation.recordType else {
            throw RecordError(
                .badRequest, "recordType is required to create a record", culprit: id.name,
                nextStep: "name the record type in the operation"
            )
        }
        var fields = operation.kind.isReplace ? Fields() : old?.fields ?? Fields()
        for (name, field) in operation.fields {
            fields[name] = Field(
                try ReferenceRules.localized(field.value, in: id.zone, field: name), isEncrypted: field.isEncrypted
            )
        }
        for name in operation.removedFields { fields[name] = nil }
        let bytes = codec.encode(fields)
        if bytes.bytes.count > batch.limits.recordBytes {
            throw RecordError(
                .limitExceeded,
                "record is \(bytes.bytes.count) bytes, more than the maximum of \(batch.limits.recordBytes)",
                culprit: id.name, nextStep: "move large values into assets"
            )
        }
        let stored = StoredRecord(
            id: id, type: type, fields: bytes, created: old?.stored.created ?? batch.stamp, modified: batch.stamp,
            sequence: sequence, parent: parent(after: operation, old: old)
        )
        return WrittenRecord(stored: stored, fields: fields, ordinal: old?.ordinal ?? sequence)
    }

    private func parent(after operation: RecordOperation, old: WrittenRecord?) -> String? {
        switch operation.parent {
        case .keep: operation.kind.isReplace ? nil : old?.stored.parent
        case .set(let name): name
        case .remove: nil
        }
    }
}

// MARK: - Bindings and cascades

extension BatchRules {
    /// Targets of validating and parent references must exist; a target takes a bounded number of delete-self
    /// sources. Dangling plain and delete-self references are legal (talk 1, "References").
    private func checkBindings<T: ZoneTransaction>(
        of new: WrittenRecord, replacing old: WrittenRecord?, limits: Limits, in transaction: T
    ) throws {
        let before = old?.bindings ?? []
        for binding in new.bindings where !before.contains(binding) {
            let isSelf = binding.target == new.stored.id.name
            switch binding.kind {
            case .validate, .parent:
                if isSelf { continue }
                if try transaction.record(named: binding.target) != nil { continue }
                throw RecordError(
                    .validatingReference, "the target of a reference does not exist", culprit: binding.target,
                    nextStep: "save the target first, or in the same request"
                )
            case .deleteSelf:
                let most = limits.deleteSelfSources
                let sources = try transaction.sources(of: binding.target, kind: .deleteSelf, limit: most)
                if sources.count < most { continue }
                throw RecordError(
                    .limitExceeded, "more than \(most) records refer to one target with DELETE_SELF",
                    culprit: binding.target, nextStep: "use plain references, or spread over several targets"
                )
            }
        }
    }

    /// Deletes a record and all that hang on it by delete-self, down the whole tree, each once.
    private func delete<T: ZoneTransaction>(_ root: WrittenRecord, in transaction: inout T) throws {
        for kind in [BindingKind.validate, .parent] {
            let sources = try transaction.sources(of: root.stored.id.name, kind: kind, limit: 2)
            guard let source = sources.first(where: { $0 != root.stored.id.name }) else { continue }
            throw RecordError(
                .validatingReference, "the record is still referred to and cannot be deleted", culprit: source,
                nextStep: "delete or change the records that refer to it first"
            )
        }
        try transaction.delete(root, sequence: transaction.nextSequence())
        var targets = [root.stored.id.name]
        while let target = targets.popLast() {
            let page = try transaction.sources(of: target, kind: .deleteSelf, limit: Self.cascadePage)
            if page.count == Self.cascadePage { targets.append(target) }
            for name in page {
                guard let (stored, ordinal) = try transaction.record(named: name) else { continue }
                let fields = try codec.decode(stored.fields)
                let child = WrittenRecord(stored: stored, fields: fields, ordinal: ordinal)
                try transaction.delete(child, sequence: transaction.nextSequence())
                targets.append(name)
            }
        }
    }

    /// How many children are looked up at once: what bounds the memory of a cascade.
    private static let cascadePage = 256
}
