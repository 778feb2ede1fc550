import Cloudlet
import Foundation
import LocalReplica
import Records

extension CloudSync {
    /// Performs a step. Errors other than `ReplicaError` and cancellation are handled as their
    /// `ErrorDecision` requires.
    func perform(_ step: SyncStep) async throws {
        memory.currentStep = step.kind
        let (failures, changes) = (memory.failures[step.kind], memory.accountChanges)
        do {
            switch step {
            case .identify: try await identify()
            case .readLimits: try await readLimits()
            case .fetchDatabase: try await fetchDatabase()
            case .makeZones(let zones):
                try await store(try await database.setUp(zones: zones.map(\.name)))
            case .follow(let zones, let followsNew):
                try await store(
                    try await database.setUp(subscriptionsTo: zones, andToNewZones: followsNew, of: scope)
                )
            case .send: try await send()
            case .fetch(let zone): try await fetch(zone)
            case .fetchFiles: try await fetchFiles()
            case .finished: break
            }
            // If single records failed, the step counts as failed, although it has ended.
            if memory.failures[step.kind] == failures { memory.failures[step.kind] = nil }
            // A fetch step reaches the end of its feed only with the last page. `fetch` records that itself.
            if case .fetch = step {} else { memory.stallDetector.recordEnd(of: step.kind) }
        } catch let error as ReplicaError {
            throw error
        } catch {
            memory.stallDetector.recordProblem(Self.text(of: error))
            try await handle(error, in: step, accountChanges: changes)
        }
        memory.hold = memory.stallDetector.end(step, memory.hold, at: configuration.now())
    }

    /// Handles the error of a whole request.
    ///
    /// - Parameter changes: the number of account changes when the step began.
    private func handle(_ error: any Error, in step: SyncStep, accountChanges changes: Int) async throws {
        let zone: ZoneID? = if case .fetch(let zone) = step { zone } else { nil }
        switch (ErrorDecision(error), zone) {
        case (.stop, _):
            throw CancellationError()
        case (.checkAccount, _) where step == .identify && memory.accountChanges == changes:
            memory.account = .problem(.nobody)
        case (.startOver, _):
            try await startOver(zone)
            memory.hold = memory.stallDetector.startOver(
                step.kind, zone?.displayName, memory.hold, at: configuration.now())
        case (.zoneGone(let isReset), let zone?): try await markDeleted(zone, isReset: isReset)
        case (.zonePurged, let zone?): try await markPurged(zone)
        case (.zoneGone, nil), (.zonePurged, nil):
            memory.isDatabaseStale = true
            backOff(error)
        case (.halve, _) where step != .send:
            // A smaller batch would not help this step.
            backOff(error)
        default: try await hold(for: error)
        }
    }

    /// Handles an error that concerns neither a zone nor a record.
    func hold(for error: any Error) async throws {
        let (why, now) = (Self.text(of: error), configuration.now())
        switch ErrorDecision(error) {
        case .stop: throw CancellationError()
        case .wait(let seconds):
            let until = now.addingTimeInterval(min(seconds, Self.longestWait))
            memory.hold = Hold(until: until, why: why, isAsked: true)
        case .checkAccount: memory.account = .unknown
        case .halve where memory.batchLimit > 1:
            memory.batchLimit /= 2
            // The server may have lowered its limits since they were read.
            memory.hasLimits = false
        default: backOff(error)
        }
    }

    /// The maximum of a wait that the server asks for, in seconds. A longer one may be a mistake, so the
    /// server is asked again after this time.
    private static let longestWait: TimeInterval = 3600

    private func backOff(_ error: any Error) {
        memory.failures[memory.currentStep, default: 0] += 1
        memory.hold = .backOff(
            after: memory.failures[memory.currentStep] ?? 1, why: Self.text(of: error),
            at: configuration.now())
        memory.hold?.stall = error as? SyncStall
    }

    static func text(of error: any Error) -> String {
        (error as? CKError)?.localizedDescription ?? "\(error)"
    }

    // MARK: Steps

    /// Compares the signed-in person with the owner of the replica's data. Data without an owner becomes the
    /// data of the signed-in person. The requests of the following steps fail if another person is signed in.
    func identify() async throws {
        let changes = memory.accountChanges
        let bound = try container.boundToPerson()
        let person = try await bound.userRecordID().recordName
        // After another change of the account, the next step asks again.
        guard memory.accountChanges == changes else { return }
        let owner = try await replica.write { [scope] writer in
            try writer.setScope(scope.rawValue)
            if let owner = try writer.reader.account() { return owner }
            try writer.setAccount(person)
            return person
        }
        let account: SyncFacts.Account =
            if owner == person { .owner } else {
                .problem(try await bound.knows(owner) ? .otherPerson : .unknownOwner)
            }
        if memory.accountChanges == changes { (memory.account, memory.container) = (account, bound) }
    }

    /// Fetches missing files, and records for which the server returned an error. Files that the server does
    /// not have and records that it cannot return are requested again later. After other errors, the sync
    /// first backs off a few times, because the connection may be bad. The step ends early if another step
    /// comes first, such as the sending of a new edit.
    private func fetchFiles() async throws {
        let missing = try await MissingFiles(
            of: replica, from: database, container.connection.knownLimits
        ) {
            SyncStep.next(try await self.facts(), at: self.configuration.now()) == .fetchFiles
        }
        let tries = memory.failures[.files, default: 0]
        if let problem = missing.problem, tries < Self.maximumFileTries || ErrorDecision(problem) == .stop {
            throw problem
        }
        let (policy, now) = (configuration.policy, configuration.now())
        let merged = try await replica.write { writer in
            for id in missing.gone { try writer.removeUnfetched([id.name], in: id.zone) }
            return try writer.apply(late: missing.versions, policy, at: now)
        }
        if !missing.versions.isEmpty {
            count { progress in
                progress.fetched += missing.versions.count
                progress.merged += merged
            }
        }
        memory.stallDetector.recordProgress()
        if missing.endedEarly { return }
        memory.mayLackFiles = !missing.lost.isEmpty || !missing.failed.isEmpty
        memory.filesHold =
            memory.mayLackFiles
            ? .lacking(filesOf: missing.lost, records: missing.failed, at: configuration.now()) : nil
    }

    /// After each of the first consecutive errors of file downloads, up to this number, the whole sync backs
    /// off. After further errors, only the files wait.
    private static let maximumFileTries = 3

    /// Reads the server's limits, which bound batches and show which records can never be sent. A server
    /// without readable limits is not asked again; it refuses requests that are too large.
    private func readLimits() async throws {
        do {
            try await container.connection.readLimits()
        } catch let error as CKError {
            switch ErrorDecision(error) {
            case .stop, .wait: throw error
            case .backOff where error.code != .internalError: throw error
            default: break
            }
        }
        memory.hasLimits = true
        memory.batchLimit = min(memory.batchLimit, largestBatch)
    }

    private func fetchDatabase() async throws {
        // A push during the fetch marks the list of zones as out of date again.
        memory.isDatabaseStale = false
        do { try await fetchDatabasePages() } catch {
            memory.isDatabaseStale = true
            throw error
        }
        memory.stallDetector.recordProgress()
    }

    private func fetchDatabasePages() async throws {
        var moreComing = true
        while moreComing {
            let token = try await replica.read { try $0.databaseState().token.map(Archives.token) }
            let page = try await database.databaseChanges(since: token)
            let (configuration, archive) = (configuration, Archives.data(page.changeToken))
            // A power failure undoes the marks of the zones together with the token.
            try await replica.writeUnflushed { [scope] writer in
                try writer.apply(page.deletions, page.modifications.map(\.zoneID), scope, configuration)
                try writer.setDatabaseToken(archive)
            }
            moreComing = page.moreComing
            if moreComing, page.changeToken == token { throw SyncStall.feedStandsStill(zone: nil) }
        }
    }

    /// Restarts a feed whose token has expired because it is too old, or because the server was restored from
    /// a backup. A restart of the database's feed also restarts all zones, because that feed does not report
    /// a zone that the server lost, or whose deletion it no longer stores.
    private func startOver(_ zone: ZoneID?) async throws {
        if let zone { return try await replica.write { try $0.startOver(zone) } }
        try await replica.write { try $0.startDatabaseOver() }
        memory.isDatabaseStale = true
    }

    /// Handles a zone that the server no longer has.
    func markDeleted(_ zone: ZoneID, isReset: Bool) async throws {
        let now = configuration.now()
        try await replica.write { writer in
            // The owner of a shared zone sends its records again.
            if isReset, !zone.isShared {
                try writer.markReset(zone)
            } else {
                try writer.takeDeletion(of: zone, at: now)
            }
        }
    }

    /// Handles a zone whose data the person removed. Edits of a zone that another person removed are kept.
    func markPurged(_ zone: ZoneID) async throws {
        if zone.isShared { return try await markDeleted(zone, isReset: false) }
        try await replica.write { try $0.markPurged(zone) }
    }

    /// Stores which zones or subscriptions the server has created. An error defers only its own item, unless
    /// it concerns all requests.
    private func store(_ results: [SetupItem: Result<Void, any Error>]) async throws {
        for (item, result) in results {
            guard case .failure(let error) = result else {
                memory.refusedSetup.remove(item)
                try await replica.write { try $0.markCreated(item) }
                memory.stallDetector.recordProgress()
                continue
            }
            switch (ErrorDecision(error), item.zone) {
            case (.stop, _), (.checkAccount, _): throw error
            case (.zoneGone(let isReset), let zone?): try await markDeleted(zone, isReset: isReset)
            case (.zonePurged, let zone?): try await markPurged(zone)
            default:
                memory.refusedSetup.add(item, error, at: configuration.now())
                memory.stallDetector.recordProgress()
            }
        }
    }
}

extension CKContainer {
    /// Whether the server knows a person with this user record name. Each server assigns its own names, so a
    /// new server does not know the owners of earlier data.
    package func knows(_ person: String) async throws -> Bool {
        do {
            _ = try await publicCloudDatabase.record(for: CKRecord.ID(recordName: person))
            return true
        } catch let error as CKError where error.code == .unknownItem {
            return false
        } catch let error as CKError where ErrorDecision(error) == .refuse {
            // A server that refuses to answer may know the person.
            return true
        }
    }
}

extension ReplicaWriter {
    /// Applies a page of the list of zones that were deleted or changed.
    fileprivate func apply(
        _ deletions: [CKDatabase.DatabaseChange.Deletion], _ changed: [CKRecordZone.ID],
        _ scope: SyncScope, _ configuration: SyncConfiguration
    ) throws {
        let (zones, now) = (try reader.zones(), configuration.now())
        let known = Set(zones.map(\.id)).union(configuration.zones.map { ZoneID(name: $0) })
        let followsAll = configuration.followsUnknownZones || scope == .shared
        // Only zones that were in use here can be lost. The feed also reports zones that were deleted before
        // this device knew them, and again those that an earlier step found missing.
        let used = Set(zones.filter(\.isInUse).map(\.id))
        for deletion in deletions {
            let zone = scope.zone(deletion.zoneID)
            if used.contains(zone) { try handle(deletion.reason, of: zone, at: now) }
        }
        for zone in changed.map(scope.zone)
        where followsAll && configuration.follows(zone.name) || known.contains(zone) {
            try takeChange(of: zone, at: now)
        }
    }

    /// Handles the deletion of a zone, according to its reason.
    fileprivate func handle(
        _ reason: CKDatabase.DatabaseChange.Deletion.Reason, of zone: ZoneID, at now: Date
    ) throws {
        // For whatever reason the owner removed the records of a shared zone, the edits here are kept.
        switch zone.isShared ? .deleted : reason {
        case .purged: try markPurged(zone)
        case .deleted: try takeDeletion(of: zone, at: now)
        case .encryptedDataReset: try markReset(zone)
        }
    }

    /// Handles a change in a zone. If a closed zone exists again, its edits that were set aside become
    /// sendable, and each is recorded as a conflict.
    fileprivate func takeChange(of zone: ZoneID, at now: Date) throws {
        let what = zone.isShared ? "shared again" : "created again elsewhere"
        for (id, type) in try markStale(zone) {
            try addConflict(id, type: type, summary: "set aside, zone \(what): sent", fields: "", at: now)
        }
    }

    /// Handles a zone that was deleted elsewhere. Its pending edits are set aside, and each is recorded as a
    /// conflict.
    fileprivate func takeDeletion(of zone: ZoneID, at now: Date) throws {
        let what = zone.isShared ? "no longer shared" : "deleted elsewhere"
        for (id, type) in try markDeleted(zone) {
            try addConflict(
                id, type: type, summary: "edited here, zone \(what): set aside", fields: "", at: now)
        }
    }
}
