package import Records

/// Rules for the references inside field values.
package enum ReferenceRules {
    /// Returns the value with the zone removed from each reference into `zone`.
    ///
    /// Throws `badRequest` for a reference with an action into another zone.
    package static func localized(_ value: FieldValue, in zone: ZoneID, field: String) throws -> FieldValue {
        try value.mapReferences { try localized($0, in: zone, field: field) }
    }

    private static func localized(_ reference: Reference, in zone: ZoneID, field: String) throws -> Reference
    {
        guard let target = reference.zone else { return reference }
        var local = reference
        if target.name == zone.name {
            local.zone = nil
        } else if reference.action != .none {
            throw RecordError(
                .badRequest, "a reference with an action cannot leave its zone", culprit: field,
                nextStep: "keep both records in one zone, or use the action NONE"
            )
        }
        return local
    }
}
