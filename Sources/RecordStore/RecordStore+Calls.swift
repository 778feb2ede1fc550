package import Records

extension RecordStore {
    /// Applies the operations of a batch to one zone; one result for each, in order.
    package func commit(_ batch: WriteBatch) async throws -> [ItemResult] {
        try await apply(batch).results
    }

    /// Reads the records with these names in a zone, however large they are together.
    package func lookup(
        _ names: [String], in zone: String, wantsToken: Bool, take: (StoredRecord?) throws -> Void
    ) async throws -> ChangeToken? {
        try await lookup(names, in: zone, atMost: .max, wantsToken: wantsToken, take: take)
    }

    /// Returns the records with these names in a zone, in the same order; nil for a missing record. Throws
    /// `zoneNotFound`.
    package func records(named names: [String], in zone: String) async throws -> [StoredRecord?] {
        var found: [StoredRecord?] = []
        found.reserveCapacity(names.count)
        _ = try await lookup(names, in: zone, wantsToken: false) { found.append($0) }
        return found
    }

    /// Returns a person's subscriptions to this database in the order of their creation.
    package func subscriptions(of owner: String) async throws -> [Subscription] {
        try await subscriptions(of: owner, in: .own)
    }

    /// Creates, replaces and deletes a person's subscriptions to this database.
    package func modifySubscriptions(
        _ operations: [SubscriptionOperation], of owner: String, limits: Limits
    ) async throws -> [SubscriptionResult] {
        try await modifySubscriptions(operations, of: owner, in: .own, limits: limits)
    }

    /// Creates a zone, at the time of the last change.
    package func createZone(named name: String) async throws -> Zone {
        try await createZone(named: name, by: .nobody, atMost: .max)
    }

    /// Returns all zones: the default zone first, the others in the byte order of their names.
    package func zones() async throws -> [Zone] {
        try await zones(after: nil, limit: .max)
    }

    /// Deletes a zone with all its records, at the time of the last change. Throws `zoneNotFound`.
    package func deleteZone(named name: String) async throws {
        try await deleteZone(named: name, reason: .deleted, by: .nobody)
    }

    /// Deletes a zone with all its records. Throws `zoneNotFound`.
    package func deleteZone(
        named name: String, reason: ZoneDeletionReason, at time: Timestamp
    ) async throws {
        try await deleteZone(named: name, reason: reason, by: Stamp(at: time, by: ""))
    }
}

extension RecordError {
    /// The error for records that are too large for one answer.
    package static func answerTooLarge(limit: Int) -> RecordError {
        RecordError(
            .limitExceeded, "the records have more than \(limit) bytes of fields", culprit: "records",
            nextStep: "ask for half of them at a time"
        )
    }
}

extension Stamp {
    /// The earliest time, which a store raises to its last one, and no person.
    fileprivate static let nobody = Stamp(at: Timestamp(milliseconds: .min), by: "")
}
