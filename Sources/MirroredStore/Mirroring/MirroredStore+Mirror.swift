public import CloudSync
import Foundation
import GRDB
import LocalReplica

extension MirroredStore {
    /// Mirrors the store until nothing can be done now: sends the changes of objects, and stores the changes
    /// of other devices. Returns the status of the sync; nil if the store stays on this device.
    ///
    /// - Throws: `MirroredStoreError`, `ReplicaError`, and `CancellationError`.
    @discardableResult
    public func mirror() async throws -> SyncStatus? {
        if let mirror = PublicMirror(of: self) { return try await mirror.mirror() }
        guard let sync else { return nil }
        // Each round sends the changes that the previous import made, for example to repair relationships.
        for _ in 0..<Self.maximumRounds {
            let status = try await pass(sync)
            try await importChanges()
            try await moves.finish()
            let isDone = try await replica.read { try $0.sendableCount(besides: []) == 0 && !$0.hasHeld() }
            if isDone || status.activity != .idle { return status }
        }
        return await sync.status
    }

    private static let maximumRounds = 8

    private var moves: ObjectMoves { ObjectMoves(store: self) }

    private func pass(_ sync: CloudSync) async throws -> SyncStatus {
        // A running store records the events of all passes.
        if reports.isOpen { return try await moves.fetchAndRelease(sync) }
        var events: [String] = []
        if try await !isSetUp() { events.append(try await begin(.setup)) }
        let toSend = try await replica.read { try $0.sendableCount(besides: []) }
        if toSend > 0 { events.append(try await begin(.export)) }
        let status: SyncStatus
        do { status = try await moves.fetchAndRelease(sync) } catch {
            if let event = pageImports.takeEvent() { events.append(event) }
            for event in events { try await end(event, error: "\(error)") }
            throw error
        }
        let error = status.activity == .idle ? nil : status.why
        if let event = pageImports.takeEvent() { events.append(event) }
        // Without another event, the fetch has failed, which is recorded as a failed import.
        if error != nil, events.isEmpty { events.append(try await begin(.import)) }
        for event in events { try await end(event, error: error) }
        return status
    }

    /// Mirrors the store whenever there is a reason: a change of an object, a push, or the end of a wait.
    /// Returns when the task is cancelled; at once if the store stays on this device.
    ///
    /// - Throws: `MirroredStoreError` and `ReplicaError`. Cancellation throws nothing.
    public func run() async throws {
        if let mirror = PublicMirror(of: self) { return try await mirror.run() }
        guard let sync else { return }
        let statuses = reports.open()
        defer { reports.close() }
        let wasSetUp = try await isSetUp()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await self.recordEvents(of: statuses, wasSetUp: wasSetUp) }
            group.addTask { try await sync.run() }
            group.addTask {
                var last: PendingWork?
                do {
                    for try await work in self.replica.observeWork({ try PendingWork($0) }) {
                        if work.queued > 0 {
                            try await self.importChanges()
                        } else if work != last {
                            try await ObjectImport(store: self).repair()
                        }
                        if work.hasLeaving { try await self.moves.finish() }
                        last = work
                    }
                } catch is CancellationError {}
            }
            group.addTask { try await self.moves.releaseHeld(sync) }
            while try await group.next() != nil {}
        }
    }

    /// Stores all queued records as objects.
    func importChanges() async throws { try await ObjectImport(store: self).run() }
}

/// The work of a running store besides that of its sync. It changes whenever some may have arisen.
private struct PendingWork: Equatable {
    /// The number of records that wait for their import.
    var queued: Int
    /// The number of those whose files are missing.
    var lacking: Double
    /// A number that changes when an edit is added to the outbox or acknowledged.
    var edits: Double
    /// Whether old records of objects that were moved to another zone must be deleted.
    var hasLeaving: Bool

    init(_ reader: ReplicaReader) throws {
        let sql = """
            SELECT (SELECT COUNT(*) FROM mirrored_queue), (SELECT TOTAL(lacks_file) FROM mirrored_queue),
                (SELECT TOTAL(change) FROM outbox), EXISTS (SELECT 1 FROM mirrored_leaving)
            """
        let row = try Row.fetchOne(reader.database.cachedStatement(sql: sql))
        (queued, lacking) = (row?[0] ?? 0, row?[1] ?? 0)
        (edits, hasLeaving) = (row?[2] ?? 0, row?[3] ?? false)
    }
}
