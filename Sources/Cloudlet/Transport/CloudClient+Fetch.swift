import Foundation
internal import Records
internal import RecordsWire

/// A record ID and the result of fetching its record.
typealias RecordMatch = (CKRecordID, Result<CKRecord, any Error>)

extension CloudClient {
    /// Fetches records by ID, with one request per zone.
    ///
    /// - Parameters:
    ///   - desiredKeys: The fields to fetch; nil means all, empty means none. Assets in other fields are not
    ///     downloaded.
    ///   - report: Called once per zone with one result for each distinct ID.
    /// - Throws: `CKError` for the request as a whole.
    func fetch(
        _ ids: [CKRecordID],
        desiredKeys: [String]?,
        progress: @escaping @Sendable (CKRecordID, Double) -> Void,
        report: @Sendable ([RecordMatch]) async -> Void
    ) async throws {
        var seen: Set<CKRecordID> = []
        let unique = ids.filter { seen.insert($0).inserted }
        let zones = unique.grouped(by: \.zoneID)
        for (_, ids) in zones { try CKError.check(ids.count, limit: limits.recordsPerResponse) }
        for (zone, ids) in zones {
            try Task.checkCancellation()
            let found = try await lookUp(ids, in: ZoneID(zone), desiredKeys: desiredKeys)
            let complete = await downloads.complete(found, progress: progress)
            await report(Array(zip(ids, complete)))
        }
    }

    private func lookUp(
        _ ids: [CKRecordID], in zone: ZoneID, desiredKeys: [String]?
    ) async throws -> [Result<CKRecord, any Error>] {
        let items = ids.map { RecordsLookupRequest.Item(recordName: $0.recordName) }
        let request = RecordsLookupRequest(items, zone: zone, desiredKeys: desiredKeys)
        let answers: [RecordAnswer]
        do {
            answers = try RecordsAnswer(bytes: try await call(.recordsLookup, request), zone: zone).records
        } catch let error as CKError where error.concernsZone {
            return ids.map { _ in .failure(error) }
        } catch {
            throw CKError(failure: error)
        }
        guard answers.count == ids.count else {
            throw CKError.incompleteAnswer(answers.count, of: ids.count, "records")
        }
        await zoneKeys.learn(from: answers)
        return answers.map { answer in result(answer) }
    }

    /// Fetches one page of a query.
    ///
    /// - Parameters:
    ///   - cursor: The cursor of the previous page; nil for the first page.
    ///   - limit: The maximum number of records; 0 lets the server choose.
    /// - Throws: `CKError`; `.invalidArguments` for a query that the service does not support.
    func query(
        _ query: CKQuery, zoneID: CKRecordZoneID?, after cursor: CKQueryCursor?, desiredKeys: [String]?,
        limit: Int
    ) async throws -> (matches: [RecordMatch], cursor: CKQueryCursor?) {
        guard database != .shared || zoneID != nil else {
            throw CKError.invalidArguments(
                "SharedDB does not support Zone Wide queries - pass the ID of a zone")
        }
        let zone = zoneID.map { ZoneID($0) }
        let isZoneWide = zone == nil && database == .private
        // All pages evaluate `now()` as the time of the first page. Otherwise they would be pages of
        // different queries.
        let moment = cursor?.moment ?? connection.now()
        let question = QueryRequest(
            try query.wire(now: moment, home: isZoneWide ? nil : zone ?? .default), zone: zone,
            isZoneWide: isZoneWide, limit: limit > 0 ? limit : nil,
            marker: cursor.map { [UInt8]($0.marker) })
        let request = RecordsQueryRequest(question, desiredKeys: desiredKeys)
        do {
            let answer = try RecordsAnswer(
                bytes: try await call(.recordsQuery, request), zone: zone ?? .default)
            await zoneKeys.learn(from: answer.records)
            let results = await downloads.complete(answer.records.map { result($0) })
            let ids = answer.records.map { recordID($0) }
            let cursor = answer.continuationMarker.map { marker in
                CKQueryCursor(query: query, zoneID: zoneID, marker: Data(marker), moment: moment)
            }
            return (Array(zip(ids, results)), cursor)
        } catch {
            throw CKError(failure: error)
        }
    }

    /// Converts an answer to a record whose assets are not downloaded yet, or to the answer's error.
    func result(_ answer: RecordAnswer) -> Result<CKRecord, any Error> {
        switch answer {
        case .record(let record): .success(context.record(record))
        case .deleted: .failure(CKError.make(.unknownItem, "The record was deleted."))
        case .failure(_, let error): .failure(CKError(error, isSignedIn: context.isSignedIn))
        }
    }

    /// The ID of the record in an answer. It has an empty name for a failure without an ID.
    func recordID(_ answer: RecordAnswer) -> CKRecordID {
        switch answer {
        case .record(let record): context.recordID(record.id)
        case .deleted(let id, _, _): context.recordID(id)
        case .failure(let id, _): id.map { context.recordID($0) } ?? CKRecordID(recordName: "")
        }
    }
}
