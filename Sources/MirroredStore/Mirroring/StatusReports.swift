import CloudSync
import LocalReplica
import Synchronization

/// Passes the statuses of a sync to the store that runs it.
final class StatusReports: Sendable {
    private let listener = Mutex<AsyncStream<SyncStatus>.Continuation?>(nil)

    /// Whether a stream of statuses is open.
    var isOpen: Bool { listener.withLock { $0 != nil } }

    /// The statuses from now on.
    func open() -> AsyncStream<SyncStatus> {
        let (statuses, continuation) = AsyncStream.makeStream(of: SyncStatus.self)
        listener.withLock { $0 = continuation }
        return statuses
    }

    /// Ends the stream.
    func close() {
        listener.withLock { listener in
            listener?.finish()
            listener = nil
        }
    }

    func send(_ status: SyncStatus) {
        listener.withLock { _ = $0?.yield(status) }
    }
}

extension MirroredStore {
    /// Whether a zone of the store is on the server.
    func isSetUp() async throws -> Bool {
        try await replica.read { try $0.zones().contains(where: \.isMade) }
    }

    /// Stores the setup and export events of a running sync, until the statuses end or the task is cancelled.
    ///
    /// - Parameter wasSetUp: whether a zone of the store was on the server before.
    func recordEvents(of statuses: AsyncStream<SyncStatus>, wasSetUp: Bool) async throws {
        var events: [MirroringEvent.Kind: String] = [:]
        do { try await recordEvents(of: statuses, wasSetUp: wasSetUp, &events) } catch is CancellationError {}
        if let event = pageImports.takeEvent() { events[.import] = event }
        try await end(events, error: "the mirroring was cancelled")
    }

    /// - Parameter events: the running events.
    private func recordEvents(
        of statuses: AsyncStream<SyncStatus>, wasSetUp: Bool, _ events: inout [MirroringEvent.Kind: String]
    ) async throws {
        var (isSetUp, isWorking) = (wasSetUp, false)
        for await status in statuses {
            if status.activity == .working {
                if !isSetUp, events[.setup] == nil { events[.setup] = try await begin(.setup) }
                if status.progress.toSend > 0, events[.export] == nil {
                    events[.export] = try await begin(.export)
                }
                isWorking = true
                continue
            }
            // Reports of the connection for pushes arrive at any time.
            guard isWorking else { continue }
            isWorking = false
            let error = status.activity == .idle ? nil : status.why
            if let event = pageImports.takeEvent() { events[.import] = event }
            // Without another event, the fetch has failed, which is recorded as a failed import.
            if error != nil, events.isEmpty { events[.import] = try await begin(.import) }
            try await end(events, error: error)
            events = [:]
            if !isSetUp { isSetUp = try await self.isSetUp() }
        }
    }

    private func end(_ events: [MirroringEvent.Kind: String], error: String?) async throws {
        for event in events.values { try await end(event, error: error) }
    }
}
