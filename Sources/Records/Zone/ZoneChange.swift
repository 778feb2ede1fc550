/// Why a zone is gone.
package enum ZoneDeletionReason: UInt8, Hashable, Sendable, CaseIterable {
    /// Somebody deleted it.
    case deleted = 1
    /// The person removed the app's data: it must not be uploaded again without asking.
    case purged = 2
    /// The person reset encrypted data: what the device still has may be uploaded again.
    case encryptedDataReset = 3
}

/// A zone in which something changed, or that is gone.
package enum ZoneChange: Hashable, Sendable {
    case changed(Zone, sequence: Int64)
    case deleted(ZoneID, ZoneDeletionReason, sequence: Int64)

    /// The number of the change in the sequence of the database.
    package var sequence: Int64 {
        switch self {
        case .changed(_, let sequence), .deleted(_, _, let sequence): sequence
        }
    }
}

/// Some zones, and the token that stands for having heard of them.
package struct ZoneChangesPage: Hashable, Sendable {
    package var changes: [ZoneChange]
    package var token: ChangeToken
    package var moreComing: Bool

    package init(changes: [ZoneChange], token: ChangeToken, moreComing: Bool) {
        self.changes = changes
        self.token = token
        self.moreComing = moreComing
    }
}
