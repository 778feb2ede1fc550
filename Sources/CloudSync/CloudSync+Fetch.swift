import Cloudlet
package import Foundation
package import LocalReplica
package import Records

extension CloudSync {
    /// Fetches the next pages of changes of a zone, and applies them to the replica. The files of their
    /// records are not part of the pages: `MissingFiles` downloads those that this device does not have.
    func fetch(_ zone: ZoneID) async throws {
        let wasPushed = memory.beginFetch(of: zone)
        do { try await fetchPages(of: zone) } catch {
            memory.failFetch(of: zone, wasPushed: wasPushed)
            throw error
        }
    }

    /// Fetches and applies pages until the feed ends or another step comes first. While a page is applied,
    /// the next one is already fetched and converted.
    private func fetchPages(of zone: ZoneID) async throws {
        var since = try memory.tokens[zone].map(Archives.token)
        var page = try await self.page(of: zone, since: since)
        // A page without progress ends the step, so that the sync notices if there are too many of them.
        while page.answer.moreComing, !page.answer.isEmpty, page.answer.changeToken != since {
            let token = page.answer.changeToken
            async let next = self.page(of: zone, since: token)
            try await store(page, of: zone, since: since)
            since = token
            guard try SyncStep.next(facts(), at: configuration.now()) == .fetch(zone) else { return }
            page = try await next
        }
        try await store(page, of: zone, since: since)
    }

    /// A page as the server sends it, and as it is applied.
    private typealias Page = (answer: ReplicaPage, fetched: FetchedPage)

    private func page(of zone: ZoneID, since token: CKServerChangeToken?) async throws -> Page {
        let answer = try await database.replicaPage(
            inZoneWith: zone.zoneID, since: token,
            resultsLimit: configuration.pageSize > 0 ? configuration.pageSize : nil)
        return (answer, try replica.fetchedPage(answer, of: zone))
    }

    /// Applies a page to the replica.
    private func store(_ page: Page, of zone: ZoneID, since token: CKServerChangeToken?) async throws {
        let (page, fetched) = page
        let applied = try await apply(fetched, remaining: page.moreComing ? page.changeToken.remaining : nil)
        if applied.lacksFiles || !fetched.failed.isEmpty { recordMissingFiles() }
        if page.moreComing, page.changeToken == token {
            throw SyncStall.feedStandsStill(zone: zone.displayName)
        }
        if !page.moreComing { memory.stallDetector.recordEnd(of: .fetching(zone)) }
        memory.stallDetector.recordPage(isEmpty: page.isEmpty && page.moreComing)
        memory.recordPage(of: zone)
        // Further pages may contain the records of the unanswered batch, so the zone counts as asked only
        // after the last page, or if the server did not apply that batch.
        let isInDoubt = page.moreComing && page.lastBatch.map { Data($0.token) } == applied.doubt
        if !isInDoubt { memory.askedZones.insert(zone) }
    }

    private func apply(_ fetched: FetchedPage, remaining: Int?) async throws -> AppliedPage {
        let now = configuration.now()
        // Everything is in one transaction, since each further one takes much of the time in which a change
        // of another device appears.
        let change: @Sendable (ReplicaWriter) throws -> AppliedPage = { [replica, configuration] writer in
            try AppliedPage(fetched, to: replica, writer, configuration, at: now)
        }
        // The pass flushes the last page when it ends, after the app has seen the records. Each page before
        // is flushed, so that a long download need not be repeated.
        let applied = try await fetched.moreComing ? replica.write(change) : replica.writeUnflushed(change)
        count { progress in
            progress.fetched += applied.versions + fetched.deletions.count
            progress.merged += applied.merged
            progress.toFetch = remaining
        }
        return applied
    }
}

extension ServerVersion {
    fileprivate init(_ record: PlainRecord, in zone: ZoneID) {
        var fields = record.fields
        fields.parent = record.parent
        self.init(
            id: RecordID(name: record.name, zone: zone), type: record.type, tag: record.changeTag,
            systemFields: record.systemFields, fields: fields)
    }
}

extension LocalReplica {
    /// Converts a page of the server, and stores the files that came with its records in the replica.
    fileprivate func fetchedPage(_ page: ReplicaPage, of zone: ZoneID) throws -> FetchedPage {
        var versions = page.plain.values.map { ServerVersion($0, in: zone) }
        var failed: [String] = []
        for (id, result) in page.others {
            if let record = try result.unlessRecordFailed() {
                versions.append(try keep(record, in: zone))
            } else {
                failed.append(id.recordName)
            }
        }
        return FetchedPage(
            zone: zone, versions: versions.sorted { $0.id.name < $1.id.name },
            deletions: page.deletions.sorted(), token: Archives.data(page.changeToken),
            moreComing: page.moreComing, lastBatch: page.lastBatch, failed: failed.sorted())
    }

    /// Returns the version of a record, and stores the files that came with it in the replica. Other files
    /// are fetched separately: see `MissingFiles`.
    func keep(_ record: CKRecord, in zone: ZoneID) throws -> ServerVersion {
        let (content, files) = record.contents
        var fields = content
        fields.parent = record.parent?.recordID.recordName
        for asset in fields.assets where file(of: asset) == nil {
            if let file = files[asset.fileChecksum] { _ = try keepFile(at: file) }
        }
        return ServerVersion(
            id: RecordID(name: record.recordID.recordName, zone: zone),
            type: record.recordType, tag: record.recordChangeTag ?? "",
            systemFields: Archives.systemFields(of: record), fields: fields)
    }

    /// Whether a file of these fields is not on this device.
    func lacksFiles(of fields: Fields) -> Bool {
        fields.assets.contains { file(of: $0) == nil }
    }
}

extension Fields {
    fileprivate var assets: [Asset] {
        var assets: [Asset] = []
        for field in values {
            switch field.value {
            case .asset(let asset): assets.append(asset)
            case .list(.asset, let elements):
                for case .asset(let asset) in elements { assets.append(asset) }
            default: break
            }
        }
        return assets
    }
}

extension Result<CKRecord, any Error> {
    /// Returns the record even if files of it could not be downloaded. Throws any other error, and also that
    /// one if it must stop the sync.
    func ignoringMissingFiles() throws -> CKRecord {
        do {
            return try get()
        } catch {
            guard let record = (error as? CKError)?.incompleteRecord, ErrorDecision(error) != .stop else {
                throw error
            }
            return record
        }
    }

    /// Returns the record; nil if the server returned an error. Throws if the operation was cancelled.
    fileprivate func unlessRecordFailed() throws -> CKRecord? {
        do {
            return try get()
        } catch {
            if ErrorDecision(error) == .stop { throw error }
            return nil
        }
    }
}

/// The effect of a page on the replica.
private struct AppliedPage: Sendable {
    let versions: Int
    let merged: Int
    let lacksFiles: Bool
    /// The token of the batch that was unanswered before.
    let doubt: Data?

    /// Applies a page, and passes it to `preparesImport` before and to `imports` afterwards.
    init(
        _ fetched: FetchedPage, to replica: LocalReplica, _ writer: ReplicaWriter,
        _ configuration: SyncConfiguration, at now: Date
    ) throws {
        var page = fetched
        try page.compare(with: writer.reader)
        page.lacksFiles = page.versions.contains { replica.lacksFiles(of: $0.fields) }
        doubt = try writer.reader.unansweredBatch(in: page.zone)?.token
        try configuration.preparesImport(writer, page)
        merged = try writer.apply(page, configuration.policy, at: now)
        try configuration.imports(writer, page)
        (versions, lacksFiles) = (page.versions.count, page.lacksFiles)
    }
}

/// A page of a zone's changes.
package struct FetchedPage: Sendable {
    package var zone: ZoneID
    package var versions: [ServerVersion]
    package var deletions: [String]
    package var token: Data
    package var moreComing: Bool
    /// The last batch of this device that the server applied; nil if the server does not return it.
    package var lastBatch: ClientChange?
    /// Records of the page whose version the replica has already.
    package var known: [String]
    /// Records of the page that the replica does not have, not even as edits of this device.
    package var added: Set<String> = []
    /// Records of the page for which the server returned an error. `MissingFiles` fetches them by name.
    package var failed: [String]
    /// Whether files of the records are missing on this device.
    package var lacksFiles: Bool

    package init(
        zone: ZoneID, versions: [ServerVersion], deletions: [String], token: Data, moreComing: Bool,
        lastBatch: ClientChange? = nil, known: [String] = [], failed: [String] = [], lacksFiles: Bool = false
    ) {
        self.zone = zone
        self.versions = versions
        self.deletions = deletions
        self.token = token
        self.moreComing = moreComing
        self.lastBatch = lastBatch
        self.known = known
        self.failed = failed
        self.lacksFiles = lacksFiles
    }

    /// Moves the versions that the replica has already to `known`: the feed also returns what this device has
    /// sent. Sets `added`.
    package mutating func compare(with reader: ReplicaReader) throws {
        let held = try reader.tags(of: versions.map(\.id.name), in: zone)
        let pending = try reader.pendingNames(in: zone)
        added = Set(versions.map(\.id.name).filter { held[$0] == nil && !pending.contains($0) })
            .subtracting(deletions)
        known = versions.filter { held[$0.id.name] == $0.tag }.map(\.id.name)
        if known.isEmpty { return }
        versions.removeAll { held[$0.id.name] == $0.tag }
    }
}

extension ReplicaWriter {
    /// Applies a page and its token in one transaction. Returns the number of resolved conflicts.
    package func apply(_ page: FetchedPage, _ policy: MergePolicy, at now: Date) throws -> Int {
        let pending = try reader.pendingNames(in: page.zone)
        let isSweeping = try isSweeping(page.zone)
        let lastApplied = try reader.lastAppliedToken(in: page.zone)
        var merged = 0
        func delivery(_ row: ReplicaRow?) -> BatchDelivery {
            row?.delivery(page.lastBatch, after: lastApplied) ?? .unknown
        }
        func applyDeletion(_ id: RecordID) throws {
            guard let row = try reader.row(id) else { return }
            let plan = MergePlan.plan(row, .gone, policy, delivery(row))
            if try apply(plan, id, type: row.type, nil, at: now) { merged += 1 }
        }
        try replace(with: page.versions.filter { !pending.contains($0.id.name) }, in: page.zone)
        for version in page.versions where pending.contains(version.id.name) {
            let row = try reader.row(version.id)
            let plan = MergePlan.plan(
                row, .version(tag: version.tag, version.fields), policy, delivery(row))
            if try apply(plan, version.id, type: version.type, version, at: now) { merged += 1 }
        }
        if page.zone.isShared, page.versions.contains(where: { $0.type == CKRecord.SystemType.share }) {
            try forgetRefusals(in: page.zone)
        }
        for name in page.deletions { try applyDeletion(RecordID(name: name, zone: page.zone)) }
        let whole = page.versions.map(\.id.name) + page.known
        if isSweeping { try markSeen(whole + page.failed, in: page.zone) }
        try removeUnfetched(whole + page.deletions, in: page.zone)
        try addUnfetched(page.failed, in: page.zone)
        try setToken(page.token, of: page.zone, moreComing: page.moreComing)
        if isSweeping, !page.moreComing { for id in try endSweep(page.zone) { try applyDeletion(id) } }
        if let last = page.lastBatch {
            try storeLastBatch(Data(last.token), in: page.zone, isWhole: !page.moreComing)
        }
        return merged
    }

    /// Applies versions that were fetched by name because the feed had an error for their records. Returns
    /// the number of resolved conflicts.
    func apply(late versions: [ServerVersion], _ policy: MergePolicy, at now: Date) throws -> Int {
        var merged = 0
        for version in versions {
            let plan = MergePlan.plan(
                try reader.row(version.id), .version(tag: version.tag, version.fields), policy)
            if try apply(plan, version.id, type: version.type, version, at: now) { merged += 1 }
            try removeUnfetched([version.id.name], in: version.id.zone)
        }
        return merged
    }

    /// Applies a merge plan to a record. Returns whether it resolved a conflict.
    func apply(
        _ plan: MergePlan, _ id: RecordID, type: String, _ version: ServerVersion?, at now: Date
    ) throws -> Bool {
        var what = ""
        var notes: [String] = []
        switch plan {
        case .nothing: break
        case .useServer(let reason):
            what = reason
            if let version {
                try replace(with: [version], in: id.zone)
                try dropPending(id)
            }
        case .remove(let reason):
            what = reason
            try remove(id)
        case .send(let fields, let reason, let made):
            (what, notes) = (reason, made)
            if let version { try merge(fields, over: version) }
            if id.zone.isShared { try forgetRefusals(in: id.zone, of: id.name) }
        case .sendAsNew(let reason, let base):
            what = reason
            try makeNew(id, base: base)
        }
        guard !what.isEmpty else { return false }
        try addConflict(id, type: type, summary: what, fields: notes.joined(separator: "; "), at: now)
        return true
    }

    /// Stores that the server has deleted a record. If the record was created again here meanwhile, it
    /// becomes pending as a new record.
    func storeDeletion(_ row: ReplicaRow) throws {
        guard let present = try reader.row(row.id) else { return }
        if present.fields == nil { try remove(row.id) } else { try makeNew(row.id) }
    }
}
