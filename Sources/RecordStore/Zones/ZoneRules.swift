// Owns the rules of zones that all stores share.

package import Records

/// What can be done to zones, and how their incarnations are told apart.
package enum ZoneRules {
    /// Throws `badRequest` for the default zone, which every database has.
    package static func checkDeletion(of name: String) throws(RecordError) {
        guard name == ZoneID.defaultName else { return }
        throw RecordError(
            .badRequest, "the default zone cannot be deleted", culprit: name,
            nextStep: "delete its records instead"
        )
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
            nextStep: "create the zone first, or drop what you keep of it"
        )
    }
}
