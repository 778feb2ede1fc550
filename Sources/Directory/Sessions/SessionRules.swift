package import Records

/// Which sessions end by themselves.
package enum SessionRules {
    /// When a session of one person in one container was used.
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

    /// The sessions that end when one more begins: those used longest ago, of several seen at one time those
    /// made first.
    package static func surplus(of uses: [Use], limit: Int) -> [[UInt8]] {
        let newestFirst = uses.sorted { one, other in
            if one.seen != other.seen { return one.seen > other.seen }
            if one.created != other.created { return one.created > other.created }
            return one.hash.lexicographicallyPrecedes(other.hash)
        }
        return newestFirst.dropFirst(max(0, limit - 1)).map(\.hash)
    }

    /// How many lifetimes after its last use a session is forgotten. One is not enough: a token may have been
    /// given out since that use was noted.
    package static let lifetimesKept: Int64 = 2

    /// Whether the last token of a session has run out.
    package static func isForgotten(_ session: Session, at time: Timestamp) -> Bool {
        guard let lifetime = session.lifetime else { return false }
        return session.seen.advanced(bySeconds: lifetime * lifetimesKept) < time
    }

    /// The error for a hash that names a session already.
    package static var taken: RecordError {
        RecordError(.exists, "there is a session of this token", nextStep: "make another token")
    }
}
