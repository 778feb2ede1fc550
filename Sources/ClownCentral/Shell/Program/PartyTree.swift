import Cloudlet
import CloudletShell
import Foundation

/// The records that go with a party.
struct PartyTree: Sendable {
    /// The party first, then what points at it.
    let records: [CKRecord]

    /// Fetches a party with its clowns, attendees and photos, files included.
    static func read(_ party: Party.ID, from database: CKDatabase) async throws -> PartyTree {
        var records = [try await database.record(for: CKRecord.ID(recordName: party))]
        let children = [
            (Clown.recordType, Clown.Key.party), (Attendee.recordType, Attendee.Key.party),
            (Photo.recordType, Photo.Key.party),
        ]
        for (type, key) in children {
            let query = CKQuery(recordType: type, predicate: BackReference.predicate(key, to: party))
            var page = try await Paging.first(query, in: database, keys: nil, limit: Batch.largest)
            records += page.records
            while let cursor = page.cursor {
                page = try await Paging.next(cursor, in: database, keys: nil, limit: Batch.largest)
                records += page.records
            }
        }
        return PartyTree(records: records)
    }

    /// How many of the records somebody else made; brought back, they are those of who brings them.
    func countOfOthers(than me: String?) -> Int {
        records.count { record in
            guard let name = record.creatorUserRecordID?.recordName else { return false }
            return name != CKCurrentUserDefaultName && name != me
        }
    }

    /// Saves the records anew, under their old names.
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
