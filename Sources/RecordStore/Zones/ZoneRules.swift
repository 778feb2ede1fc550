package import Records

/// What can be done to zones, and how their incarnations are told apart.
package enum ZoneRules {
    /// Throws `badRequest` for the default zone, which every database has; a person who wants data gone may
    /// empty it.
    package static func checkDeletion(of name: String, _ reason: ZoneDeletionReason) throws(RecordError) {
        guard name == ZoneID.defaultName, reason == .deleted else { return }
        throw RecordError(
            .badRequest, "the default zone cannot be deleted", culprit: name,
            nextStep: "delete its records instead"
        )
    }

    /// Throws `limitExceeded` for one more custom zone than a database may have.
    package static func checkCreation(
        of name: String, besides count: Int, atMost most: Int
    ) throws(RecordError) {
        if count < most { return }
        throw RecordError(
            .limitExceeded, "the database has \(count) zones, and may have no more than \(most)",
            culprit: name,
            nextStep: "delete zones that are not needed, or keep the records in an existing one")
    }

    /// The identity of a zone that is created with this number of the sequence: never used twice, so that a
    /// zone which is created again is another zone. The default zone has 1.
    package static func id(at sequence: Int64) -> Int64 { sequence + 1 }
}

extension RecordError {
    /// The error for a zone that is not there.
    package static func zoneNotFound(_ name: String) -> RecordError {
        RecordError(
            .zoneNotFound, "Zone not found", culprit: name,
            nextStep: "create the zone first, or delete its local copy"
        )
    }

    /// The error for a zone that went for a reason; nil: it never was, or that is forgotten.
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
