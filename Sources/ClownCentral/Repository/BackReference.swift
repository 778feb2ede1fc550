import Cloudlet
import Foundation

/// Queries by back reference: the party knows nothing of what belongs to it.
enum BackReference {
    /// The condition that a reference field points at a party; the action of the reference does not matter.
    static func predicate(_ key: CKRecord.FieldKey, to party: Party.ID) -> NSPredicate {
        let reference = CKRecord.Reference(recordID: CKRecord.ID(recordName: party), action: .none)
        return NSPredicate(format: "%K = %@", key, reference)
    }

    /// How many records point at a party; nothing but their identifiers is fetched.
    static func count(
        _ recordType: CKRecord.RecordType,
        _ key: CKRecord.FieldKey,
        to party: Party.ID,
        in database: CKDatabase
    ) async throws -> Int {
        let query = CKQuery(recordType: recordType, predicate: predicate(key, to: party))
        var page = try await Paging.first(query, in: database, keys: [], limit: Batch.largest)
        var count = page.records.count
        while let cursor = page.cursor {
            page = try await Paging.next(cursor, in: database, keys: [], limit: Batch.largest)
            count += page.records.count
        }
        return count
    }
}
