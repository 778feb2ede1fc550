import Cloudlet
import Foundation

/// The contact cards in one person's private database.
struct ContactCardRepository: Sendable {
    /// The save policy: which fields are sent, and whether the server compares versions.
    enum Policy: String, CaseIterable, Sendable {
        /// Saves only if the server still has the version that was fetched. Otherwise the save conflicts, and
        /// `edit` merges it or returns the conflict. Use this policy unless there is a reason for another.
        case locked
        /// Saves the changed fields without comparing versions.
        case changedKeys = "changed-keys"
        /// Saves all fields of the app's first release without comparing versions.
        case allKeys = "all-keys"
    }

    let database: CKDatabase

    /// Saves a new card. Throws a conflict if a card of that name exists.
    func create(_ name: String, _ changes: [ContactCard.Change]) async throws -> CKRecord {
        let recordID = CKRecord.ID(recordName: ContactCard.recordName(name))
        let record = CKRecord(recordType: ContactCard.recordType, recordID: recordID)
        record["name"] = name
        ContactCard.write(changes, to: record)
        return try await database.save(record)
    }

    /// Applies changes to `held`, the version that the caller has, and saves the result with the given
    /// policy. With `merging`, a conflict is resolved by saving the mergeable changes to the server's
    /// version.
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
