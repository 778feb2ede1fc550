package import Records

/// Rules for sessions that end automatically.
package enum SessionRules {
    /// The times at which a session was created and last used.
    package struct Use: Sendable {
        package var hash: [UInt8]
        package var seen: Timestamp
        package var created: Timestamp

        package init(hash: [UInt8], seen: Timestamp, created: Timestamp) {
            self.hash = hash
            self.seen = seen
            self.created = created
        }
    }

    /// The sessions that end when another one begins: the least recently used ones; among sessions with the
    /// same time of use, those created first.
    package static func surplus(of uses: [Use], limit: Int) -> [[UInt8]] {
        let newestFirst = uses.sorted { one, other in
            if one.seen != other.seen { return one.seen > other.seen }
            if one.created != other.created { return one.created > other.created }
            return one.hash.lexicographicallyPrecedes(other.hash)
        }
        return newestFirst.dropFirst(max(0, limit - 1)).map(\.hash)
    }

    /// A session is deleted this many lifetimes after its last stored use. One lifetime is not enough,
    /// because a token may have been issued after that use was stored.
    package static let lifetimesKept: Int64 = 2

    /// Whether `lifetimesKept` lifetimes have passed since the last stored use, so that every token of the
    /// session has expired. A session without a lifetime is never forgotten.
    package static func isForgotten(_ session: Session, at time: Timestamp) -> Bool {
        guard let lifetime = session.lifetime else { return false }
        return session.seen.advanced(bySeconds: lifetime * lifetimesKept) < time
    }

    /// The error for a hash that another session has.
    package static var taken: RecordError {
        RecordError(.exists, "another session has this token", nextStep: "create another token")
    }
}
