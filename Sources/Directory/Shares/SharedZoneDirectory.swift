package import Records

/// A zone of another person in which a person has accepted a share.
package struct SharedZone: Hashable, Sendable {
    /// Unique in the directory, and never used for another zone or person.
    package var number: Int64
    /// The record name of the zone's owner.
    package var owner: String
    package var zone: String
    /// The time at which the server noticed that nothing in the zone is shared with the person any more; nil
    /// before.
    package var ended: Timestamp?

    package init(number: Int64, owner: String, zone: String, ended: Timestamp? = nil) {
        self.number = number
        self.owner = owner
        self.zone = zone
        self.ended = ended
    }
}

/// Stores the zones in which people have accepted shares of others.
///
/// This is only an index of the databases to read: the owner's database decides whether a zone is still
/// shared with the person. The index can be rebuilt from the memberships in all private databases.
///
/// - The shared zones of a person are listed once each, in the order in which they were accepted.
/// - A zone is looked up among the shared zones of a person.
/// - A zone that ended stays in the index, so that the person's devices learn of it, until it is forgotten.
/// - Adding a zone that ended removes its end. A person who has too many zones loses the one that ended
///   first.
/// - Removing an account or a container removes its shared zones.
package protocol SharedZoneDirectory: Sendable {
    /// Adds a zone to the zones that others share with a person. If the zone is listed already, removes its
    /// end.
    ///
    /// - Parameter limit: If the person has this many zones or more, a new zone replaces the one that ended
    ///   first. Zones that have not ended are never removed, so the person can have more zones than this.
    func addSharedZone(
        _ zone: String, of owner: String, for person: String, in container: String,
        _ environment: CloudEnvironment, atMost limit: Int
    ) async throws

    /// Stores that zones of a person ended at `time`, unless an earlier end is stored, and removes the
    /// person's zones that ended before `old`.
    func endSharedZones(
        _ numbers: Set<Int64>, at time: Timestamp, forgettingBefore old: Timestamp, of person: String,
        in container: String, _ environment: CloudEnvironment
    ) async throws

    /// Whether a zone is listed among those that others share with a person, ended or not.
    func hasSharedZone(
        _ zone: String, of owner: String, for person: String, in container: String,
        _ environment: CloudEnvironment
    ) async throws -> Bool

    /// The zones in which a person has accepted shares, in the order of the first acceptance.
    func sharedZones(
        of person: String, in container: String, _ environment: CloudEnvironment
    ) async throws -> [SharedZone]
}
