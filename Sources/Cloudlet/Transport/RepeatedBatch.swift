import Foundation
internal import Records
internal import RecordsWire

/// A batch that was sent again after its response was lost. It recognises conflicts that the first execution
/// of the same batch caused.
struct RepeatedBatch: Sendable {
    let client: CloudClient
    let operations: [RecordOperation]
    let zone: ZoneID

    /// Returns the answers to the batch, with conflicts caused by its own first execution replaced by
    /// successes.
    ///
    /// An operation succeeded the first time if the record has all of its values, a new version, and this
    /// device as its last writer. In an atomic batch that failed as a whole, the answers are replaced only if
    /// every operation succeeded.
    func recognised(_ answers: [RecordAnswer]) async throws -> [RecordAnswer] {
        guard answers.count == operations.count, answers.contains(where: \.isConflict) else { return answers }
        let failed = operations.indices.filter { answers[$0].isFailure }
        let found = try await present(failed.map { operations[$0] })
        var settled = answers
        for (place, answer) in zip(failed, found) {
            settled[place] = outcome(of: operations[place], answer) ?? answers[place]
        }
        let isWhole = !settled.contains(where: \.isFailure)
        return isWhole || !answers.contains(where: \.isOfAtomicBatch) ? settled : answers
    }

    /// Looks up the current records of operations.
    private func present(_ operations: [RecordOperation]) async throws -> [RecordAnswer] {
        let items = operations.map { RecordsLookupRequest.Item(recordName: $0.recordName ?? "") }
        let request = RecordsLookupRequest(items, zone: zone, desiredKeys: nil)
        return try await client.answers(
            .recordsLookup, request, count: items.count, "records", changes: false
        ) {
            try RecordsAnswer(bytes: $0, zone: zone).records
        }
    }

    /// The successful answer to an operation if the current record is as the operation left it; otherwise
    /// nil.
    private func outcome(of operation: RecordOperation, _ answer: RecordAnswer) -> RecordAnswer? {
        switch answer {
        case .record(let record):
            let isOurs = record.modified?.device == client.connection.deviceName
            return !operation.kind.isDelete && isOurs && operation.isDone(in: record) ? answer : nil
        case .deleted(let id, _, _): return operation.kind.isDelete ? .deleted(id, nil) : nil
        case .failure(let id, let error):
            guard operation.kind.isDelete, error.code == .notFound, let id else { return nil }
            return .deleted(id, nil)
        }
    }
}

extension ModifyRequest {
    /// Whether a second execution changes nothing: each operation then conflicts, or in an atomic batch at
    /// least one does, which makes the others fail. Forced operations do not conflict: they could overwrite
    /// what another device saved in between.
    ///
    /// In the default zone a batch is never atomic, whatever the request says: the server executes each
    /// operation separately.
    var isConditional: Bool {
        let isWhole = isAtomic && zone.map { $0.name != ZoneID.defaultName } ?? false
        return isWhole ? operations.contains(where: \.isConditional) : operations.allSatisfy(\.isConditional)
    }
}

extension RecordOperation {
    /// Whether the operation requires a certain version of the record, or that the record does not exist yet.
    fileprivate var isConditional: Bool {
        switch kind {
        case .create: true
        case .update, .replace, .delete: changeTag != nil
        case .forceUpdate, .forceReplace, .forceDelete: false
        }
    }

    /// Whether the record has all values that the operation sets, in another version than the operation
    /// names.
    fileprivate func isDone(in record: Record) -> Bool {
        if let recordType, recordType != record.type { return false }
        if record.changeTag == changeTag { return false }
        let hasFields = fields.allSatisfy { name, field in
            record.fields[name].map { field.value.isSame(as: $0.value) } ?? false
        }
        guard hasFields, removedFields.allSatisfy({ record.fields[$0] == nil }) else { return false }
        if case .save(let draft)? = share {
            guard let terms = record.sharing?.terms, draft.isDone(in: terms) else { return false }
        }
        switch parent {
        case .set(let name): return record.parent == name
        case .remove: return record.parent == nil
        default: return true
        }
    }
}

extension ShareDraft {
    /// Whether a share has the root, the permission, the people and the answers to requests that the draft
    /// sets.
    fileprivate func isDone(in terms: Share) -> Bool {
        if let root, root != terms.root { return false }
        if let publicPermission, publicPermission != terms.publicPermission { return false }
        if let allowsRequests, allowsRequests != terms.allowsRequests { return false }
        if let requesters, Set(requesters) != Set(terms.requesters.map(\.person)) { return false }
        if let blocked, Set(blocked) != Set(terms.blocked.map(\.person)) { return false }
        guard let participants else { return true }
        // The draft may leave out the owner.
        let others = terms.participants.filter { $0.role != .owner }
        let wanted = participants.filter { $0.role != .owner }
        return others.count == wanted.count
            && wanted.allSatisfy { one in
                others.contains { $0.isSamePerson(as: one) && $0.permission == one.permission }
            }
    }
}

extension FieldValue {
    /// Whether the values are equal. Assets are equal if checksum and size are.
    fileprivate func isSame(as other: FieldValue) -> Bool {
        switch (self, other) {
        case (.asset(let a), .asset(let b)): a.fileChecksum == b.fileChecksum && a.size == b.size
        case (.list(let type, let a), .list(let other, let b)):
            type == other && a.count == b.count && zip(a, b).allSatisfy { $0.isSame(as: $1) }
        default: self == other
        }
    }
}

extension RecordAnswer {
    /// Whether the receipt of an uploaded file may have expired. Servers other than Cloudlet report this like
    /// other bad requests.
    var isUploadExpired: Bool {
        guard case .failure(_, let error) = self else { return false }
        return error.code == .uploadExpired || error.code == .badRequest && !error.isExact
    }

    fileprivate var isConflict: Bool { hasError([.conflict, .exists]) }

    fileprivate var isOfAtomicBatch: Bool { hasError([.atomicFailure]) }

    fileprivate var isFailure: Bool {
        if case .failure = self { true } else { false }
    }

    private func hasError(_ codes: Set<RecordError.Code>) -> Bool {
        if case .failure(_, let error) = self { codes.contains(error.code) } else { false }
    }
}
