package import Records

/// Rules for creating and deleting zones that all stores share.
package enum ZoneRules {
    /// Throws `badRequest` for deleting the default zone, which every database has. A purge or a reset of
    /// encrypted data is allowed: it empties the zone.
    package static func checkDeletion(of name: String, _ reason: ZoneDeletionReason) throws(RecordError) {
        guard name == ZoneID.defaultName, reason == .deleted else { return }
        throw RecordError(
            .badRequest, "the default zone cannot be deleted", culprit: name,
            nextStep: "delete its records instead"
        )
    }

    /// Throws `limitExceeded` if a database with `count` custom zones may not have another one.
    package static func checkCreation(
        of name: String, besides count: Int, atMost limit: Int
    ) throws(RecordError) {
        if count < limit { return }
        throw RecordError(
            .limitExceeded, "the database has \(count) zones, and may have no more than \(limit)",
            culprit: name,
            nextStep: "delete zones that are not needed, or keep the records in an existing one")
    }

    /// The id of a zone whose creation has this sequence number. Ids are never used twice, so a zone that is
    /// created again under its old name is a different zone. The default zone has the id 1.
    package static func id(at sequence: Int64) -> Int64 { sequence + 1 }
}

extension RecordError {
    /// The error for a missing zone.
    package static func zoneNotFound(_ name: String) -> RecordError {
        RecordError(
            .zoneNotFound, "Zone not found", culprit: name,
            nextStep: "create the zone first, or delete its local copy"
        )
    }

    /// The error for a zone that was deleted for a reason; nil if it never existed or its deletion was
    /// forgotten.
    package static func zoneGone(_ name: String, _ reason: ZoneDeletionReason?) -> RecordError {
        switch reason {
        case nil, .deleted: zoneNotFound(name)
        case .purged:
            RecordError(
                .zonePurged, "Zone was purged by user", culprit: name,
                nextStep: "delete the local copy, and ask the person before you create the zone again"
            )
        case .encryptedDataReset:
            RecordError(
                .zoneReset, "Zone not found, the user reset encrypted data", culprit: name,
                nextStep: "create the zone again and upload the local copy"
            )
        }
    }
}
