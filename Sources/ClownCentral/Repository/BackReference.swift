import Cloudlet
import Foundation

/// Queries for the records that refer to a party.
enum BackReference {
    /// Matches records whose reference field points at the party. The comparison ignores the reference's
    /// action.
    static func predicate(_ key: CKRecord.FieldKey, to party: Party.ID) -> NSPredicate {
        let reference = CKRecord.Reference(recordID: CKRecord.ID(recordName: party), action: .none)
        return NSPredicate(format: "%K = %@", key, reference)
    }

    /// Counts the records that refer to a party. It fetches their IDs only.
    static func count(
        _ recordType: CKRecord.RecordType,
        _ key: CKRecord.FieldKey,
        to party: Party.ID,
        in database: CKDatabase
    ) async throws -> Int {
        let query = CKQuery(recordType: recordType, predicate: predicate(key, to: party))
        var page = try await RecordPage.first(query, in: database, keys: [], limit: Batch.maximumRecords)
        var count = page.records.count
        while let cursor = page.cursor {
            page = try await RecordPage.next(cursor, in: database, keys: [], limit: Batch.maximumRecords)
            count += page.records.count
        }
        return count
    }
}
