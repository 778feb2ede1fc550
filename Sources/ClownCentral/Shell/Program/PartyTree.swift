import Cloudlet
import CloudletShell
import Foundation

/// The records that a deletion of a party removes, kept to restore them.
struct PartyTree: Sendable {
    /// The party, followed by the records that refer to it.
    let records: [CKRecord]

    /// Fetches a party with its clowns, attendees and photos, including the files.
    static func read(_ party: Party.ID, from database: CKDatabase) async throws -> PartyTree {
        var records = [try await database.record(for: CKRecord.ID(recordName: party))]
        let children = [
            (Clown.recordType, Clown.Key.party), (Attendee.recordType, Attendee.Key.party),
            (Photo.recordType, Photo.Key.party),
        ]
        for (type, key) in children {
            let query = CKQuery(recordType: type, predicate: BackReference.predicate(key, to: party))
            var page = try await RecordPage.first(query, in: database, keys: nil, limit: Batch.maximumRecords)
            records += page.records
            while let cursor = page.cursor {
                page = try await RecordPage.next(cursor, in: database, keys: nil, limit: Batch.maximumRecords)
                records += page.records
            }
        }
        return PartyTree(records: records)
    }

    /// The number of records that another person created. When they are restored, the person who restores
    /// them becomes their creator.
    func countOfOthers(than me: String?) -> Int {
        records.count { record in
            guard let name = record.creatorUserRecordID?.recordName else { return false }
            return name != CKCurrentUserDefaultName && name != me
        }
    }

    /// Saves the records as new ones under their old names.
    func restore(to database: CKDatabase) async throws -> Int {
        let anew = records.map { record in
            let copy = CKRecord(recordType: record.recordType, recordID: record.recordID)
            for (key, value) in record { copy.setObject(value, forKey: key) }
            return copy
        }
        _ = try await HalvingSaver(database: database).save(anew)
        return anew.count
    }
}
