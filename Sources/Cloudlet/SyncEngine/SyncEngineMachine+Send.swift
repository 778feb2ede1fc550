import Foundation
internal import Records

/// The results of the zones of a batch.
struct ZoneResults: Sendable {
    var saved: [CKRecordZone] = []
    var failedSaves: [CKSyncEngine.Event.SentDatabaseChanges.FailedZoneSave] = []
    var deleted: [CKRecordZone.ID] = []
    var failedDeletes: [CKRecordZone.ID: CKError] = [:]
    /// The error of the request as a whole.
    var failure: CKError?
}

/// The results of the records of a batch.
struct RecordResults: Sendable {
    var saved: [CKRecord] = []
    var failedSaves: [CKSyncEngine.Event.SentRecordZoneChanges.FailedRecordSave] = []
    var deleted: [CKRecord.ID] = []
    var failedDeletes: [CKRecord.ID: CKError] = [:]
    /// The error of a request as a whole.
    var failure: CKError?
}

/// The state of a send.
struct SendCycle: Sendable {
    enum Phase: Sendable {
        case willSend
        case database
        case sendingZones
        case askingForBatch
        case sending(CKSyncEngine.RecordZoneChangeBatch)
        case didSend
        case end
    }

    let context: CKSyncEngine.SendChangesContext
    var phase = Phase.willSend
    /// Whether changes are still pending after an error of an item or of a whole request, so that the send
    /// ends.
    var isHalted = false
    /// The value of `untrackedReports` when the app was asked for the batch.
    var reportsAtBatch = 0
    var failure: CKError?

    init(context: CKSyncEngine.SendChangesContext) {
        self.context = context
    }
}

extension SyncEngineMachine {
    mutating func next(_ present: SendCycle) -> Step {
        var send = present
        defer { if cycle != nil { cycle = .send(send) } }
        let group = send.context.options.operationGroup
        while true {
            let isOver = send.failure != nil || send.isHalted
            switch send.phase {
            case .willSend:
                send.phase = .database
                return .deliver(.willSendChanges(.init(context: send.context)))
            case .database:
                let changes = isOver ? [] : takeZones(send.context.options.scope)
                if isOver {
                    send.phase = .didSend
                } else if changes.isEmpty {
                    send.phase = .askingForBatch
                } else {
                    send.phase = .sendingZones
                    return .sendZones(changes, group)
                }
            case .askingForBatch:
                send.reportsAtBatch = untrackedReports
                if !isOver { return .askForBatch(send.context) }
                send.phase = .didSend
            case .sendingZones: return .rest
            case .sending(let batch):
                if !isOver { return .sendRecords(batch, group) }
                putBackInFlight()
                send.phase = .didSend
            case .didSend:
                send.phase = .end
                return .deliver(.didSendChanges(.init(context: send.context)))
            case .end:
                cycle = nil
                return .end(send.failure)
            }
        }
    }

    /// Moves the next pending changes of zones to `zonesInFlight`.
    private mutating func takeZones(
        _ scope: CKSyncEngine.SendChangesOptions.Scope
    ) -> [CKSyncEngine.PendingDatabaseChange] {
        let changes = Array(memory.zones.all.filter(scope.contains).prefix(max(1, limits.zonesPerRequest)))
        for change in changes {
            zonesInFlight[change.zoneID] = memory.zones.take(change, of: change.zoneID)
        }
        return changes
    }

    private mutating func putBackInFlight() {
        memory = memoryToSave
        (recordsInFlight, zonesInFlight) = ([:], [:])
    }

    /// Processes the delegate's batch. Nil, or a batch without records, ends the send.
    mutating func take(_ batch: CKSyncEngine.RecordZoneChangeBatch?) {
        guard case .send(var send) = cycle else { return }
        guard let batch, batch.count > 0 else {
            // The delegate was not asked for changes outside of the scope, nor for those reported meanwhile.
            if send.context.options.scope == .all, send.reportsAtBatch == untrackedReports {
                if memory.hasUntrackedChanges { isDirty = true }
                memory.hasUntrackedChanges = false
            }
            send.phase = .didSend
            cycle = .send(send)
            return
        }
        let scope = send.context.options.scope
        if let change = batch.changes.first(where: { !scope.contains($0) }) {
            fail(
                .invalidArguments(
                    "The batch has the change \(change), which is not in the scope \(scope) - return only "
                        + "changes that context.options.scope contains"))
            return
        }
        for change in batch.changes {
            // A batch may contain an ID twice; its entry was taken with the first.
            guard let entry = memory.records.take(change, of: change.recordID) else { continue }
            recordsInFlight[change.recordID] = entry
        }
        send.phase = .sending(batch)
        cycle = .send(send)
        let most = limits.recordsPerSyncBatch
        if batch.count > most {
            let error = CKError.make(
                .limitExceeded,
                "The batch has \(batch.count) records, and \(most) is the limit - return smaller batches")
            var results = RecordResults(failure: error)
            results.failedSaves = batch.recordsToSave.map { .init(record: $0, error: error) }
            for id in batch.recordIDsToDelete { results.failedDeletes[id] = error }
            take(results)
        }
    }

    /// Processes the results of a batch of zones.
    mutating func take(_ results: ZoneResults) {
        guard case .send(var send) = cycle else { return }
        var retried = results.failure.map { [$0] } ?? []
        let failed =
            results.failedSaves.map { ($0.zone.zoneID, $0.error) }
            + results.failedDeletes.map { ($0.key, $0.value) }
        for (id, error) in failed where error.staysPending {
            if let entry = zonesInFlight[id] { memory.zones.putBack(entry, of: id) }
            retried.append(error)
        }
        zonesInFlight = [:]
        isDirty = true
        outbox.append(
            .sentDatabaseChanges(
                .init(
                    savedZones: results.saved, failedZoneSaves: results.failedSaves,
                    deletedZoneIDs: results.deleted, failedZoneDeletes: results.failedDeletes)))
        send.phase = .database
        end(&send, results.failure, retried)
    }

    /// Processes the results of a batch of records.
    mutating func take(_ results: RecordResults) {
        guard case .send(var send) = cycle else { return }
        var retried = results.failure.map { [$0] } ?? []
        let failed =
            results.failedSaves.map { ($0.record.recordID, $0.error) }
            + results.failedDeletes.map { ($0.key, $0.value) }
        for (id, error) in failed where error.staysPending {
            if let entry = recordsInFlight[id] { memory.records.putBack(entry, of: id) }
            retried.append(error)
        }
        recordsInFlight = [:]
        isDirty = true
        outbox.append(
            .sentRecordZoneChanges(
                .init(
                    savedRecords: results.saved, failedRecordSaves: results.failedSaves,
                    deletedRecordIDs: results.deleted, failedRecordDeletes: results.failedDeletes)))
        send.phase = .database
        end(&send, results.failure, retried)
    }

    /// Ends the send if changes of a batch are still pending. Another batch would contain the same changes
    /// again, without a pause.
    private mutating func end(_ send: inout SendCycle, _ failure: CKError?, _ retried: [CKError]) {
        send.failure = send.failure ?? failure
        send.isHalted = !retried.isEmpty
        cycle = .send(send)
        for error in retried { scheduleRetry(error, isFetch: false) }
    }
}

extension CKError {
    /// Whether a sync engine retries automatically after this error. All other errors must be handled by the
    /// app.
    package var isRetriedBySyncEngine: Bool {
        switch code {
        case .notAuthenticated, .accountTemporarilyUnavailable, .networkFailure, .networkUnavailable,
            .requestRateLimited, .serviceUnavailable, .zoneBusy:
            true
        default: false
        }
    }

    /// Whether a change that failed with this error is still pending: after temporary errors, and after a
    /// cancellation, which says nothing about the change.
    package var staysPending: Bool { isRetriedBySyncEngine || code == .operationCancelled }

    /// The error of a cycle that `cancelOperations()` has ended.
    static var engineCancelled: CKError {
        .make(.operationCancelled, "The operations of the sync engine were cancelled.")
    }
}
