import Cloudlet
package import Foundation
package import LocalReplica
package import Records

extension CloudSync {
    /// Fetches the next page of a zone and takes it in.
    func fetch(_ zone: String) async throws {
        let zoneID = CKRecordZone.ID(zoneName: zone)
        let (token, doubt) = try await replica.read {
            (try $0.token(of: zone).flatMap(Archives.token), try $0.doubt(in: zone)?.token)
        }
        let (page, last) = try await database.recordZoneChangesAndLastBatch(
            inZoneWith: zoneID, since: token,
            resultsLimit: configuration.pageSize > 0 ? configuration.pageSize : nil)
        let names = page.modificationResultsByID.keys.map(\.recordName)
        let held = try await replica.read { try $0.tags(of: names, in: zone) }
        var versions: [ServerVersion] = []
        var known: [String] = []
        for (id, result) in page.modificationResultsByID {
            let record = try result.get().record
            // The feed brings back what this device has sent itself: that is here, and stays as it lies.
            if let tag = held[id.recordName], tag == record.recordChangeTag {
                known.append(id.recordName)
                continue
            }
            guard let version = try replica.keep(record) else {
                throw MissingFile(record: record.recordID.recordName)
            }
            versions.append(version)
        }
        try await apply(
            FetchedPage(
                zone: zone, versions: versions.sorted { $0.id.name < $1.id.name },
                deletions: page.deletions.map(\.recordID.recordName).sorted(),
                token: try Archives.data(page.changeToken), moreComing: page.moreComing, lastBatch: last,
                known: known),
            remaining: page.moreComing ? page.changeToken.remaining : nil)
        // What did arrive comes with the pages that follow; for what did not, there is nothing to wait for.
        if !page.moreComing || last.map({ Data($0.token) }) != doubt { memory.askedZones.insert(zone) }
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
    /// The version that a record is, with the files that it carries kept beside the replica. Nil when a file
    /// is neither here nor came with it: then it has to be fetched by itself.
    func keep(_ record: CKRecord) throws -> ServerVersion? {
        let (fields, files) = record.contents
        for (_, field) in fields {
            for case .asset(let asset) in field.value.elements
            where file(of: asset) == nil {
                guard let file = files[asset.fileChecksum] else { return nil }
                _ = try keepFile(at: file)
            }
        }
        return ServerVersion(
            id: RecordID(name: record.recordID.recordName, zone: record.recordID.zoneID.zoneName),
            type: record.recordType, tag: record.recordChangeTag ?? "",
            systemFields: Archives.systemFields(of: record), fields: fields)
    }
}

/// A file that did not come with its record: the page is fetched again.
struct MissingFile: Error, CustomStringConvertible {
    let record: String

    var description: String { "a file of \(record) was not downloaded" }
}

/// A page of a zone's changes.
package struct FetchedPage: Sendable {
    package var zone: String
    package var versions: [ServerVersion]
    package var deletions: [String]
    package var token: Data
    package var moreComing: Bool
    /// The last batch of this device that the server took; nil when it does not say.
    package var lastBatch: ClientChange?
    /// Records that it brought in the versions that are here.
    package var known: [String]

    package init(
        zone: String, versions: [ServerVersion], deletions: [String], token: Data, moreComing: Bool,
        lastBatch: ClientChange? = nil, known: [String] = []
    ) {
        self.zone = zone
        self.versions = versions
        self.deletions = deletions
        self.token = token
        self.moreComing = moreComing
        self.lastBatch = lastBatch
        self.known = known
    }
}

extension ReplicaWriter {
    /// Takes in a page together with its token. Returns how many conflicts were resolved.
    package func apply(_ page: FetchedPage, _ policy: MergePolicy, at now: Date) throws -> Int {
        let pending = try reader.pendingNames(in: page.zone)
        let isSweeping = try isSweeping(page.zone)
        let taken = try reader.takenToken(in: page.zone)
        var merged = 0
        func arrival(_ row: ReplicaRow?) -> Arrival { row?.arrival(page.lastBatch, after: taken) ?? .unknown }
        func applyDeletion(_ id: RecordID) throws {
            guard let row = try reader.row(id) else { return }
            let plan = MergePlan.plan(row, .gone, policy, arrival(row))
            if try carryOut(plan, id, type: row.type, nil, at: now) { merged += 1 }
        }
        try take(page.versions.filter { !pending.contains($0.id.name) }, in: page.zone)
        for version in page.versions where pending.contains(version.id.name) {
            let row = try reader.row(version.id)
            let plan = MergePlan.plan(
                row, .version(tag: version.tag, version.fields), policy, arrival(row))
            if try carryOut(plan, version.id, type: version.type, version, at: now) { merged += 1 }
        }
        for name in page.deletions { try applyDeletion(RecordID(name: name, zone: page.zone)) }
        if isSweeping { try noteSeen(page.versions.map(\.id.name) + page.known, in: page.zone) }
        try setToken(page.token, of: page.zone, moreComing: page.moreComing)
        if isSweeping, !page.moreComing { for id in try endSweep(page.zone) { try applyDeletion(id) } }
        if let last = page.lastBatch {
            try noteLast(Data(last.token), in: page.zone, isWhole: !page.moreComing)
        }
        return merged
    }

    /// Does what the merge table says. Returns whether it resolved a conflict.
    func carryOut(
        _ plan: MergePlan, _ id: RecordID, type: String, _ version: ServerVersion?, at now: Date
    ) throws -> Bool {
        var what = ""
        var notes: [String] = []
        switch plan {
        case .nothing: break
        case .take(let words):
            what = words
            if let version {
                try take([version], in: id.zone.name)
                try dropPending(id)
            }
        case .remove(let words):
            what = words
            try remove(id)
        case .send(let fields, let words, let made):
            (what, notes) = (words, made)
            if let version { try merge(fields, over: version) }
        case .sendAsNew(let words):
            what = words
            try makeNew(id)
        }
        guard !what.isEmpty else { return false }
        try note(id, type: type, what: what, fields: notes.joined(separator: "; "), at: now)
        return true
    }

    /// The server has no such record any more. One that was made again since is to be sent as new.
    func settleDeletion(_ row: ReplicaRow) throws {
        guard let present = try reader.row(row.id) else { return }
        if present.fields == nil { try remove(row.id) } else { try makeNew(row.id) }
    }
}
