package import Records

/// A ring buffer of the last trace entries, with the numbers of pushes for the telemetry.
package struct PushTrace: Hashable, Sendable {
    /// An entry in compact form; `entry` expands it when the trace is read.
    fileprivate struct Note: Hashable {
        var number: Int
        var at: Timestamp
        var names: PushNames
        var device: String?
        var outcome: PushTraceEntry.Outcome
        var reason: String?
    }

    private var ring: [Note] = []
    private var next = 0
    private var counts: [TelemetryKey: TelemetryCounts] = [:]
    private let limit: Int

    package init(limit: Int) {
        self.limit = max(1, limit)
    }

    package mutating func add(
        _ outcome: PushTraceEntry.Outcome, _ body: PushBody, to device: String? = nil, at now: Timestamp,
        because reason: String? = nil
    ) {
        let note = Note(
            number: next, at: now, names: body.names, device: device, outcome: outcome, reason: reason)
        if ring.count < limit { ring.append(note) } else { ring[next % limit] = note }
        next += 1
        count(outcome, body.message)
    }

    private mutating func count(_ outcome: PushTraceEntry.Outcome, _ message: PushMessage) {
        let number: WritableKeyPath<TelemetryCounts, Int64>
        switch outcome {
        case .sent: number = \.pushesSent
        case .coalesced, .replaced: number = \.pushesCoalesced
        case .dropped, .expired: number = \.pushesDropped
        case .matched, .queued: return
        }
        let key = TelemetryKey(
            container: message.container, environment: message.environment, database: message.database,
            operation: TelemetryKey.pushOperation)
        counts[key, default: TelemetryCounts()][keyPath: number] += 1
    }

    /// Removes and returns the numbers of pushes that were sent, coalesced and dropped.
    mutating func takeCounts() -> [TelemetryKey: TelemetryCounts] {
        defer { counts = [:] }
        return counts
    }

    /// The entries from a number on, in order, as far as they have not been overwritten.
    package func entries(from number: Int) -> [PushTraceEntry] {
        let start = ring.count < limit ? 0 : next % limit
        return (ring[start...] + ring[..<start]).filter { $0.number >= number }.map(\.entry)
    }
}

extension PushTrace.Note {
    fileprivate var entry: PushTraceEntry {
        PushTraceEntry(
            number: number, at: at, container: names.container, user: names.user,
            notification: names.notification, subscription: names.subscription, device: device,
            outcome: outcome, reason: reason
        )
    }
}
