import Foundation
internal import Records
internal import RecordsWire

/// A batch that was sent again after its answer was lost.
struct RepeatedBatch: Sendable {
    let client: CloudClient
    let operations: [RecordOperation]
    let zone: ZoneID

    /// The answers to the batch, with conflicts between it and itself resolved.
    ///
    /// What was saved is known by its values and by the device that wrote it: a record that has all of them
    /// was saved, and not changed since. Where an atomic batch says that nothing was done, either all of it
    /// is so, or nothing is.
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

    /// The records of operations as they are now.
    private func present(_ operations: [RecordOperation]) async throws -> [RecordAnswer] {
        let items = operations.map { RecordsLookupRequest.Item(recordName: $0.recordName ?? "") }
        let request = RecordsLookupRequest(items, zone: zone, desiredKeys: nil)
        return try await client.answers(
            .recordsLookup, request, count: items.count, "records", changes: false
        ) {
            try RecordsAnswer(bytes: $0, zone: zone).records
        }
    }

    /// What the operation came to if the record is as the operation left it.
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
    /// Whether nothing happens when it is carried out a second time: each operation meets a conflict then, or
    /// one does that holds back the others. What is forced may meet what another device did meanwhile.
    ///
    /// No operation holds back another in the default zone: the server carries out each by itself there,
    /// whatever the request asks for.
    var isConditional: Bool {
        let isWhole = isAtomic && zone.map { $0.name != ZoneID.defaultName } ?? false
        return isWhole ? operations.contains(where: \.isConditional) : operations.allSatisfy(\.isConditional)
    }
}

extension RecordOperation {
    /// Whether it is carried out on one version of the record only, which it replaces.
    fileprivate var isConditional: Bool {
        switch kind {
        case .create: true
        case .update, .replace, .delete: changeTag != nil
        case .forceUpdate, .forceReplace, .forceDelete: false
        }
    }

    /// Whether the record has everything that the operation was to give it, in another version.
    fileprivate func isDone(in record: Record) -> Bool {
        if let recordType, recordType != record.type { return false }
        if record.changeTag == changeTag { return false }
        let hasFields = fields.allSatisfy { name, field in
            record.fields[name].map { field.value.isSame(as: $0.value) } ?? false
        }
        guard hasFields, removedFields.allSatisfy({ record.fields[$0] == nil }) else { return false }
        switch parent {
        case .set(let name): return record.parent == name
        case .remove: return record.parent == nil
        default: return true
        }
    }
}

extension FieldValue {
    /// Equal values, or files of equal content.
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
    /// Whether the server did not take the proof that a file was sent.
    var refusesFile: Bool { has([.badRequest, .assetRejected]) }

    fileprivate var isConflict: Bool { has([.conflict, .exists]) }

    fileprivate var isOfAtomicBatch: Bool { has([.atomicFailure]) }

    fileprivate var isFailure: Bool {
        if case .failure = self { true } else { false }
    }

    private func has(_ codes: Set<RecordError.Code>) -> Bool {
        if case .failure(_, let error) = self { codes.contains(error.code) } else { false }
    }
}
