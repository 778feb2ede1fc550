import Cloudlet
import Foundation

/// One page of a query's records, and the cursor for the next page.
struct Paging {
    let records: [CKRecord]
    let cursor: CKQueryOperation.Cursor?

    /// The first page. If the record type does not exist on the server yet, the page is empty.
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
