package import Records

/// Decides whether a share may be created for a root or a zone.
package struct SharePlace: Sendable {
    /// The record name of the new share, for errors.
    package var name: String
    package var zone: String
    /// Whether the database belongs to one person.
    package var isPrivate: Bool
    /// Whether a share covers the whole zone.
    package var isZoneShared: Bool
    /// Whether the zone has shares of records.
    package var hasRecordShares: Bool

    package init(
        name: String, zone: String, isPrivate: Bool, isZoneShared: Bool, hasRecordShares: Bool
    ) {
        self.name = name
        self.zone = zone
        self.isPrivate = isPrivate
        self.isZoneShared = isZoneShared
        self.hasRecordShares = hasRecordShares
    }

    /// Throws if the zone can have no such share, whatever its root. The root is nil for a share of the whole
    /// zone.
    package func check(_ root: String?) throws(RecordError) {
        if !isPrivate {
            throw RecordError(
                .badDatabase, "a share is saved in its owner's private database", culprit: name,
                nextStep: "save the share and its root in a custom zone of the private database")
        }
        if zone == ZoneID.defaultName {
            throw RecordError(
                .badRequest, "the default zone cannot hold shares", culprit: name,
                nextStep: "save the share and its root in a custom zone")
        }
        if (root == nil) != (name == Share.zoneWideName) {
            throw RecordError(
                .badRequest,
                "a share of a zone is named \(Share.zoneWideName) and has no root; any other has a root",
                culprit: name, nextStep: "name the root in forRecord, or use that record name")
        }
        if isZoneShared {
            throw RecordError.alreadyShared(zone, by: Share.zoneWideName)
        }
        if root == nil, hasRecordShares {
            throw RecordError(
                .badRequest, "records of the zone are already shared", culprit: zone,
                nextStep: "stop sharing these records, or put records to share into another zone")
        }
    }

    /// Throws if a record cannot become the root of the share.
    ///
    /// - Parameters:
    ///   - root: nil if the record is missing.
    ///   - isInBatch: whether the same batch has saved it.
    ///   - tag: its change tag according to the share.
    package func check(
        root: StoredRecord?, named rootName: String, isInBatch: Bool, tag: ChangeTag?
    ) throws(RecordError) {
        guard let root else {
            throw RecordError(
                .notFound, "the root of a share does not exist", culprit: rootName,
                nextStep: "save the root and its share in one request")
        }
        if root.type == Share.recordType {
            throw RecordError(
                .badRequest, "a share cannot be shared", culprit: rootName,
                nextStep: "name another record in forRecord")
        }
        if case .root(let other)? = root.sharing { throw RecordError.alreadyShared(rootName, by: other) }
        if isInBatch { return }
        guard let tag else {
            throw RecordError(
                .badRequest, "a new share is saved in one request with its root", culprit: name,
                nextStep: "add the root to the request, or its change tag to forRecord")
        }
        if tag != root.changeTag {
            throw RecordError(
                .conflict, "the root of the share has changed", culprit: rootName,
                nextStep: "fetch the root, and share its latest version")
        }
    }
}

extension RecordError {
    /// The error for a record that would be covered by two shares.
    package static func alreadyShared(_ name: String, by share: String) -> RecordError {
        RecordError(
            .alreadyShared, "the record is covered by the share \(share) already", culprit: name,
            nextStep: "use that share, or stop it first")
    }
}
