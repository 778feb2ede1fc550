import Cloudlet
import Foundation
import LocalReplica
import Records

extension CloudSync {
    /// Sends a batch of the oldest edits, all in one zone.
    func send() async throws {
        let sender = BatchSender(
            database: database, replica: replica, configuration: configuration,
            serverFaults: memory.serverFaults, refusedZones: memory.refusedSetup.zones,
            fullOwners: memory.fullStorage.owners(at: configuration.now()), slowUploads: memory.slowUploads,
            fileBytes: container.connection.knownLimits.batchUploadBytes)
        guard let batch = try await sender.nextBatch(limit: memory.batchLimit) else { return }
        memory.askedZones.remove(batch.zone)
        let results: BatchResults
        do {
            results = try await sender.send(batch)
        } catch let error where memory.batchLimit == 1 && ErrorDecision(error) == .halve {
            return record(try await sender.refuse(batch, because: Self.text(of: error)))
        } catch let error where ErrorDecision(error) == .storageFull {
            return pauseSending(to: batch.zone, because: error)
        }
        let outcome = try await sender.store(results, of: batch)
        record(outcome)
        try await record(outcome.problems, in: batch.zone)
    }

    private func record(_ outcome: BatchOutcome) {
        count { progress in
            progress.sent += outcome.sent
            progress.toSend = max(0, progress.toSend - outcome.sent)
            progress.merged += outcome.merged
        }
        for record in outcome.finished {
            memory.stallDetector.recordFinished(record)
            memory.serverFaults[record] = nil
            memory.slowUploads.remove(record)
        }
        memory.slowUploads.add(outcome.late, at: configuration.now())
        if !outcome.late.isEmpty { memory.stallDetector.recordProgress() }
        for record in outcome.failed { memory.serverFaults[record, default: 0] += 1 }
        for record in outcome.conflicts { memory.stallDetector.recordConflict(record) }
        if outcome.lacksFiles { recordMissingFiles() }
    }

    /// Marks that a file of a record is missing, so that a later step fetches it.
    func recordMissingFiles() {
        (memory.mayLackFiles, memory.filesHold) = (true, nil)
    }

    /// Handles errors that were not caused by the records themselves.
    private func record(_ problems: [any Error], in zone: ZoneID) async throws {
        var (isFull, isWorse): ((any Error)?, (any Error)?)
        for error in problems {
            switch ErrorDecision(error) {
            case .again: continue
            case .zoneGone(let isReset): return try await markDeleted(zone, isReset: isReset)
            case .zonePurged: return try await markPurged(zone)
            case .storageFull: isFull = isFull ?? error
            default: isWorse = isWorse ?? error
            }
        }
        if let isFull { pauseSending(to: zone, because: isFull) }
        if let isWorse { return try await hold(for: isWorse) }
        if problems.isEmpty { memory.batchLimit = min(largestBatch, memory.batchLimit * 2) }
    }

    /// Pauses the sending to all zones of the owner of a zone: the owner's storage is full.
    private func pauseSending(to zone: ZoneID, because error: any Error) {
        let until = configuration.now().addingTimeInterval(configuration.pauseWhenFull)
        memory.fullStorage.add(zone, because: Self.text(of: error), until: until)
    }
}
