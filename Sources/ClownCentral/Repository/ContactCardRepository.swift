import Cloudlet
import Foundation

/// Contact cards of one person.
struct ContactCardRepository: Sendable {
    /// How a change is written over what the server has.
    enum Policy: String, CaseIterable, Sendable {
        /// Only over the version that was fetched: the policy to take unless there is a reason.
        case locked
        /// The changed fields, over whatever is there.
        case changedKeys = "changed-keys"
        /// All fields that this app knows, over whatever is there.
        case allKeys = "all-keys"
    }

    let database: CKDatabase

    /// Stores a new card; throws a conflict when there is one of that name.
    func create(_ name: String, _ changes: [ContactCard.Change]) async throws -> CKRecord {
        let recordID = CKRecord.ID(recordName: ContactCard.recordName(name))
        let record = CKRecord(recordType: ContactCard.recordType, recordID: recordID)
        record["name"] = name
        ContactCard.write(changes, to: record)
        return try await database.save(record)
    }

    /// Writes changes into the version that the caller holds, and that version over the server's.
    func edit(
        _ held: CKRecord, _ changes: [ContactCard.Change], policy: Policy, merging: Bool
    ) async throws -> SaveOutcome {
        switch policy {
        case .locked:
            return try await editLocked(held, changes, merging: merging)
        case .changedKeys:
            ContactCard.write(changes, to: held)
            return .saved(try await save(held, .changedKeys))
        case .allKeys:
            let record = ContactCard.asFirstRelease(held)
            ContactCard.write(changes, to: record)
            return .saved(try await save(record, .allKeys))
        }
    }

    private func editLocked(
        _ held: CKRecord, _ changes: [ContactCard.Change], merging: Bool
    ) async throws -> SaveOutcome {
        ContactCard.write(changes, to: held)
        do {
            return .saved(try await save(held, .ifServerRecordUnchanged))
        } catch {
            guard let conflict = SaveConflict(error) else { throw error }
            guard merging else { return .conflict(conflict) }
            let server = conflict.serverCopy
            let mergeable = ContactCard.mergeable(changes, server: server, ancestor: conflict.ancestor)
            ContactCard.write(mergeable, to: server)
            return .merged(try await save(server, .ifServerRecordUnchanged), after: conflict)
        }
    }

    private func save(
        _ record: CKRecord, _ policy: CKModifyRecordsOperation.RecordSavePolicy
    ) async throws -> CKRecord {
        let answer = try await database.modifyRecords(saving: [record], deleting: [], savePolicy: policy)
        return try answer.saveResults[record.recordID]?.get() ?? record
    }
}
