/// Why a zone was deleted.
package enum ZoneDeletionReason: UInt8, Hashable, Sendable, CaseIterable {
    /// An app deleted the zone.
    case deleted = 1
    /// The person removed the app's data. The app must ask before it uploads the data again.
    case purged = 2
    /// The person reset the encrypted data. Devices may upload the data that they still have.
    case encryptedDataReset = 3
}

/// One entry of a database's change feed: a changed or deleted zone.
package enum ZoneChange: Hashable, Sendable {
    case changed(Zone, sequence: Int64)
    case deleted(ZoneID, ZoneDeletionReason, sequence: Int64)

    /// The change's number in the sequence of the database.
    package var sequence: Int64 {
        switch self {
        case .changed(_, let sequence), .deleted(_, _, let sequence): sequence
        }
    }
}

/// One page of a database's change feed, with the token to continue from.
package struct ZoneChangesPage: Hashable, Sendable {
    package var changes: [ZoneChange]
    package var token: ChangeToken
    package var moreComing: Bool
    /// Zones that cannot be read now. A later request with the token returns their changes.
    package var failures: [ZoneResult]

    package init(
        changes: [ZoneChange], token: ChangeToken, moreComing: Bool, failures: [ZoneResult] = []
    ) {
        self.changes = changes
        self.token = token
        self.moreComing = moreComing
        self.failures = failures
    }
}
