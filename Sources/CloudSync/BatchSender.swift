import Cloudlet
import Foundation
import LocalReplica
import Records

/// A batch of edits of one zone to send.
struct OutgoingBatch: Sendable {
    let zone: ZoneID
    let rows: [ReplicaRow]
    let token: Data
    /// The batch's token, with the names of the records that an earlier attempt sent under this token and
    /// this attempt does not send.
    let name: ClientChange
    let records: [CKRecord]
    let deletions: [CKRecord.ID: String]
    /// The answers for records that need no request.
    fileprivate let answers: [SentAnswer]
}

/// The server's results for a batch.
struct BatchResults: Sendable {
    var saveResults: [CKRecord.ID: Result<CKRecord, any Error>] = [:]
    var deleteResults: [CKRecord.ID: Result<Void, any Error>] = [:]

    /// Whether the server applied at least one edit.
    var hasSuccess: Bool {
        saveResults.values.contains { (try? $0.get()) != nil }
            || deleteResults.values.contains { (try? $0.get()) != nil }
    }
}

/// The effect of a batch on the replica.
struct BatchOutcome: Sendable {
    var sent: Int
    var merged: Int
    /// Records that the server applied or refused.
    var finished: [RecordID]
    /// Records that had another version on the server.
    var conflicts: [RecordID]
    /// Whether a file of such a version is missing on this device.
    var lacksFiles: Bool
    /// Errors that prevented the saving of records, but were not caused by the records themselves.
    var problems: [any Error] = []
    /// Records that the server failed to process.
    var failed: [RecordID] = []
    /// Records whose files could not be sent within the server's time limit.
    var late: [RecordID] = []
}

/// The answer for one record that was sent.
private enum SentAnswer: Sendable {
    case saved(ReplicaRow, ServerVersion)
    case deleted(ReplicaRow)
    /// The server has another version of the record, or has no such record.
    case conflict(ReplicaRow, MergePlan.Server, ServerVersion?)
    case refused(ReplicaRow, String)
    /// The server did not apply the edit, but the record was not the cause.
    case notApplied(ReplicaRow)

    /// The new record that the server has saved; nil for other answers.
    var creation: RecordID? {
        if case .saved(let row, _) = self, row.tag == nil { row.id } else { nil }
    }
}

/// Makes batches of the pending edits of a replica, sends them, and records the results in the replica.
struct BatchSender: Sendable {
    let database: CKDatabase
    let replica: LocalReplica
    let configuration: SyncConfiguration
    /// How often the server failed to process each record.
    let serverFaults: [RecordID: Int]
    /// The zones that the server refused to create. Their edits wait.
    let refusedZones: [ZoneID]
    /// The owners whose storage is full; nil is the owner of this database. The edits of their zones wait.
    let fullOwners: [String?]
    /// The records with slow uploads. They are sent only when no other edit can be sent.
    let slowUploads: SlowUploads
    /// The maximum of file bytes in a batch; a single record may have more.
    let fileBytes: Int64

    /// The number of attempts at a record that the server fails to process. Then it counts as refused, so
    /// that it does not keep the sync waiting for ever.
    static let maximumAttempts = 10

    /// Makes a batch of the oldest pending edits of one zone, and marks them as sent. Returns nil if there
    /// are none.
    func nextBatch(limit: Int) async throws -> OutgoingBatch? {
        let now = configuration.now()
        let (rows, token, names) = try await replica.writeUnflushed { writer in
            var rows = try writer.reader.sendable(
                limit: limit, besides: refusedZones, excludingOwners: fullOwners, except: slowUploads.records)
            if rows.isEmpty, slowUploads.waiting(at: now).isEmpty {
                rows = try writer.reader.sendable(
                    limit: limit, besides: refusedZones, excludingOwners: fullOwners)
            }
            rows = rows.groups(ofAtMost: limit, bytes: fileBytes, \.fileBytes).first ?? []
            guard let zone = rows.first?.id.zone, let token = try writer.markSent(rows) else {
                return ([ReplicaRow](), Data(), Set<String>())
            }
            return (rows, token, try writer.reader.names(sentAs: token, in: zone))
        }
        guard let zone = rows.first?.id.zone else { return nil }
        var answers: [SentAnswer] = []
        let records = records(for: rows.filter { $0.fields != nil }, &answers)
        let deletions = deletions(rows, &answers)
        let outgoing = Set(records.map(\.recordID.recordName) + deletions.keys.map(\.recordName))
        return OutgoingBatch(
            zone: zone, rows: rows, token: token,
            name: ClientChange(token: Array(token), exceptions: names.subtracting(outgoing)),
            records: records, deletions: deletions, answers: answers)
    }

    /// Sends a batch. If the server certainly did not apply it, its edits that had not been sent before are
    /// marked as not sent again. After an unanswered request they stay marked as sent, because they may have
    /// arrived.
    func send(_ batch: OutgoingBatch) async throws -> BatchResults {
        if batch.records.isEmpty, batch.deletions.isEmpty { return BatchResults() }
        // The mark of `nextBatch` must be on disk before the request: otherwise, after a power failure, the
        // batch would be sent again as a new one, and could overwrite newer values.
        try await replica.flush()
        do {
            let (saves, deletions) = try await database.modifyUnchangedRecords(
                saving: batch.records, deleting: batch.deletions, name: batch.name)
            return BatchResults(saveResults: saves, deleteResults: deletions)
        } catch {
            if !ErrorDecision.mayHaveExecuted(error) {
                try await replica.write { try $0.markUnsent(batch.rows.filter(\.isFirstAttempt).map(\.id)) }
            }
            throw error
        }
    }

    /// Records the server's results in the replica.
    func store(_ results: BatchResults, of batch: OutgoingBatch) async throws -> BatchOutcome {
        var answers = batch.answers
        let problems = try await translate(results, batch.rows, into: &answers)
        var outcome = try await apply(answers, of: batch.zone, as: results.hasSuccess ? batch.token : nil)
        for (row, error) in problems {
            // An unanswered batch must be sent again before all others.
            if row.isFirstAttempt, (error as? CKError)?.isSlowUpload == true {
                outcome.late.append(row.id)
                continue
            }
            outcome.problems.append(error)
            if ErrorDecision.isServerFault(error) { outcome.failed.append(row.id) }
        }
        return outcome
    }

    /// Marks the only edit of a batch as refused by the server.
    func refuse(_ batch: OutgoingBatch, because reason: String) async throws -> BatchOutcome {
        try await apply([.refused(batch.rows[0], reason)], of: batch.zone, as: nil)
    }

    /// Adds the server's answers to `answers`. Returns the errors that were not caused by the records.
    private func translate(
        _ results: BatchResults, _ rows: [ReplicaRow], into answers: inout [SentAnswer]
    ) async throws -> [(row: ReplicaRow, error: any Error)] {
        var problems: [(row: ReplicaRow, error: any Error)] = []
        for row in rows {
            let outcome = (results.saveResults[row.id.recordID], results.deleteResults[row.id.recordID])
            switch outcome {
            case (.success(let record)?, _):
                answers.append(.saved(row, replica.version(of: record, row)))
            case (_, .success?): answers.append(.deleted(row))
            case (.failure(let error)?, _), (_, .failure(let error)?):
                if let answer = try await answer(error, row) {
                    answers.append(answer)
                } else {
                    answers.append(.notApplied(row))
                    problems.append((row, error))
                }
            case (nil, nil): continue
            }
        }
        return problems
    }

    /// Returns the records to delete with their change tags, so that the server does not delete a version
    /// with newer edits of somebody else. A record that the server never had counts as deleted.
    private func deletions(_ rows: [ReplicaRow], _ answers: inout [SentAnswer]) -> [CKRecord.ID: String] {
        var tags: [CKRecord.ID: String] = [:]
        for row in rows where row.fields == nil {
            if let tag = row.tag { tags[row.id.recordID] = tag } else { answers.append(.deleted(row)) }
        }
        return tags
    }

    /// Returns the records to save. A record that does not differ from the server's version counts as saved.
    private func records(for rows: [ReplicaRow], _ answers: inout [SentAnswer]) -> [CKRecord] {
        var records: [CKRecord] = []
        for row in rows {
            do {
                let record = try replica.record(for: row)
                if record.recordChangeTag == nil || record.hasChanges || row.movesParent {
                    records.append(record)
                } else {
                    answers.append(.saved(row, replica.version(of: record, row)))
                }
            } catch {
                answers.append(.refused(row, CloudSync.text(of: error)))
            }
        }
        return records
    }
}

// MARK: - Answers

extension BatchSender {
    /// Returns the answer that an error means for a record; nil if the record did not cause it.
    private func answer(_ error: any Error, _ row: ReplicaRow) async throws -> SentAnswer? {
        switch ErrorDecision(error) {
        case .merge:
            guard let theirs = (error as? CKError)?.serverRecord else {
                return try await fetchServerVersion(of: row)
            }
            let version = try replica.keep(theirs, in: row.id.zone)
            return .conflict(row, .version(tag: version.tag, version.fields), version)
        case .recordGone where row.fields == nil: return .deleted(row)
        case .recordGone where row.tag != nil: return .conflict(row, .gone, nil)
        // The owner has a record with this name that is not shared with the person (any more).
        case .recordGone where row.id.zone.isShared: return .refused(row, CloudSync.text(of: error))
        case .refuse where ErrorDecision.isServerFault(error) && mayTryAgain(row.id): return nil
        // A single record exceeds the limit, so smaller batches would not help.
        case .refuse, .halve: return .refused(row, CloudSync.text(of: error))
        // Waiting would not bring the file back, and would hold up all other edits.
        case _ where (error as? CKError)?.code == .assetNotAvailable:
            guard let fields = row.fields, replica.lacksFiles(of: fields) else { return nil }
            return .refused(row, "its file is missing on this device: edit the record to send it")
        default: return nil
        }
    }

    private func mayTryAgain(_ record: RecordID) -> Bool {
        serverFaults[record, default: 0] + 1 < Self.maximumAttempts
    }

    /// Fetches the server's version of a single record.
    private func fetchServerVersion(of row: ReplicaRow) async throws -> SentAnswer? {
        let id = row.id.recordID
        do {
            guard let found = try await database.records(for: [id], wantsFile: { _ in false })[id] else {
                return nil
            }
            let version = try replica.keep(found.get(), in: row.id.zone)
            return .conflict(row, .version(tag: version.tag, version.fields), version)
        } catch let error as CKError where error.code == .unknownItem {
            return .conflict(row, .gone, nil)
        }
    }

    /// Fetches the server's last batch of this device, if an answer is about an edit that may have arrived
    /// earlier; nil otherwise.
    private func lastBatch(for answers: [SentAnswer], in zone: ZoneID) async throws -> ClientChange? {
        let isInDoubt = answers.contains {
            if case .conflict(let row, _, _) = $0 { row.sentToken != nil } else { false }
        }
        guard isInDoubt else { return nil }
        let token = try await replica.read { try $0.token(of: zone).map(Archives.token) }
        func ask(since token: CKServerChangeToken?) async throws -> ClientChange? {
            try await database.recordZoneChangesAndLastBatch(
                inZoneWith: zone.zoneID, since: token, desiredKeys: [], resultsLimit: 1
            ).lastBatch
        }
        do {
            return try await ask(since: token)
        } catch let error as CKError where error.code == .changeTokenExpired && token != nil {
            return try await ask(since: nil)
        }
    }

    /// Applies the answers to the replica in one transaction, and returns their effect.
    ///
    /// - Parameter token: the token of the batch, if the server applied at least one edit of it.
    private func apply(
        _ answers: [SentAnswer], of zone: ZoneID, as token: Data?
    ) async throws -> BatchOutcome {
        let (policy, now) = (configuration.policy, configuration.now())
        let last = try await lastBatch(for: answers, in: zone)
        // If a power failure undoes this, the batch is an unanswered one.
        let merged = try await replica.writeUnflushed { writer in
            var merged = 0
            let lastApplied = try writer.reader.lastAppliedToken(in: zone)
            for answer in answers {
                switch answer {
                case .saved(let row, let version): try writer.storeSaved(row, as: version)
                case .deleted(let row): try writer.storeDeletion(row)
                case .refused(let row, let reason): try writer.refuse(row, because: reason)
                case .notApplied(let row): if row.isFirstAttempt { try writer.markUnsent([row.id]) }
                case .conflict(let row, let server, let version):
                    if row.isFirstAttempt { try writer.markUnsent([row.id]) }
                    // Read the row again: it may have been edited while the batch was being sent.
                    let present = try writer.reader.row(row.id)
                    let delivery = present?.delivery(last, after: lastApplied) ?? .unknown
                    let plan = MergePlan.plan(present, server, policy, delivery)
                    if try writer.apply(plan, row.id, type: row.type, version, at: now) { merged += 1 }
                }
            }
            // An edit may have been refused because its parent, which was just created, was missing.
            let created = answers.compactMap(\.creation)
            if zone.isShared, !created.isEmpty { try writer.forgetRefusals(in: zone) }
            if !zone.isShared { try writer.forgetRefusals(below: created) }
            if let last { try writer.storeLastBatch(Data(last.token), in: zone, isWhole: false) }
            if let token { try writer.setLastAppliedToken(token, in: zone) }
            return merged
        }
        var outcome = BatchOutcome(sent: 0, merged: merged, finished: [], conflicts: [], lacksFiles: false)
        for answer in answers {
            switch answer {
            case .saved(let row, _), .deleted(let row):
                outcome.sent += 1
                outcome.finished.append(row.id)
            case .refused(let row, _): outcome.finished.append(row.id)
            case .conflict(let row, _, let version):
                outcome.conflicts.append(row.id)
                if let version, replica.lacksFiles(of: version.fields) { outcome.lacksFiles = true }
            case .notApplied: break
            }
        }
        return outcome
    }
}

// MARK: - Records

extension LocalReplica {
    /// Makes the record to save: the last known version of the server, with the local changes.
    func record(for row: ReplicaRow) throws -> CKRecord {
        let record =
            try row.systemFields.flatMap(Archives.record)
            ?? CKRecord(recordType: row.type, recordID: row.id.recordID)
        let (fields, before) = (row.fields ?? Fields(), row.serverFields ?? Fields())
        if row.movesParent {
            record.setParent(fields.parent.map { CKRecord.ID(recordName: $0, zoneID: row.id.zone.zoneID) })
        }
        let names = Set(fields.names).union(before.names).subtracting([Fields.parentKey])
        for name in names.sorted() where fields[name] != before[name] {
            record.set(fields[name], forKey: name) { file(of: $0) }
        }
        return record
    }

    /// Returns the server's version after a save: the sent fields with the new change tag.
    func version(of record: CKRecord, _ row: ReplicaRow) -> ServerVersion {
        ServerVersion(
            id: row.id, type: row.type, tag: record.recordChangeTag ?? "",
            systemFields: Archives.systemFields(of: record), fields: row.fields ?? Fields())
    }
}

extension ReplicaRow {
    /// Whether no earlier request with the edit is unanswered.
    var isFirstAttempt: Bool { sent == nil }

    /// Whether the record has another parent than on the server.
    fileprivate var movesParent: Bool { fields?.parent != serverFields?.parent }

    /// The bytes of the files that are sent with the record: those of the fields that differ from the
    /// server's version.
    var fileBytes: Int64 {
        var bytes: Int64 = 0
        for (name, field) in fields ?? Fields() where field != serverFields?[name] {
            for case .asset(let asset) in field.value.elements { bytes = bytes.addingSaturated(asset.size) }
        }
        return bytes
    }
}

extension RecordID {
    /// The record's identifier for CloudKit.
    var recordID: CKRecord.ID { CKRecord.ID(self) }
}

extension CKRecord {
    var hasChanges: Bool { !changedKeys().isEmpty || !encryptedValues.changedKeys().isEmpty }
}
