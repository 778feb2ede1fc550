import RecordStore
package import Records

/// A page of a database's zones.
package struct ZoneList: Hashable, Sendable {
    package var zones: [Zone]
    /// Zones that others share with the caller, and whose database fails.
    package var failures: [ZoneResult] = []
    /// nil after the last page.
    package var marker: [UInt8]?
}

/// Lists, creates and deletes zones, and returns the changes of a database's zones.
package final class ZoneService: Sendable {
    let context: ServiceContext
    let databases: DatabaseService
    let assets: AssetService
    /// Seals the markers and change tokens that clients keep.
    let seal: TokenSeal

    init(_ context: ServiceContext, databases: DatabaseService, assets: AssetService, seal: TokenSeal) {
        self.context = context
        self.databases = databases
        self.assets = assets
        self.seal = seal
    }

    /// Returns a page of the zones of a database, the default zone first.
    package func list(
        in scope: DatabaseKind, limit: Int? = nil, marker: [UInt8]? = nil, by caller: Caller
    ) async throws -> ZoneList {
        let last = try marker.map { marker throws(RecordError) in try zoneName(marker: marker) }
        let limit = min(max(limit ?? context.limits.zonesPerResponse, 1), context.limits.zonesPerResponse)
        if scope == .shared, let person = caller.userRecordName {
            var list = try await listShared(after: last.flatMap { Int64($0) } ?? 0, limit: limit, by: caller)
            list.zones = try list.zones.map { try seal.hidden($0, from: person) }
            return list
        }
        return try await databases.reading(scope, for: caller) { database in
            // One zone more than requested shows whether there is a further page.
            let found = try await database.records.zones(after: last, limit: min(limit, .max - 1) + 1)
            let page = found.prefix(limit)
            let next = found.count > limit ? page.last : nil
            return ZoneList(
                zones: page.map { seal.sealed($0) },
                marker: next.map { seal.sealed(Array($0.id.name.utf8), .zones) })
        }
    }

    /// The bytes of the records and files of each of these zones. Shared zones have no size here: they may have
    /// records that the caller cannot see.
    package func sizes(
        of zones: [ZoneID], in scope: DatabaseKind, by caller: Caller
    ) async throws -> [ZoneID: Int64] {
        if scope == .shared { return [:] }
        return try await databases.reading(scope, for: caller) { database in
            let names = try zones.map { try databases.zoneName($0, in: database) }
            let usages = try await database.records.usage(ofZones: names)
            var sizes: [ZoneID: Int64] = [:]
            for (zone, name) in zip(zones, names) { sizes[zone] = usages[name]?.total }
            return sizes
        }
    }

    /// The last zone of the previous page. Throws `badRequest` for a marker that this installation did not
    /// seal.
    private func zoneName(marker: [UInt8]) throws(RecordError) -> String {
        if let bytes = seal.opened(marker, .zones) { return String(decoding: bytes, as: UTF8.self) }
        throw RecordError(
            .badRequest, "Invalid continuation format", culprit: "continuationMarker",
            nextStep: "begin the list again, and send the marker of the last answer unchanged")
    }

    /// The zones with these IDs, in order.
    package func lookup(
        _ ids: [ZoneID], in scope: DatabaseKind, by caller: Caller
    ) async throws -> [ZoneResult] {
        try checkCount(ids.count, "zones")
        if scope == .shared, let person = caller.userRecordName {
            return try await lookupShared(ids, by: caller).map { result in
                guard case .zone(let zone) = result else { return result }
                return .zone(try seal.hidden(zone, from: person))
            }
        }
        return try await databases.reading(scope, for: caller) { database in
            // Each zone is read once, even if the request names it several times.
            var known: [ZoneID: ZoneResult] = [:]
            var results: [ZoneResult] = []
            for id in ids {
                let result =
                    if let result = known[id] { result } else { await lookup(id, in: database) }
                known[id] = result
                results.append(result)
            }
            return results
        }
    }

    private func lookup(_ id: ZoneID, in database: OpenDatabase) async -> ZoneResult {
        do {
            let name = try databases.zoneName(id, in: database)
            if let zone = try await database.records.zones(named: [name])[0] {
                return .zone(seal.sealed(zone))
            }
            return .failure(id, await missingZone(name, in: database))
        } catch {
            return .failure(id, context.itemError(error))
        }
    }

    /// Creates and deletes zones independently of each other.
    ///
    /// Throws `badDatabase` outside a private database, the only kind with custom zones.
    package func modify(
        _ operations: [ZoneOperation], in scope: DatabaseKind, by caller: Caller
    ) async throws -> [ZoneResult] {
        guard scope == .private else {
            throw RecordError(
                .badDatabase, "zones cannot be modified in the \(scope.rawValue) database",
                culprit: scope.rawValue,
                nextStep: "use the private database for zones of your own"
            )
        }
        try checkCount(operations.count, "operations")
        return try await databases.using(scope, for: caller) { database in
            var results: [ZoneResult] = []
            for operation in operations {
                results.append(await modify(operation, in: database, by: context.stamp(of: caller)))
            }
            return results
        }
    }

    /// Throws `limitExceeded` for a request that names too many zones.
    package func checkCount(_ count: Int, _ culprit: String) throws(RecordError) {
        try RecordError.check(
            count, atMost: context.limits.zonesPerRequest, culprit, next: "name them in several requests"
        )
    }

    private func modify(
        _ operation: ZoneOperation, in database: OpenDatabase, by stamp: Stamp
    ) async -> ZoneResult {
        switch operation {
        case .create(let id):
            do {
                if !id.isDefault { try NameRules.checkZoneName(id.name, limits: context.limits) }
                let name = try databases.zoneName(id, in: database)
                let zone = try await database.records.createZone(
                    named: name, by: stamp, atMost: context.limits.zonesPerDatabase)
                return .zone(seal.sealed(zone))
            } catch {
                return .failure(id, context.itemError(error))
            }
        case .delete(let id):
            do {
                if id.isDefault {
                    throw RecordError(
                        .badRequest, "the default zone cannot be deleted", culprit: id.name,
                        nextStep: "delete its records instead"
                    )
                }
                try await database.records.deleteZone(
                    named: databases.zoneName(id, in: database), reason: .deleted, by: stamp
                )
                try await assets.collectReleased(in: database)
                return .deleted(id)
            } catch {
                return .failure(id, context.itemError(error))
            }
        }
    }
}
