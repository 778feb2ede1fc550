package import Records

/// A session, stored under the hash of its token.
package struct Session: Hashable, Sendable {
    /// The account's `id`.
    package var account: String
    /// The only container and environment for which the session is valid; nil: all.
    package var place: ContainerKey?
    /// Seconds for which each token of the session is valid; nil: without limit.
    package var lifetime: Int64?
    /// Whether an open server began the session without proof of the person's identity. Such a session is
    /// valid on open servers only.
    package var isOpen: Bool
    /// The time of the last use. It is updated only a few times per lifetime.
    package var seen: Timestamp

    package init(
        account: String, place: ContainerKey?, lifetime: Int64?, seen: Timestamp, isOpen: Bool = false
    ) {
        self.account = account
        self.place = place
        self.lifetime = lifetime
        self.seen = seen
        self.isOpen = isOpen
    }
}

/// Ended sessions, and the devices that were registered in them and were removed with them.
package struct EndedSessions: Hashable, Sendable {
    package var hashes: [[UInt8]]
    package var devices: [PushToken]

    package init(hashes: [[UInt8]] = [], devices: [PushToken] = []) {
        self.hashes = hashes
        self.devices = devices
    }

    package static func += (ended: inout EndedSessions, more: EndedSessions) {
        ended.hashes += more.hashes
        ended.devices += more.devices
    }
}
