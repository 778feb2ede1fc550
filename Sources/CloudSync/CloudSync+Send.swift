import Cloudlet
import Foundation
import LocalReplica
import Records

extension CloudSync {
    /// What became of one record that was sent.
    private enum Answer: Sendable {
        case saved(ReplicaRow, ServerVersion)
        case deleted(ReplicaRow)
        /// The server has another version, or none.
        case met(ReplicaRow, MergePlan.Server, ServerVersion?)
        case refused(ReplicaRow, String)
        /// The server did not take it, for a reason that is not its own.
        case notTaken(ReplicaRow)
    }

    /// Sends the oldest edits, those of one zone.
    func send() async throws {
        let limit = memory.batchLimit
        let (rows, token, names) = try await replica.write { writer in
            let rows = try writer.reader.sendable(limit: limit)
            guard let zone = rows.first?.id.zone.name, let token = try writer.noteSent(rows) else {
                return ([ReplicaRow](), Data(), Set<String>())
            }
            return (rows, token, try writer.reader.names(sentAs: token, in: zone))
        }
        guard let zone = rows.first?.id.zone.name else { return }
        memory.askedZones.remove(zone)
        var answers: [Answer] = []
        let records = records(for: rows.filter { $0.fields != nil }, &answers)
        let deletions = deletions(rows, &answers)
        let outgoing = Set(records.map(\.recordID.recordName) + deletions.keys.map(\.recordName))
        let name = ClientChange(token: Array(token), exceptions: names.subtracting(outgoing))
        let results: SendResults
        do {
            results = try await modify(records, deleting: deletions, as: name, of: rows)
        } catch let error where memory.batchLimit == 1 && Verdict(error) == .halve {
            return try await apply([.refused(rows[0], Self.words(error))], of: zone, as: nil)
        }
        let problems = try await sort(results, rows, into: &answers)
        try await apply(answers, of: zone, as: results.hasSuccess ? token : nil)
        try await take(problems, in: zone)
    }

    /// What the server said of each record, and what was wrong with those whose fault it was not.
    private func sort(
        _ results: SendResults, _ rows: [ReplicaRow], into answers: inout [Answer]
    ) async throws -> [any Error] {
        var problems: [any Error] = []
        for row in rows {
            let outcome = (results.saveResults[row.id.recordID], results.deleteResults[row.id.recordID])
            switch outcome {
            case (.success(let record)?, _): answers.append(.saved(row, row.version(of: record)))
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

    /// Sends what goes out. When the server has certainly not done it, what was never sent before counts as
    /// not sent: only a lost answer leaves in doubt what became of it.
    private func modify(
        _ records: [CKRecord], deleting tags: [CKRecord.ID: String], as name: ClientChange,
        of rows: [ReplicaRow]
    ) async throws -> SendResults {
        if records.isEmpty, tags.isEmpty { return SendResults() }
        do {
            let (saves, deletions) = try await database.modifyUnchangedRecords(
                saving: records, deleting: tags, name: name)
            return SendResults(saveResults: saves, deleteResults: deletions)
        } catch {
            if !Verdict.leavesDoubt(error) {
                try await replica.write { try $0.noteUnsent(rows.filter(\.isFirstAttempt).map(\.id)) }
            }
            throw error
        }
    }

    /// The versions of the records to delete: what somebody typed meanwhile is kept. One that the server
    /// never took is gone already.
    private func deletions(_ rows: [ReplicaRow], _ answers: inout [Answer]) -> [CKRecord.ID: String] {
        var tags: [CKRecord.ID: String] = [:]
        for row in rows where row.fields == nil {
            if let tag = row.tag { tags[row.id.recordID] = tag } else { answers.append(.deleted(row)) }
        }
        return tags
    }

    /// The records to save. One that is as the server has it need not be sent.
    private func records(for rows: [ReplicaRow], _ answers: inout [Answer]) -> [CKRecord] {
        var records: [CKRecord] = []
        for row in rows {
            do {
                let record = try row.record(with: replica)
                if record.recordChangeTag == nil || record.hasChanges {
                    records.append(record)
                } else {
                    answers.append(.saved(row, row.version(of: record)))
                }
            } catch {
                answers.append(.refused(row, Self.words(error)))
            }
        }
        return records
    }

    /// Takes in what was wrong with records whose fault it was not.
    private func take(_ problems: [any Error], in zone: String) async throws {
        var isWorse: (any Error)?
        for error in problems {
            switch Verdict(error) {
            case .again: continue
            case .zoneGone(let isReset): return try await noteGone(zone, isReset: isReset)
            case .zonePurged: return try await replica.write { try $0.notePurged(zone) }
            default: isWorse = isWorse ?? error
            }
        }
        if let isWorse { return try await hold(for: isWorse) }
        if problems.isEmpty { memory.batchLimit = min(largestBatch, memory.batchLimit * 2) }
    }

    /// What an error says of one record; nil when it is not about the record.
    private func answer(_ error: any Error, _ row: ReplicaRow) async throws -> Answer? {
        switch Verdict(error) {
        case .merge:
            guard let theirs = (error as? CKError)?.serverRecord else { return try await latest(row) }
            let version = try keep(theirs)
            return .met(row, .version(tag: version.tag, version.fields), version)
        case .recordGone where row.fields == nil: return .deleted(row)
        case .recordGone where row.tag != nil: return .met(row, .gone, nil)
        // A limit that a single record meets is its own: smaller batches would not change it.
        case .refuse, .halve: return .refused(row, Self.words(error))
        default: return nil
        }
    }

    /// The server's version of a record, asked for by itself.
    private func latest(_ row: ReplicaRow) async throws -> Answer? {
        let id = row.id.recordID
        do {
            guard let found = try await database.records(for: [id])[id] else { return nil }
            let version = try keep(found.evenWithoutFiles())
            return .met(row, .version(tag: version.tag, version.fields), version)
        } catch let error as CKError where error.code == .unknownItem {
            return .met(row, .gone, nil)
        }
    }

    /// What the server says of this device's last batch, if it matters for what became of these.
    private func lastBatch(for answers: [Answer], in zone: String) async throws -> ClientChange? {
        let isInDoubt = answers.contains {
            if case .met(let row, _, _) = $0 { row.sentToken != nil } else { false }
        }
        guard isInDoubt else { return nil }
        let token = try await replica.read { try $0.token(of: zone).flatMap(Archives.token) }
        return try await database.lastBatch(inZoneNamed: zone, since: token)
    }

    /// - Parameter token: The name of the batch, if the server took something of it.
    private func apply(_ answers: [Answer], of zone: String, as token: Data?) async throws {
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
        let sent = answers.filter {
            if case .saved = $0 { true } else if case .deleted = $0 { true } else { false }
        }
        for answer in answers { note(answer) }
        count { progress in
            progress.sent += sent.count
            progress.toSend = max(0, progress.toSend - sent.count)
            progress.merged += merged
        }
    }

    private func note(_ answer: Answer) {
        switch answer {
        case .saved(let row, _), .deleted(let row), .refused(let row, _): memory.watch.noteSettled(row.id)
        case .met(let row, _, _): memory.watch.noteConflict(row.id)
        case .notTaken: break
        }
    }
}

extension CKDatabase {
    /// What the server says of this device's last batch in a zone.
    fileprivate func lastBatch(
        inZoneNamed zone: String, since token: CKServerChangeToken?
    ) async throws -> ClientChange? {
        do {
            return try await recordZoneChangesAndLastBatch(
                inZoneWith: CKRecordZone.ID(zoneName: zone), since: token, desiredKeys: [], resultsLimit: 1
            ).lastBatch
        } catch let error as CKError where error.code == .changeTokenExpired && token != nil {
            return try await lastBatch(inZoneNamed: zone, since: nil)
        }
    }
}

/// What the server answered to a batch.
private struct SendResults {
    var saveResults: [CKRecord.ID: Result<CKRecord, any Error>] = [:]
    var deleteResults: [CKRecord.ID: Result<Void, any Error>] = [:]

    /// Whether it took anything.
    var hasSuccess: Bool {
        saveResults.values.contains { (try? $0.get()) != nil }
            || deleteResults.values.contains { (try? $0.get()) != nil }
    }
}

extension ReplicaRow {
    /// Whether, as it goes out, no earlier answer about it is missing.
    var isFirstAttempt: Bool { sent == nil }

    /// The record to save: the server's version as it was last seen, with what changed since.
    func record(with files: LocalReplica) throws -> CKRecord {
        let record =
            try systemFields.flatMap(Archives.record) ?? CKRecord(recordType: type, recordID: id.recordID)
        let (fields, before) = (fields ?? Fields(), serverFields ?? Fields())
        for name in Set(fields.names).union(before.names).sorted() where fields[name] != before[name] {
            let field = fields[name] ?? before[name].map { _ in nil } ?? nil
            record.set(field, forKey: name) { files.file(of: $0) }
        }
        return record
    }

    /// The server's version after a save: what was sent, under a new tag.
    func version(of record: CKRecord) -> ServerVersion {
        ServerVersion(
            id: id, type: type, tag: record.recordChangeTag ?? "",
            systemFields: Archives.systemFields(of: record), fields: fields ?? Fields())
    }
}

extension RecordID {
    /// The identity as the cloud knows it.
    var recordID: CKRecord.ID { CKRecord.ID(self) }
}

extension CKRecord {
    var hasChanges: Bool { !changedKeys().isEmpty || !encryptedValues.changedKeys().isEmpty }
}
