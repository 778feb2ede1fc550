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

/// The outcome of fetching or changing one zone.
package enum ZoneResult: Hashable, Sendable {
    case zone(Zone)
    /// The zone was deleted. Only change feeds give the reason, to clients that ask for details.
    case deleted(ZoneID, reason: ZoneDeletionReason = .deleted)
    /// The operation failed. The zone is nil if the server did not name it.
    case failure(ZoneID?, RecordError)

    /// The error, if the operation failed.
    package var error: RecordError? {
        if case .failure(_, let error) = self { error } else { nil }
    }

    /// The identity of the zone, if known.
    package var id: ZoneID? {
        switch self {
        case .zone(let zone): zone.id
        case .deleted(let id, _): id
        case .failure(let id, _): id
        }
    }
}
