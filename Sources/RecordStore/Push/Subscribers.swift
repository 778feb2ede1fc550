package import Records

/// The subscriptions of a database as of its last commit, in the memory of a store.
package protocol Subscribers: Sendable {
    /// Whether there are none. Asked at every commit.
    var isEmpty: Bool { get }

    /// Calls `body` with the subscriptions. No other thread uses them meanwhile.
    func withIndex<Result: Sendable>(_ body: (inout SubscriptionIndex) -> Result) -> Result
}

extension Subscribers {
    /// Whether any query subscription is about updates of records of a type.
    package func asksForUpdates(of recordType: String) -> Bool {
        withIndex { $0.hasQueries(on: recordType, .update) }
    }

    /// Whether somebody has a subscription to the shared database.
    package var hasShared: Bool { withIndex { $0.hasShared } }

    /// The notifications for changes of records.
    package func pushes(for changes: [RecordChange], _ matching: PushMatching) -> [PushDraft] {
        withIndex { index in
            let watchers = index.watchers(of: matching.zone)
            return matching.pushes(for: changes, queries: { index.queries(for: $0, &$1) }, watchers: watchers)
        }
    }

    /// The notifications for people in whose shares something has changed.
    package func pushes(
        of people: [String: RecordTypes], _ matching: PushMatching, sequence: Int64
    ) -> [PushDraft] {
        if people.isEmpty { return [] }
        let watchers = withIndex { $0.watchers(of: people.keys) }
        return matching.pushes(of: people, watchers: watchers, sequence: sequence)
    }

    /// The notifications about the creation or deletion of a zone, first those of its subscribers, then those
    /// of the members of its shares.
    ///
    /// - Parameters:
    ///   - time: the latest stamp of the database.
    ///   - sequence: the number of the creation or deletion.
    package func pushes(
        ofZone name: String, members: [String], identity: Int64, stamp: Stamp, notBefore time: Timestamp,
        sequence: Int64
    ) -> [[PushDraft]] {
        if isEmpty { return [] }
        var stamp = stamp
        stamp.at = max(stamp.at, time)
        let matching = PushMatching(zone: name, identity: identity, stamp: stamp)
        let people = Dictionary(members.map { ($0, RecordTypes.any) }) { $1 }
        return [
            matching.pushes(ofZoneChange: sequence, watchers: withIndex { $0.watchers(of: name) }),
            pushes(of: people, matching, sequence: sequence),
        ]
    }
}

extension BatchRules {
    /// Applies a batch, and hands the notifications that it causes to `keep`, in the same transaction.
    ///
    /// - Parameter sequence: returns the number of the last change of a transaction.
    package func apply<T: ZoneTransaction>(
        _ batch: WriteBatch, to transaction: inout T, telling subscribers: some Subscribers, identity: Int64,
        sequence: (T) -> Int64, keep: ([PushDraft], inout T) throws -> Void
    ) throws -> Outcome {
        if subscribers.isEmpty { return try apply(batch, to: &transaction) }
        var watched = WatchedTransaction(
            transaction, codec: codec, watchesShares: subscribers.hasShared,
            asksForUpdates: { subscribers.asksForUpdates(of: $0) })
        let outcome = try apply(batch, to: &watched)
        transaction = watched.base
        if outcome.mustUndo { return outcome }
        let matching = PushMatching(batch, identity: identity)
        let drafts =
            subscribers.pushes(for: watched.changes, matching)
            + subscribers.pushes(
                of: try watched.peopleOfShares(), matching, sequence: sequence(transaction))
        try keep(drafts, &transaction)
        return outcome
    }
}

extension SubscriptionScope {
    /// The number of the scope in the tables of engines: 1 for the shared database, otherwise 0.
    package var number: Int64 { self == .shared ? 1 : 0 }
}
