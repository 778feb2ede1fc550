import Directory
import RecordStore
import Records

/// A participant other than the owner: a person who accesses another person's private database through
/// shares that the person has accepted. The stores call this person the participant of a batch or query.
struct Guest: Sendable {
    /// The record name of the person.
    var person: String
    /// The record names of the person's accepted shares in the zone of the request.
    var shares: Set<String>

    /// Whether the guest sees all records of the zone.
    var seesWholeZone: Bool { shares.contains(Share.zoneWideName) }
}

extension DatabaseService {
    /// Runs `work` with the database that holds the zone: in the shared database, that of the zone's owner.
    ///
    /// Throws as the other forms of `using` do, and `zoneNotFound` for a zone that is not shared with the
    /// caller.
    func using<Result: Sendable>(
        _ scope: DatabaseKind, zone: ZoneID?, for caller: Caller,
        _ work: (OpenDatabase, Guest?) async throws -> Result
    ) async throws -> Result {
        guard scope == .shared else {
            return try await using(scope, for: caller) { try await work($0, nil) }
        }
        let place = try await sharedPlace(of: zone, for: caller)
        return try await using(place.key) { database in
            let guest = try await slowWork.reading(for: caller.workPayer) {
                try await self.guest(place.person, in: place.zone, of: database)
            }
            return try await work(database, guest)
        }
    }

    /// Runs `work`, which must only read, with the database that holds the zone. Throws as `using` does.
    func reading<Result: Sendable>(
        _ scope: DatabaseKind, zone: ZoneID?, for caller: Caller,
        _ work: (OpenDatabase, Guest?) async throws -> Result
    ) async throws -> Result {
        guard scope == .shared else {
            return try await reading(scope, for: caller) { try await work($0, nil) }
        }
        let place = try await sharedPlace(of: zone, for: caller)
        return try await using(place.key) { database in
            try await slowWork.reading(for: caller.workPayer) {
                try await work(database, try await self.guest(place.person, in: place.zone, of: database))
            }
        }
    }

    /// The owner's database that holds a shared zone. Only a zone in which the caller has accepted a share
    /// leads to another person's database.
    func sharedPlace(
        of zone: ZoneID?, for caller: Caller
    ) async throws -> (key: DatabaseKey, zone: String, person: String) {
        guard case .person(let person) = caller.identity else {
            _ = try key(of: .shared, for: caller)
            throw caller.notSignedIn
        }
        guard let asked = zone, let owner = asked.owner else {
            throw RecordError.zoneNotFound(zone?.name ?? "shared")
        }
        let isKnown = try await context.directory.hasSharedZone(
            asked.name, of: owner, for: person, in: caller.container, caller.environment)
        let key = self.key(owner: owner, for: caller)
        guard isKnown, context.provider.exists(key) else { throw RecordError.zoneNotFound(asked.name) }
        return (key, asked.name, person)
    }

    /// The person in the zone. Throws `zoneNotFound` if nothing in it is shared with the person. The cost
    /// grows with the number of the person's shares, so call it within `SlowWork.reading`.
    func guest(
        _ person: String, in zone: String, of database: OpenDatabase
    ) async throws -> Guest {
        let shares = try await database.records.shares(of: person, in: zone)
        if shares.isEmpty { throw RecordError.zoneNotFound(zone) }
        return Guest(person: person, shares: Set(shares))
    }

    /// Returns the names of the records that the guest may see; nil if these are all.
    func visible(
        _ names: [String], in zone: String, of database: OpenDatabase, to guest: Guest?
    ) async throws -> Set<String>? {
        guard let guest, !guest.seesWholeZone else { return nil }
        let shares = try await database.records.shares(covering: names, in: zone)
        return Set(
            zip(names, shares).compactMap { name, share in
                share.flatMap { guest.shares.contains($0) ? name : nil }
            })
    }
}
