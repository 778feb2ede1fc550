package import Records

/// A ring buffer of the last trace entries.
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
