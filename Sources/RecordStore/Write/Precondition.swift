package import Records

/// Checks an operation against the current version of its record.
package struct Precondition: Sendable {
    package var operation: RecordOperation
    package var id: RecordID

    package init(operation: RecordOperation, id: RecordID) {
        self.operation = operation
        self.id = id
    }

    /// Throws the error of an operation that must not be applied; `existing` is nil for a missing record. A
    /// conflict carries the record if there is a codec to decode it.
    package func check(_ existing: StoredRecord?, _ codec: (any FieldCodec)?) throws(RecordError) {
        guard let existing else {
            if mayBeMissing { return }
            throw RecordError(
                .notFound, "Record not found", culprit: id.name,
                nextStep: "it was deleted or never saved: create it, or delete your copy"
            )
        }
        if operation.kind == .create {
            // Like the real service: with this code, and without the server's record.
            throw RecordError(
                .conflict, "record to insert already exists", culprit: id.name,
                nextStep: "fetch the record and update it, or choose another record name"
            )
        }
        if let type = operation.recordType, type != existing.type, !operation.kind.isDelete {
            throw RecordError(
                .badRequest, "a record cannot change its type from \(existing.type) to \(type)",
                culprit: id.name,
                nextStep: "save it under another record name, or delete this one first"
            )
        }
        if operation.kind.comparesTag { try checkTag(existing, codec) }
    }

    /// Whether the operation may be applied to a missing record. A forced save with a change tag may not: its
    /// client has seen the record, and the save could bring back no more than the changed fields of a record
    /// that was deleted since.
    private var mayBeMissing: Bool {
        switch operation.kind {
        case .create, .forceDelete: true
        case .forceUpdate, .forceReplace: operation.changeTag == nil
        case .update, .replace, .delete: false
        }
    }

    private func checkTag(_ existing: StoredRecord, _ codec: (any FieldCodec)?) throws(RecordError) {
        guard let tag = operation.changeTag else {
            if operation.kind == .delete { return }
            throw RecordError(
                .badRequest, "recordChangeTag is required for \(operation.kind.rawValue)", culprit: id.name,
                nextStep: "send the change tag of the version you read, or use a force operation"
            )
        }
        if tag == existing.changeTag { return }
        var error = RecordError(
            .conflict, "client oplock error updating record", culprit: id.name,
            nextStep: "apply your changes to the server's record and save that"
        )
        error.serverRecord = codec.flatMap { try? existing.decoded(by: $0) }
        throw error
    }
}
