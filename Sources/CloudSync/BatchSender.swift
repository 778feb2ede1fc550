import Cloudlet
import Foundation
import LocalReplica
import Records

/// Edits of one zone on their way to the server.
struct OutgoingBatch: Sendable {
    let zone: String
    let rows: [ReplicaRow]
    let token: Data
    /// The token, and what was given that name earlier and does not go out now.
    let name: ClientChange
    let records: [CKRecord]
    let deletions: [CKRecord.ID: String]
    /// What is known of some without asking the server.
    fileprivate let answers: [SentAnswer]
}

/// What the server answered to a batch.
struct BatchResults: Sendable {
    var saveResults: [CKRecord.ID: Result<CKRecord, any Error>] = [:]
    var deleteResults: [CKRecord.ID: Result<Void, any Error>] = [:]

    /// Whether it took anything.
    var hasSuccess: Bool {
        saveResults.values.contains { (try? $0.get()) != nil }
            || deleteResults.values.contains { (try? $0.get()) != nil }
    }
}

/// What became of a batch.
struct BatchOutcome: Sendable {
    var sent: Int
    var merged: Int
    /// Records that the server took, or will never take.
    var settled: [RecordID]
    /// Records of which the server had another version.
    var conflicts: [RecordID]
    /// Whether a file of such a version did not come with it.
    var lacksFiles: Bool
    /// What was wrong with records whose fault it was not.
    var problems: [any Error] = []
}

/// What became of one record that was sent.
private enum SentAnswer: Sendable {
    case saved(ReplicaRow, ServerVersion)
    case deleted(ReplicaRow)
    /// The server has another version, or none.
    case met(ReplicaRow, MergePlan.Server, ServerVersion?)
    case refused(ReplicaRow, String)
    /// The server did not take it, for a reason that is not its own.
    case notTaken(ReplicaRow)
}

/// Makes batches of the edits of a replica, sends them, and notes in the replica what the server says of each
/// edit.
struct BatchSender: Sendable {
    let database: CKDatabase
    let replica: LocalReplica
    let configuration: SyncConfiguration

    /// The oldest edits, those of one zone, noted as sent; nil when there are none.
    func nextBatch(limit: Int) async throws -> OutgoingBatch? {
        let (rows, token, names) = try await replica.write { writer in
            let rows = try writer.reader.sendable(limit: limit)
            guard let zone = rows.first?.id.zone.name, let token = try writer.noteSent(rows) else {
                return ([ReplicaRow](), Data(), Set<String>())
            }
            return (rows, token, try writer.reader.names(sentAs: token, in: zone))
        }
        guard let zone = rows.first?.id.zone.name else { return nil }
        var answers: [SentAnswer] = []
        let records = records(for: rows.filter { $0.fields != nil }, &answers)
        let deletions = deletions(rows, &answers)
        let outgoing = Set(records.map(\.recordID.recordName) + deletions.keys.map(\.recordName))
        return OutgoingBatch(
            zone: zone, rows: rows, token: token,
            name: ClientChange(token: Array(token), exceptions: names.subtracting(outgoing)),
            records: records, deletions: deletions, answers: answers)
    }

    /// Sends what goes out. When the server has certainly not done it, what was never sent before counts as
    /// not sent: only a lost answer leaves in doubt what became of it.
    func send(_ batch: OutgoingBatch) async throws -> BatchResults {
        if batch.records.isEmpty, batch.deletions.isEmpty { return BatchResults() }
        do {
            let (saves, deletions) = try await database.modifyUnchangedRecords(
                saving: batch.records, deleting: batch.deletions, name: batch.name)
            return BatchResults(saveResults: saves, deleteResults: deletions)
        } catch {
            if !Verdict.leavesDoubt(error) {
                try await replica.write { try $0.noteUnsent(batch.rows.filter(\.isFirstAttempt).map(\.id)) }
            }
            throw error
        }
    }

    /// Notes what the server said of a batch.
    func settle(_ batch: OutgoingBatch, _ results: BatchResults) async throws -> BatchOutcome {
        var answers = batch.answers
        let problems = try await sort(results, batch.rows, into: &answers)
        var outcome = try await apply(answers, of: batch.zone, as: results.hasSuccess ? batch.token : nil)
        outcome.problems = problems
        return outcome
    }

    /// Notes that the server does not take a batch, which is a single record.
    func refuse(_ batch: OutgoingBatch, because reason: String) async throws -> BatchOutcome {
        try await apply([.refused(batch.rows[0], reason)], of: batch.zone, as: nil)
    }

    /// What the server said of each record, and what was wrong with those whose fault it was not.
    private func sort(
        _ results: BatchResults, _ rows: [ReplicaRow], into answers: inout [SentAnswer]
    ) async throws -> [any Error] {
        var problems: [any Error] = []
        for row in rows {
            let outcome = (results.saveResults[row.id.recordID], results.deleteResults[row.id.recordID])
            switch outcome {
            case (.success(let record)?, _): answers.append(.saved(row, version(of: record, row)))
            case (_, .success?): answers.append(.deleted(row))
            case (.failure(let error)?, _), (_, .failure(let error)?):
                if let answer = try await answer(error, row) {
                    answers.append(answer)
                } else {
                    answers.append(.notTaken(row))
                    problems.append(error)
                }
            case (nil, nil): continue
            }
        }
        return problems
    }

    /// The versions of the records to delete: what somebody typed meanwhile is kept. One that the server
    /// never took is gone already.
    private func deletions(_ rows: [ReplicaRow], _ answers: inout [SentAnswer]) -> [CKRecord.ID: String] {
        var tags: [CKRecord.ID: String] = [:]
        for row in rows where row.fields == nil {
            if let tag = row.tag { tags[row.id.recordID] = tag } else { answers.append(.deleted(row)) }
        }
        return tags
    }

    /// The records to save. One that is as the server has it need not be sent.
    private func records(for rows: [ReplicaRow], _ answers: inout [SentAnswer]) -> [CKRecord] {
        var records: [CKRecord] = []
        for row in rows {
            do {
                let record = try record(for: row)
                if record.recordChangeTag == nil || record.hasChanges {
                    records.append(record)
                } else {
                    answers.append(.saved(row, version(of: record, row)))
                }
            } catch {
                answers.append(.refused(row, CloudSync.words(error)))
            }
        }
        return records
    }
}

// MARK: - Answers

extension BatchSender {
    /// What an error says of one record; nil when it is not about the record.
    private func answer(_ error: any Error, _ row: ReplicaRow) async throws -> SentAnswer? {
        switch Verdict(error) {
        case .merge:
            guard let theirs = (error as? CKError)?.serverRecord else { return try await latest(row) }
            let version = try replica.keep(theirs)
            return .met(row, .version(tag: version.tag, version.fields), version)
        case .recordGone where row.fields == nil: return .deleted(row)
        case .recordGone where row.tag != nil: return .met(row, .gone, nil)
        // A limit that a single record meets is its own: smaller batches would not change it.
        case .refuse, .halve: return .refused(row, CloudSync.words(error))
        default: return nil
        }
    }

    /// The server's version of a record, asked for by itself.
    private func latest(_ row: ReplicaRow) async throws -> SentAnswer? {
        let id = row.id.recordID
        do {
            guard let found = try await database.records(for: [id])[id] else { return nil }
            let version = try replica.keep(found.evenWithoutFiles())
            return .met(row, .version(tag: version.tag, version.fields), version)
        } catch let error as CKError where error.code == .unknownItem {
            return .met(row, .gone, nil)
        }
    }

    /// What the server says of this device's last batch, if it matters for what became of these.
    private func lastBatch(for answers: [SentAnswer], in zone: String) async throws -> ClientChange? {
        let isInDoubt = answers.contains {
            if case .met(let row, _, _) = $0 { row.sentToken != nil } else { false }
        }
        guard isInDoubt else { return nil }
        let token = try await replica.read { try $0.token(of: zone).flatMap(Archives.token) }
        func ask(since token: CKServerChangeToken?) async throws -> ClientChange? {
            try await database.recordZoneChangesAndLastBatch(
                inZoneWith: CKRecordZone.ID(zoneName: zone), since: token, desiredKeys: [], resultsLimit: 1
            ).lastBatch
        }
        do {
            return try await ask(since: token)
        } catch let error as CKError where error.code == .changeTokenExpired && token != nil {
            return try await ask(since: nil)
        }
    }

    /// - Parameter token: The name of the batch, if the server took something of it.
    /// - Returns: How many edits arrived, and how many conflicts were resolved.
    private func apply(
        _ answers: [SentAnswer], of zone: String, as token: Data?
    ) async throws -> BatchOutcome {
        let (policy, now) = (configuration.policy, configuration.now())
        let last = try await lastBatch(for: answers, in: zone)
        let merged = try await replica.write { writer in
            var merged = 0
            let taken = try writer.reader.takenToken(in: zone)
            for answer in answers {
                switch answer {
                case .saved(let row, let version): try writer.settle(row, as: version)
                case .deleted(let row): try writer.settleDeletion(row)
                case .refused(let row, let reason): try writer.refuse(row, because: reason)
                case .notTaken(let row): if row.isFirstAttempt { try writer.noteUnsent([row.id]) }
                case .met(let row, let server, let version):
                    if row.isFirstAttempt { try writer.noteUnsent([row.id]) }
                    // The row as it is now: it may have been edited while the batch was under way.
                    let present = try writer.reader.row(row.id)
                    let arrival = present?.arrival(last, after: taken) ?? .unknown
                    let plan = MergePlan.plan(present, server, policy, arrival)
                    if try writer.carryOut(plan, row.id, type: row.type, version, at: now) { merged += 1 }
                }
            }
            if let last { try writer.noteLast(Data(last.token), in: zone, isWhole: false) }
            if let token { try writer.noteTaken(token, in: zone) }
            return merged
        }
        var outcome = BatchOutcome(sent: 0, merged: merged, settled: [], conflicts: [], lacksFiles: false)
        for answer in answers {
            switch answer {
            case .saved(let row, _), .deleted(let row):
                outcome.sent += 1
                outcome.settled.append(row.id)
            case .refused(let row, _): outcome.settled.append(row.id)
            case .met(let row, _, let version):
                outcome.conflicts.append(row.id)
                if let version, replica.lacksFiles(of: version) { outcome.lacksFiles = true }
            case .notTaken: break
            }
        }
        return outcome
    }
}

// MARK: - Records

extension BatchSender {
    /// The record to save: the server's version as it was last seen, with what changed since.
    private func record(for row: ReplicaRow) throws -> CKRecord {
        let record =
            try row.systemFields.flatMap(Archives.record)
            ?? CKRecord(recordType: row.type, recordID: row.id.recordID)
        let (fields, before) = (row.fields ?? Fields(), row.serverFields ?? Fields())
        for name in Set(fields.names).union(before.names).sorted() where fields[name] != before[name] {
            record.set(fields[name], forKey: name) { replica.file(of: $0) }
        }
        return record
    }

    /// The server's version after a save: what was sent, under a new tag.
    private func version(of record: CKRecord, _ row: ReplicaRow) -> ServerVersion {
        ServerVersion(
            id: row.id, type: row.type, tag: record.recordChangeTag ?? "",
            systemFields: Archives.systemFields(of: record), fields: row.fields ?? Fields())
    }
}

extension ReplicaRow {
    /// Whether, as it goes out, no earlier answer about it is missing.
    var isFirstAttempt: Bool { sent == nil }
}

extension RecordID {
    /// The identity as the cloud knows it.
    var recordID: CKRecord.ID { CKRecord.ID(self) }
}

extension CKRecord {
    var hasChanges: Bool { !changedKeys().isEmpty || !encryptedValues.changedKeys().isEmpty }
}
