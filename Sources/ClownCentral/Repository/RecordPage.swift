import Cloudlet
import Foundation

/// One page of a query's records.
struct RecordPage {
    let records: [CKRecord]
    /// The start of the next page; nil on the last page.
    let cursor: CKQueryOperation.Cursor?

    /// The first page. If the record type does not exist on the server yet, the page is empty.
    ///
    /// - Parameter zone: The zone of the records; nil for the default zone. Queries of the shared database
    ///   need one.
    static func first(
        _ query: CKQuery,
        in database: CKDatabase,
        zone: CKRecordZone.ID? = nil,
        keys: [CKRecord.FieldKey]?,
        limit: Int
    ) async throws -> RecordPage {
        let matches: [Result<CKRecord, any Error>]
        let cursor: CKQueryOperation.Cursor?
        do {
            let answer = try await database.records(
                matching: query,
                inZoneWith: zone,
                desiredKeys: keys,
                resultsLimit: min(limit, Batch.maximumRecords)
            )
            matches = answer.matchResults.map(\.1)
            cursor = answer.queryCursor
        } catch let error as CKError where error.code == .unknownItem {
            return RecordPage(records: [], cursor: nil)
        }
        return RecordPage(records: try existing(matches), cursor: cursor)
    }

    /// The page that begins at a cursor.
    static func next(
        _ cursor: CKQueryOperation.Cursor,
        in database: CKDatabase,
        keys: [CKRecord.FieldKey]?,
        limit: Int
    ) async throws -> RecordPage {
        let answer = try await database.records(
            continuingMatchFrom: cursor,
            desiredKeys: keys,
            resultsLimit: min(limit, Batch.maximumRecords)
        )
        return RecordPage(records: try existing(answer.matchResults.map(\.1)), cursor: answer.queryCursor)
    }

    /// The records without those that were deleted since the server found them. Throws any other error of a
    /// record.
    private static func existing(_ matches: [Result<CKRecord, any Error>]) throws -> [CKRecord] {
        try matches.compactMap { try $0.unlessMissing() }
    }
}

extension Result<CKRecord, any Error> {
    /// The record; nil if the server has none. Throws any other error.
    func unlessMissing() throws -> CKRecord? {
        do {
            return try get()
        } catch let error as CKError where error.code == .unknownItem {
            return nil
        }
    }
}
