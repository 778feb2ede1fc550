import Cloudlet
import Foundation
import LocalReplica

extension CloudSync {
    /// Does a step; what goes wrong becomes what the verdict says.
    func perform(_ step: SyncStep) async throws {
        memory.present = step.kind
        let failures = memory.failures[step.kind]
        do {
            switch step {
            case .identify: try await identify()
            case .readLimits: try await readLimits()
            case .fetchDatabase: try await fetchDatabase()
            case .makeZones(let zones): try await make(zones)
            case .follow(let zones, let database): try await follow(zones, database: database)
            case .send: try await send()
            case .fetch(let zone): try await fetch(zone)
            case .fetchFiles: try await fetchFiles()
            case .rest: break
            }
            // Trouble with single records is trouble too, though the step has ended.
            if memory.failures[step.kind] == failures { memory.failures[step.kind] = nil }
            // A feed has ended when its last page has come.
            if case .fetch = step {} else { memory.watch.noteEnd(of: step.kind) }
        } catch let error as ReplicaError {
            throw error
        } catch {
            memory.watch.noteProblem(Self.words(error))
            try await take(error, in: step)
        }
        memory.hold = memory.watch.end(step, memory.hold, at: configuration.now())
    }

    /// What an error of a whole request means for the next steps.
    private func take(_ error: any Error, in step: SyncStep) async throws {
        let zone: String? =
            switch step {
            case .fetch(let zone): zone
            case .makeZones(let zones): zones.first
            default: nil
            }
        switch (Verdict(error), zone) {
        case (.stop, _):
            throw CancellationError()
        case (.startOver, _):
            try await startOver(zone)
            memory.hold = memory.watch.startOver(step.kind, zone, memory.hold, at: configuration.now())
        case (.zoneGone(let isReset), let zone?): try await noteGone(zone, isReset: isReset)
        case (.zonePurged, let zone?): try await replica.write { try $0.notePurged(zone) }
        case (.zoneGone, nil), (.zonePurged, nil):
            memory.isDatabaseStale = true
            backOff(error)
        case (.halve, _) where step != .send, (.storageFull, _) where step != .send:
            // Smaller batches and waiting records would change nothing about this step.
            backOff(error)
        default: try await hold(for: error)
        }
    }

    /// What an error means that concerns no zone and no record.
    func hold(for error: any Error) async throws {
        let (why, now) = (Self.words(error), configuration.now())
        switch Verdict(error) {
        case .stop: throw CancellationError()
        case .wait(let seconds):
            let until = now.addingTimeInterval(min(seconds, Self.longestWait))
            memory.hold = Hold(until: until, why: why, isAsked: true)
        case .checkAccount where memory.account == .unknown:
            memory.account = .nobody
        case .checkAccount: memory.account = .unknown
        case .halve where memory.batchLimit > 1:
            memory.batchLimit /= 2
            // The server may allow less than it did when it was asked.
            memory.hasLimits = false
        case .storageFull:
            let until = now.addingTimeInterval(configuration.pauseWhenFull)
            memory.sendHold = Hold(until: until, why: why)
        default: backOff(error)
        }
    }

    /// A server that asks for a longer wait is asked again after an hour: it may be mistaken.
    private static let longestWait: TimeInterval = 3600

    private func backOff(_ error: any Error) {
        memory.failures[memory.present, default: 0] += 1
        memory.hold = .backOff(
            after: memory.failures[memory.present] ?? 1, why: Self.words(error), at: configuration.now())
        memory.hold?.stall = error as? SyncStall
    }

    static func words(_ error: any Error) -> String {
        (error as? CKError)?.localizedDescription ?? "\(error)"
    }

    // MARK: Steps

    private func identify() async throws {
        let person = try await container.userRecordID().recordName
        memory.account = try await replica.write { writer in
            guard let owner = try writer.reader.account() else {
                try writer.setAccount(person)
                return .owner
            }
            return owner == person ? .owner : .other
        }
    }

    /// A file that the server does not have is asked for again later. One that does not come for another
    /// reason is tried a few times first, since a connection may just be bad.
    private func fetchFiles() async throws {
        let missing = try await MissingFiles(of: replica, from: database)
        let tries = memory.failures[.files, default: 0]
        if let problem = missing.problem, tries < Self.mostFileTries || Verdict(problem) == .stop {
            throw problem
        }
        memory.watch.noteProgress()
        memory.mayLackFiles = !missing.lost.isEmpty
        memory.filesHold =
            missing.lost.isEmpty ? nil : .lacking(filesOf: missing.lost, at: configuration.now())
    }

    /// How often files that do not come are asked for before everything else.
    private static let mostFileTries = 3

    /// What the server allows bounds, from now on, what is sent at once, and tells what never will be sent. A
    /// server that does not say is asked no more: what is too much for it, it refuses.
    private func readLimits() async throws {
        do {
            try await container.connection.readLimits()
        } catch let error as CKError where ![.networkUnavailable, .networkFailure].contains(error.code) {
            if Verdict(error) == .stop { throw error }
        }
        memory.hasLimits = true
        memory.batchLimit = min(memory.batchLimit, largestBatch)
    }

    private func fetchDatabase() async throws {
        var moreComing = true
        while moreComing {
            let token = try await replica.read { try $0.databaseState().token.flatMap(Archives.token) }
            let page = try await database.databaseChanges(since: token)
            let changed = page.modifications.map(\.zoneID.zoneName)
            let wanted = configuration.zones
            let followsAll = configuration.followsUnknownZones
            let (archive, now) = (try Archives.data(page.changeToken), configuration.now())
            try await replica.write { writer in
                let zones = try writer.reader.zones()
                let known = Set(zones.map(\.name)).union(wanted)
                // Only what was in use here can go: the feed tells of graves older than this device, and
                // again of zones that a step found gone before.
                let used = Set(zones.filter(\.isInUse).map(\.name))
                for deletion in page.deletions where used.contains(deletion.zoneID.zoneName) {
                    try writer.take(deletion, at: now)
                }
                for zone in changed where followsAll || known.contains(zone) {
                    try writer.takeChange(of: zone, at: now)
                }
                try writer.setDatabaseToken(archive)
            }
            moreComing = page.moreComing
            if moreComing, page.changeToken == token { throw SyncStall.feedStandsStill(zone: nil) }
        }
        memory.isDatabaseStale = false
        memory.watch.noteProgress()
    }

    /// A feed cannot go on: it is too old, or the server was restored from a backup. After that of the
    /// database, each zone is asked for, since the feed does not tell of one that the server lost or forgot.
    private func startOver(_ zone: String?) async throws {
        if let zone { return try await replica.write { try $0.startOver(zone) } }
        try await replica.write { try $0.startDatabaseOver() }
        memory.isDatabaseStale = true
    }

    /// The server has no such zone any more.
    func noteGone(_ zone: String, isReset: Bool) async throws {
        let now = configuration.now()
        try await replica.write { writer in
            if isReset { try writer.noteReset(zone) } else { try writer.takeDeletion(of: zone, at: now) }
        }
    }

    private func make(_ zones: [String]) async throws {
        let made = zones.map { CKRecordZone(zoneName: $0) }
        let results = try await database.modifyRecordZones(saving: made, deleting: []).saveResults
        for (id, result) in results {
            _ = try result.get()
            try await replica.write { try $0.noteMade(id.zoneName) }
            memory.watch.noteProgress()
        }
    }

    /// Silent subscriptions: their pushes wake the app, and nobody sees them.
    private func follow(_ zones: [String], database followsDatabase: Bool) async throws {
        let info = CKSubscription.NotificationInfo(shouldSendContentAvailable: true)
        var subscriptions: [CKSubscription] = zones.map { zone in
            CKRecordZoneSubscription(
                zoneID: CKRecordZone.ID(zoneName: zone), subscriptionID: "sync-zone-\(zone)")
        }
        if followsDatabase { subscriptions.append(CKDatabaseSubscription(subscriptionID: "sync-database")) }
        for subscription in subscriptions { subscription.notificationInfo = info }
        let results = try await database.modifySubscriptions(saving: subscriptions, deleting: []).saveResults
        for result in results.values { _ = try result.get() }
        try await replica.write { writer in
            for zone in zones { try writer.noteSubscribed(zone) }
            if followsDatabase { try writer.noteSubscribed(nil) }
        }
        memory.watch.noteProgress()
    }
}

extension ReplicaWriter {
    /// Takes in that a zone is gone, and why.
    fileprivate func take(_ deletion: CKDatabase.DatabaseChange.Deletion, at now: Date) throws {
        let zone = deletion.zoneID.zoneName
        switch deletion.reason {
        case .purged: try notePurged(zone)
        case .deleted: try takeDeletion(of: zone, at: now)
        case .encryptedDataReset: try noteReset(zone)
        }
    }

    /// A zone that was gone and is there again takes what was kept aside since, which is said.
    fileprivate func takeChange(of zone: String, at now: Date) throws {
        for (id, type) in try noteStale(zone) {
            try note(id, type: type, what: "kept aside, zone made again there: sent", fields: "", at: now)
        }
    }

    /// What was edited in a zone that somebody deleted is kept aside, and said.
    fileprivate func takeDeletion(of zone: String, at now: Date) throws {
        for (id, type) in try noteDeleted(zone) {
            try note(id, type: type, what: "edited here, zone deleted there: kept aside", fields: "", at: now)
        }
    }
}
