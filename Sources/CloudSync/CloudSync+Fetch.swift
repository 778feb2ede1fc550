import Cloudlet
package import Foundation
package import LocalReplica
package import Records

extension CloudSync {
    /// Fetches the next page of changes of a zone, and applies it to the replica. The files of its records
    /// are not part of the page: `MissingFiles` downloads those that this device does not have.
    func fetch(_ zone: ZoneID) async throws {
        memory.pushedZones.remove(zone)
        let (token, unanswered) = try await replica.read {
            (try $0.token(of: zone).map(Archives.token), try $0.unansweredBatch(in: zone)?.token)
        }
        let (page, last) = try await database.recordZoneChangesAndLastBatch(
            inZoneWith: zone.zoneID, since: token,
            resultsLimit: configuration.pageSize > 0 ? configuration.pageSize : nil, downloadsFiles: false)
        let names = page.modificationResultsByID.keys.map(\.recordName)
        let held = try await replica.read { try $0.tags(of: names, in: zone) }
        var versions: [ServerVersion] = []
        var known: [String] = []
        var failed: [String] = []
        for (id, result) in page.modificationResultsByID {
            guard let record = try result.map(\.record).unlessRecordFailed() else {
                failed.append(id.recordName)
                continue
            }
            // The feed also returns what this device has sent. The replica has this version already.
            if let tag = held[id.recordName], tag == record.recordChangeTag {
                known.append(id.recordName)
                continue
            }
            versions.append(try replica.keep(record, in: zone))
        }
        if !failed.isEmpty || versions.contains(where: { replica.lacksFiles(of: $0.fields) }) {
            recordMissingFiles()
        }
        try await apply(
            FetchedPage(
                zone: zone, versions: versions.sorted { $0.id.name < $1.id.name },
                deletions: page.deletions.map(\.recordID.recordName).sorted(),
                token: try Archives.data(page.changeToken), moreComing: page.moreComing, lastBatch: last,
                known: known, failed: failed.sorted()),
            remaining: page.moreComing ? page.changeToken.remaining : nil)
        // A push that arrived after the request may report a change that is not in the page. Storing the page
        // has cleared the mark of that push, so the zone is marked again.
        if memory.pushedZones.contains(zone) { try await replica.write { _ = try $0.markStale(zone) } }
        if page.moreComing, page.changeToken == token {
            throw SyncStall.feedStandsStill(zone: zone.displayName)
        }
        if !page.moreComing { memory.stallDetector.recordEnd(of: .fetching(zone)) }
        let isEmpty = page.modificationResultsByID.isEmpty && page.deletions.isEmpty
        memory.stallDetector.recordPage(isEmpty: isEmpty && page.moreComing)
        // Further pages may contain the records of the unanswered batch, so the zone counts as asked only
        // after the last page, or if the server did not apply that batch.
        if !page.moreComing || last.map({ Data($0.token) }) != unanswered { memory.askedZones.insert(zone) }
    }

    private func apply(_ page: FetchedPage, remaining: Int?) async throws {
        let (policy, now) = (configuration.policy, configuration.now())
        let merged = try await replica.write { try $0.apply(page, policy, at: now) }
        count { progress in
            progress.fetched += page.versions.count + page.deletions.count
            progress.merged += merged
            progress.toFetch = remaining
        }
    }
}

extension LocalReplica {
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
        flatMap { _, field in
            field.value.elements.compactMap { if case .asset(let asset) = $0 { asset } else { nil } }
        }
    }
}

extension Result<CKRecord, any Error> {
    /// Returns the record, also if only a file of it is missing.
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
    /// Records of the page for which the server returned an error. `MissingFiles` fetches them by name.
    package var failed: [String]

    package init(
        zone: ZoneID, versions: [ServerVersion], deletions: [String], token: Data, moreComing: Bool,
        lastBatch: ClientChange? = nil, known: [String] = [], failed: [String] = []
    ) {
        self.zone = zone
        self.versions = versions
        self.deletions = deletions
        self.token = token
        self.moreComing = moreComing
        self.lastBatch = lastBatch
        self.known = known
        self.failed = failed
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
