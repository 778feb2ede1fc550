import Cloudlet
import Foundation
import LocalReplica
import Records

extension CloudSync {
    /// Sends a batch of the oldest edits, all in one zone.
    func send() async throws {
        let sender = BatchSender(
            database: database, replica: replica, configuration: configuration,
            serverFaults: memory.serverFaults,
            closedZones: memory.refusedSetup.zones + (try await heldZones().zones),
            lateUploads: memory.lateUploads,
            fileBytes: container.connection.knownLimits.batchUploadBytes)
        guard let batch = try await sender.nextBatch(limit: memory.batchLimit) else { return }
        memory.askedZones.remove(batch.zone)
        let results: BatchResults
        do {
            results = try await sender.send(batch)
        } catch let error where memory.batchLimit == 1 && Verdict(error) == .halve {
            return record(try await sender.refuse(batch, because: Self.text(of: error)))
        } catch let error where Verdict(error) == .storageFull && batch.zone.owner != nil {
            return try await hold(for: error, in: batch.zone)
        }
        let outcome = try await sender.store(results, of: batch)
        record(outcome)
        try await take(outcome.problems, in: batch.zone)
    }

    private func record(_ outcome: BatchOutcome) {
        count { progress in
            progress.sent += outcome.sent
            progress.toSend = max(0, progress.toSend - outcome.sent)
            progress.merged += outcome.merged
        }
        for record in outcome.finished {
            memory.watch.recordFinished(record)
            memory.serverFaults[record] = nil
            memory.lateUploads.remove(record)
        }
        memory.lateUploads.add(outcome.late, at: configuration.now())
        if !outcome.late.isEmpty { memory.watch.recordProgress() }
        for record in outcome.failed { memory.serverFaults[record, default: 0] += 1 }
        for record in outcome.conflicts { memory.watch.recordConflict(record) }
        if outcome.lacksFiles { recordMissingFiles() }
    }

    /// Records that a file of a record is missing: the next steps fetch it.
    func recordMissingFiles() {
        (memory.mayLackFiles, memory.filesHold) = (true, nil)
    }

    /// Handles an error of sending to a zone. If the storage of another person is full, the zones of this
    /// owner wait, and no others.
    private func hold(for error: any Error, in zone: ZoneID) async throws {
        guard let owner = zone.owner, Verdict(error) == .storageFull else {
            return try await hold(for: error)
        }
        let until = configuration.now().addingTimeInterval(configuration.pauseWhenFull)
        let why = "the storage of the owner of \(zone.displayName) is full: \(Self.text(of: error))"
        memory.ownerHolds[owner] = Hold(until: until, why: why)
    }

    /// The zones whose owners have no room now, and the wait that ends first.
    func heldZones() async throws -> (zones: [ZoneID], hold: Hold?) {
        let now = configuration.now()
        let holds = memory.ownerHolds.filter { $0.value.lasts(at: now) }
        memory.ownerHolds = holds
        if holds.isEmpty { return ([], nil) }
        let zones = try await replica.read { try $0.zones().map(\.id) }
        return (
            zones.filter { zone in zone.owner.map { holds[$0] != nil } ?? false },
            holds.values.min { ($0.until ?? .distantFuture, $0.why) < ($1.until ?? .distantFuture, $1.why) }
        )
    }

    /// Handles errors that were not caused by the records themselves.
    private func take(_ problems: [any Error], in zone: ZoneID) async throws {
        var isWorse: (any Error)?
        for error in problems {
            switch Verdict(error) {
            case .again: continue
            case .zoneGone(let isReset): return try await markDeleted(zone, isReset: isReset)
            case .zonePurged: return try await markPurged(zone)
            default: isWorse = isWorse ?? error
            }
        }
        if let isWorse { return try await hold(for: isWorse, in: zone) }
        if problems.isEmpty { memory.batchLimit = min(largestBatch, memory.batchLimit * 2) }
    }
}
