/// A record zone with its capabilities.
package struct Zone: Hashable, Sendable {
    package var id: ZoneID
    /// Whether the zone supports atomic batches.
    package var isAtomic: Bool
    /// The token at the end of the zone's change feed; nil for zones without a feed.
    package var syncToken: ChangeToken?

    package init(id: ZoneID, isAtomic: Bool, syncToken: ChangeToken? = nil) {
        self.id = id
        self.isAtomic = isAtomic
        self.syncToken = syncToken
    }
}

/// A position in a change feed, opaque to clients.
package struct ChangeToken: Hashable, Sendable {
    package var bytes: [UInt8]

    package init(bytes: [UInt8]) {
        self.bytes = bytes
    }
}
