/// A zone as its database knows it.
package struct Zone: Hashable, Sendable {
    package var id: ZoneID
    /// Whether batches succeed or fail as one.
    package var isAtomic: Bool
    /// Where the zone's changes now end; nil for zones without a change feed.
    package var syncToken: ChangeToken?

    package init(id: ZoneID, isAtomic: Bool, syncToken: ChangeToken? = nil) {
        self.id = id
        self.isAtomic = isAtomic
        self.syncToken = syncToken
    }
}

/// A place in a feed of changes: opaque to clients.
package struct ChangeToken: Hashable, Sendable {
    package var bytes: [UInt8]

    package init(bytes: [UInt8]) {
        self.bytes = bytes
    }
}
