/// A change to the zones of a database.
package enum ZoneOperation: Hashable, Sendable {
    case create(ZoneID)
    case delete(ZoneID)

    package var zone: ZoneID {
        switch self {
        case .create(let zone), .delete(let zone): zone
        }
    }
}

/// The outcome for one zone that was asked for or changed.
package enum ZoneResult: Hashable, Sendable {
    case zone(Zone)
    /// The zone is gone. Feeds of changes tell our own client why.
    case deleted(ZoneID, reason: ZoneDeletionReason = .deleted)
    /// The zone is nil when a server did not say which one it means.
    case failure(ZoneID?, RecordError)

    /// The zone that is meant.
    package var id: ZoneID? {
        switch self {
        case .zone(let zone): zone.id
        case .deleted(let id, _): id
        case .failure(let id, _): id
        }
    }
}
