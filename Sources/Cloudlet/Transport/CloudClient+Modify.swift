import Foundation
internal import Records
internal import RecordsWire

/// The records that an app saves and deletes in one operation.
struct RecordBatch: Sendable {
    var records: [CKRecord]
    var deletions: [CKRecordID]
    /// The change tags that deleted records must have. A record without an entry is deleted whatever its
    /// version.
    var deletionTags: [CKRecordID: String] = [:]
    var policy: CKModifyRecordsOperation.RecordSavePolicy
    /// Whether one failure makes all changes in its zone fail, in zones that support this.
    var isAtomic: Bool
    /// The client change token that the app gives the batch; nil without one.
    var name: ClientChange?
}

extension RecordBatch {
    /// A copy of the batch whose client change token does not cover these records, because they could not be
    /// sent.
    fileprivate func without(_ names: [String]) -> RecordBatch {
        var batch = self
        batch.name?.exceptions.formUnion(names)
        return batch
    }
}

/// The result of one item of a batch.
enum RecordOutcome: Sendable {
    case saved(CKRecord, Result<Void, any Error>)
    case deleted(CKRecordID, Result<Void, any Error>)
}

extension CloudClient {
    /// Saves and deletes records. Each zone is committed separately.
    ///
    /// - Parameters:
    ///   - progress: Called with the fraction of a record's files that is uploaded, 0…1.
    ///   - report: Called once per zone with the result of each item.
    /// - Throws: `CKError` for the batch as a whole; items of later zones are then not reported. If a zone
    ///   has more items than fit into a request, throws `.limitExceeded` before anything is sent, because
    ///   only the app knows where the batch may be split.
    func modify(
        _ batch: RecordBatch,
        progress: @escaping @Sendable (CKRecord, Double) -> Void,
        report: @Sendable ([RecordOutcome]) async -> Void
    ) async throws {
        try Self.checkDuplicates(batch)
        let deletions = batch.deletions.map { BatchItem.delete($0, tag: batch.deletionTags[$0]) }
        let items = batch.records.map { BatchItem.save($0) } + deletions
        let zones = items.grouped(by: \.id.zoneID)
        for (_, items) in zones { try CKError.check(items.count, limit: limits.operationsPerRequest) }
        for (zone, items) in zones {
            try Task.checkCancellation()
            let results = try await modifyUploadingAgain(items, in: ZoneID(zone), batch, progress)
            await report(
                zip(items, results).map { item, result in
                    switch item {
                    case .save(let record): .saved(record, result)
                    case .delete(let id, _): .deleted(id, result)
                    }
                })
        }
    }

    private static func checkDuplicates(_ batch: RecordBatch) throws {
        var seen: Set<CKRecordID> = []
        for id in batch.records.map(\.recordID) + batch.deletions where !seen.insert(id).inserted {
            throw CKError.invalidArguments(
                "You can't save the same record twice [\(id.recordName)] - put everything about a record into"
                    + " one object")
        }
    }

    /// Saves and deletes the records of one zone.
    ///
    /// The addresses and receipts of uploads expire: on a slow connection while other files of the batch are
    /// sent, and in a long-lived operation while no process runs. Records whose addresses or receipts the
    /// server refuses for that reason are sent again with new uploads, as long as their number decreases with
    /// each round. If the last round took longer than an address is valid, its records fail with
    /// `CKError.uploadTooSlow`.
    private func modifyUploadingAgain(
        _ items: [BatchItem], in zone: ZoneID, _ batch: RecordBatch,
        _ progress: @escaping @Sendable (CKRecord, Double) -> Void
    ) async throws -> [Result<Void, any Error>] {
        var began = connection.now()
        var (results, refused) = try await modify(items, in: zone, batch, progress)
        var most = items.count + 1
        while !refused.isEmpty, refused.count < most {
            try Task.checkCancellation()
            most = refused.count
            began = connection.now()
            let places = batch.isAtomic ? Array(items.indices) : refused
            let again = try await modify(places.map { items[$0] }, in: zone, batch, progress)
            for (place, result) in zip(places, again.results) { results[place] = result }
            refused = again.refusedFiles.map { places[$0] }
        }
        if connection.now().timeIntervalSince(began) >= Double(limits.uploadSeconds) {
            for place in refused { results[place] = .failure(CKError.uploadTooSlow(limits)) }
        }
        return results
    }

    /// Sends the changes of one zone once. Also returns the places of the records that may have failed
    /// because the address or the receipt of an upload had expired.
    private func modify(
        _ items: [BatchItem], in zone: ZoneID, _ batch: RecordBatch,
        _ progress: @escaping @Sendable (CKRecord, Double) -> Void
    ) async throws -> (results: [Result<Void, any Error>], refusedFiles: [Int]) {
        var refusedFiles: [Int] = []
        var failures: [Int: CKError] = [:]
        var drafts: [RecordDraft] = []
        var draftPlaces: [Int] = []
        await zoneKeys.learn(of: zone, toSave: items.compactMap(\.record))
        for (place, item) in items.enumerated() {
            do {
                if case .save(let share as CKShare) = item {
                    try share.check(savedWith: batch.records, in: database, limits)
                }
                if let draft = try item.draft(batch.policy, limits, context.cipher) {
                    drafts.append(draft)
                    draftPlaces.append(place)
                }
            } catch {
                failures[place] = CKError(failure: error)
            }
        }
        if failures.isEmpty || !batch.isAtomic {
            for (place, error) in try await uploads.upload(&drafts, zone: zone, progress: progress) {
                failures[draftPlaces[place]] = error
                if error.refusesUpload { refusedFiles.append(draftPlaces[place]) }
            }
        }
        if batch.isAtomic, !failures.isEmpty { return (Self.refused(items, failures), refusedFiles) }
        let drafted = Dictionary(uniqueKeysWithValues: zip(draftPlaces, drafts))
        let places = items.indices.filter { failures[$0] == nil }
        let operations = places.compactMap { drafted[$0]?.operation ?? items[$0].deletion }
        let unsent = failures.keys.map { items[$0].id.recordName }
        let answers = try await commit(operations, in: zone, batch.without(unsent))
        await zoneKeys.learn(from: answers)
        var results = items.indices.map { Result<Void, any Error>.failure(failures[$0] ?? CKError.noResult) }
        for (place, answer) in zip(places, answers) {
            results[place] = Result { try apply(answer, for: items[place], draft: drafted[place]) }
        }
        for (place, answer) in zip(places, answers)
        where answer.isUploadExpired && drafted[place]?.uploads.isEmpty == false {
            refusedFiles.append(place)
        }
        return (results, refusedFiles.sorted())
    }

    /// The results of an atomic batch that is not sent because at least one item is invalid: each invalid
    /// item gets its own error, the others `batchRequestFailed`.
    private static func refused(
        _ items: [BatchItem], _ failures: [Int: CKError]
    ) -> [Result<Void, any Error>] {
        items.indices.map { place in
            .failure(
                failures[place]
                    ?? .make(
                        .batchRequestFailed,
                        "Another item of the same atomic batch could not be sent - correct the items with"
                            + " an error of their own, then send all again"))
        }
    }

    private func commit(
        _ operations: [RecordOperation], in zone: ZoneID, _ batch: RecordBatch
    ) async throws -> [RecordAnswer] {
        guard !operations.isEmpty else { return [] }
        let sent = ModifyRequest(
            operations, zone: zone, isAtomic: batch.isAtomic, clientChange: batch.name)
        let request = RecordsModifyRequest(sent, desiredKeys: batch.policy.mayOverwrite ? nil : [])
        do {
            let isRepeat = Locked(false)
            let bytes = try await call(
                .recordsModify, request, changes: true, mayRepeat: sent.isConditional
            ) {
                isRepeat.withLock { $0 = true }
            }
            let answers = try RecordsAnswer(bytes: bytes, zone: zone).records
            guard isRepeat.current else { return answers }
            let batch = RepeatedBatch(client: self, operations: operations, zone: zone)
            do {
                return try await batch.recognised(answers)
            } catch {
                throw CKError(lookingUpRepeated: error)
            }
        } catch let error as CKError where error.concernsZone {
            return operations.map { _ in .failure(nil, RecordError(concerning: error)) }
        } catch {
            throw CKError(failure: error)
        }
    }

    private func apply(_ answer: RecordAnswer, for item: BatchItem, draft: RecordDraft?) throws {
        switch (item, answer) {
        case (.save(let record), .record(let saved)):
            guard let draft else { throw CKError.noResult }
            let showsFields = draft.policy.mayOverwrite
            record.adopt(saved, sent: draft.sent, showsFields: showsFields, context: context)
            if let share = record as? CKShare, let terms = saved.sharing?.terms {
                share.adopt(terms, sent: draft.sentTerms)
            }
        case (.save(let record), .failure(_, let error)):
            throw CKError(error, saving: record, context: context)
        case (.delete, .deleted): break
        case (.delete, .failure(_, let error)): throw CKError(error, deletingWith: context)
        default: throw CKError.noResult
        }
    }
}

private enum BatchItem: Sendable {
    case save(CKRecord)
    case delete(CKRecordID, tag: String?)

    var id: CKRecordID {
        switch self {
        case .save(let record): record.recordID
        case .delete(let id, _): id
        }
    }

    /// The record of a save; nil for a deletion.
    var record: CKRecord? {
        if case .save(let record) = self { record } else { nil }
    }

    /// The draft of a save; nil for a deletion.
    func draft(
        _ policy: CKModifyRecordsOperation.RecordSavePolicy, _ limits: Limits, _ cipher: FieldCipher?
    ) throws -> RecordDraft? {
        switch self {
        case .save(let record):
            return try RecordDraft(record, policy: policy, limits: limits, cipher: cipher)
        case .delete(let id, _):
            try RecordDraft.checkName(id, limits)
            return nil
        }
    }

    /// The operation of a deletion; nil for a save.
    var deletion: RecordOperation? {
        guard case .delete(let id, let tag) = self else { return nil }
        guard let tag = tag.map({ ChangeTag(text: $0) }) else {
            return RecordOperation(.forceDelete, recordName: id.recordName)
        }
        return RecordOperation(.delete, recordName: id.recordName, changeTag: tag)
    }
}

extension CKModifyRecordsOperation.RecordSavePolicy {
    /// Whether a save can succeed over a version that this device has never fetched, so that the response
    /// must contain all fields of the record.
    fileprivate var mayOverwrite: Bool { self != .ifServerRecordUnchanged }
}

extension CKError {
    /// The error of a batch that was sent again after its response was lost, when the look-up of its records
    /// fails. It is not known whether the first execution changed them.
    fileprivate init(lookingUpRepeated failure: any Error) {
        let error = CKError(failure: failure)
        self =
            error.code == .operationCancelled
            ? error
            : .make(
                .serverResponseLost,
                "The response to a save was lost, and its records cannot be looked up"
                    + " (\(error.localizedDescription)) - fetch to see which changes the server has made")
    }

    /// Whether the error concerns the zone of a request, so that each item of the request fails with it.
    var concernsZone: Bool {
        [.zoneNotFound, .zoneBusy, .batchRequestFailed, .userDeletedZone].contains(code)
    }

    /// Whether the zone does not exist because the person reset the encrypted data.
    fileprivate var isAfterReset: Bool {
        (userInfo[CKErrorUserDidResetEncryptedDataKey] as? NSNumber)?.boolValue ?? false
    }
}

extension RecordError {
    /// The error of each item in a request that failed because of its zone.
    init(concerning error: CKError) {
        let code: RecordError.Code =
            switch error.code {
            case .zoneBusy: .zoneBusy
            case .batchRequestFailed: .atomicFailure
            case .userDeletedZone: .zonePurged
            default: error.isAfterReset ? .zoneReset : .zoneNotFound
            }
        self.init(code, error.localizedDescription, retryAfter: error.retryAfterSeconds.map { Int($0) })
    }
}
