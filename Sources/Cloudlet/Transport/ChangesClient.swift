import Foundation
internal import Records
internal import RecordsWire

/// One page of a zone's change feed, converted to the types of the public API.
struct ZoneChanges: Sendable {
    enum Change: Sendable {
        case changed(CKRecordID, Result<CKRecord, any Error>)
        /// See `CloudClient.prefersPlainRecords`.
        case plain(PlainRecord)
        /// `type` is empty when the server does not send it.
        case deleted(CKRecordID, type: String)
    }

    enum End: Sendable {
        case more(CKServerChangeToken)
        case finished(CKServerChangeToken, moreComing: Bool)
        case failed(CKError)
    }

    var zoneID: CKRecordZoneID
    var changes: [Change]
    var end: End
    /// The last batch of this device that the server accepted; nil when the server does not report it.
    var lastBatch: ClientChange?

    /// The client change token that the app gave that batch.
    var clientToken: Data? {
        lastBatch.flatMap { $0.token.isEmpty ? nil : Data($0.token) }
    }

    /// The errors of single records.
    var errors: [CKRecordID: any Error] {
        var errors: [CKRecordID: any Error] = [:]
        for case .changed(let id, .failure(let error)) in changes { errors[id] = error }
        return errors
    }
}

/// One page of a database's change feed, converted to the types of the public API.
struct DatabaseChanges: Sendable {
    enum Change: Sendable {
        case changed(CKRecordZoneID)
        case deleted(CKDatabase.DatabaseChange.Deletion)
    }

    var changes: [Change]
    var token: CKServerChangeToken
    var moreComing: Bool
}

extension ZoneFeedPlan.Feed {
    /// Creates the feed request of a zone from the app's configuration.
    init(_ zoneID: CKRecordZoneID, _ configuration: CKFetchRecordZoneChangesConfiguration) {
        self.zoneID = zoneID
        request = ZoneFeed(
            zone: ZoneID(zoneID),
            token: configuration.previousServerChangeToken?.wire,
            resultsLimit: configuration.resultsLimit > 0 ? configuration.resultsLimit : nil,
            desiredKeys: configuration.desiredKeys
        )
    }
}

/// Reads the change feeds of a database: the changes in its zones, and the list of changed zones.
struct ChangesClient: Sendable {
    let client: CloudClient

    /// Fetches the changes of zones. Zones that have more changes share the next request.
    ///
    /// The next pages are requested while the files of the last ones are downloaded and the app processes
    /// them.
    ///
    /// - Parameter report: Called with each page of each zone, in order.
    /// - Throws: `CKError` for a request as a whole. Pages that were already reported stay valid.
    func recordChanges(
        _ feeds: [ZoneFeedPlan.Feed], fetchesAll: Bool, report: @Sendable (ZoneChanges) async -> Void
    ) async throws {
        for feed in feeds where feed.zoneID.zoneName == CKRecordZoneID.defaultZoneName {
            let page = ZoneChanges(zoneID: feed.zoneID, changes: [], end: .failed(Self.noFeed))
            await report(page)
        }
        let custom = feeds.filter { $0.zoneID.zoneName != CKRecordZoneID.defaultZoneName }
        var plan = ZoneFeedPlan(
            custom, fetchesAll: fetchesAll, zonesPerRequest: client.limits.zonesPerRequest)
        guard let first = plan.request else { return }
        var answer = try await ask(first)
        while true {
            let pages = try plan.take(answer)
            guard let next = plan.request else { return try await deliver(pages, report) }
            async let following = ask(next)
            try await deliver(pages, report)
            answer = try await following
        }
    }

    private static var noFeed: CKError {
        .make(
            .serverRejectedRequest,
            "AppDefaultZone does not support getChanges call - keep records whose changes you follow in a"
                + " zone of your own"
        )
    }

    private func ask(_ request: ChangesZoneRequest) async throws -> ChangesZoneAnswer {
        do {
            return try ChangesZoneAnswer(bytes: try await client.call(.changesZone, request))
        } catch {
            throw CKError(failure: error)
        }
    }

    /// Reports pages. Throws on cancellation before the next page is reported, so that the app never stores a
    /// token for records that it has not received.
    private func deliver(
        _ pages: [ZoneFeedPlan.Page], _ report: @Sendable (ZoneChanges) async -> Void
    ) async throws {
        for page in pages {
            let changes = await translated(page.changes)
            try Task.checkCancellation()
            let end = translated(page.end, remaining: page.remaining)
            await report(
                ZoneChanges(zoneID: page.zoneID, changes: changes, end: end, lastBatch: page.lastBatch))
        }
    }

    private func translated(_ answers: [RecordAnswer]) async -> [ZoneChanges.Change] {
        await client.zoneKeys.learn(from: answers)
        let context = client.context
        var changes: [ZoneChanges.Change?] = answers.map { answer in
            switch answer {
            case .deleted(let id, _, let type): .deleted(context.recordID(id), type: type ?? "")
            case .record(let record) where client.prefersPlainRecords:
                context.plain(record).map(ZoneChanges.Change.plain)
            default: nil
            }
        }
        let others = changes.indices.filter { changes[$0] == nil }
        let results = await client.downloads.complete(others.map { client.result(answers[$0]) })
        for (index, result) in zip(others, results) {
            changes[index] = .changed(client.recordID(answers[index]), result)
        }
        return changes.compactMap(\.self)
    }

    private func translated(_ end: ZoneFeedPlan.End, remaining: Int?) -> ZoneChanges.End {
        switch end {
        case .more(let token): .more(CKServerChangeToken(token, remaining: remaining))
        case .finished(let token, let more):
            .finished(CKServerChangeToken(token, remaining: remaining), moreComing: more)
        case .failed(let error): .failed(CKError(error, isSignedIn: client.context.isSignedIn))
        }
    }
}

extension ChangesClient {
    /// Fetches which zones changed, page by page.
    ///
    /// - Parameter report: Called with each page; `isLast` is true for the last page that is requested.
    /// - Returns: The last token, and whether more changes remain.
    /// - Throws: `CKError`. Pages that were already reported stay valid.
    func databaseChanges(
        since token: CKServerChangeToken?, limit: Int, fetchesAll: Bool,
        report: @Sendable (DatabaseChanges, _ isLast: Bool) async -> Void
    ) async throws -> (token: CKServerChangeToken, moreComing: Bool) {
        var token = token
        while true {
            let page = try await page(since: token, limit: limit)
            try Task.checkCancellation()
            let isLast = !page.moreComing || !fetchesAll
            await report(page, isLast)
            if isLast { return (page.token, page.moreComing) }
            guard page.token != token else {
                throw CKError.stuckFeed(of: "the database")
            }
            token = page.token
        }
    }

    private func page(since token: CKServerChangeToken?, limit: Int) async throws -> DatabaseChanges {
        let request = ChangesDatabaseRequest(token: token?.wire, resultsLimit: limit > 0 ? limit : nil)
        do {
            let answer = try ChangesDatabaseAnswer(bytes: try await client.call(.changesDatabase, request))
            return DatabaseChanges(
                changes: try answer.zones.compactMap { try change($0) },
                token: CKServerChangeToken(answer.token),
                moreComing: answer.moreComing
            )
        } catch {
            throw CKError(failure: error)
        }
    }

    /// The change of one zone. Nil for the default zone, which change feeds do not include. Nil also for a
    /// zone of another person whose database failed: a later page has its changes.
    private func change(_ answer: ZoneResult) throws -> DatabaseChanges.Change? {
        switch answer {
        case .failure(.some, _): return nil
        case .failure(nil, let error): throw error
        case .zone(let zone) where zone.id.isDefault: return nil
        case .zone(let zone): return .changed(client.context.zoneID(zone.id))
        case .deleted(let id, _) where id.isDefault: return nil
        case .deleted(let id, let reason):
            return .deleted(.init(zoneID: client.context.zoneID(id), reason: .init(reason)))
        }
    }
}

extension CKDatabase.DatabaseChange.Deletion.Reason {
    fileprivate init(_ reason: ZoneDeletionReason) {
        switch reason {
        case .deleted: self = .deleted
        case .purged: self = .purged
        case .encryptedDataReset: self = .encryptedDataReset
        }
    }
}

extension CKServerChangeToken {
    /// Creates a token from the server's bytes.
    convenience init(_ token: ChangeToken, remaining: Int? = nil) {
        self.init(text: Base64.encode(token.bytes), remaining: remaining)
    }

    /// The token for a request. Text that is not Base64 is sent as UTF-8 bytes, which the server refuses.
    var wire: ChangeToken {
        ChangeToken(bytes: Base64.decode(text) ?? Array(text.utf8))
    }
}
