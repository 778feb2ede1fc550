import Cloudlet
import Foundation

/// One page of records and the place to go on from.
struct Paging {
    let records: [CKRecord]
    let cursor: CKQueryOperation.Cursor?

    /// The first page. A record type that nobody has saved yet has no records, which is no error here.
    static func first(
        _ query: CKQuery,
        in database: CKDatabase,
        keys: [CKRecord.FieldKey]?,
        limit: Int
    ) async throws -> Paging {
        do {
            let answer = try await database.records(
                matching: query,
                desiredKeys: keys,
                resultsLimit: min(limit, Batch.largest)
            )
            return Paging(records: try answer.matchResults.map { try $0.1.get() }, cursor: answer.queryCursor)
        } catch let error as CKError where error.code == .unknownItem {
            return Paging(records: [], cursor: nil)
        }
    }

    /// The page after `cursor`.
    static func next(
        _ cursor: CKQueryOperation.Cursor,
        in database: CKDatabase,
        keys: [CKRecord.FieldKey]?,
        limit: Int
    ) async throws -> Paging {
        let answer = try await database.records(
            continuingMatchFrom: cursor,
            desiredKeys: keys,
            resultsLimit: min(limit, Batch.largest)
        )
        return Paging(records: try answer.matchResults.map { try $0.1.get() }, cursor: answer.queryCursor)
    }
}
