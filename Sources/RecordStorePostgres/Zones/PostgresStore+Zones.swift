import PostgreSQLSupport
import RecordStore
package import Records

extension PostgresStore {
    package func zones(after name: String?, limit: Int) async throws -> [Zone] {
        let identity = identity
        return try await read {
            try PostgresZoneTable(session: $0).zones(after: name, limit: limit, identity: identity)
        }
    }

    package func zones(named names: [String]) async throws -> [Zone?] {
        let identity = identity
        return try await read { session in
            let zones = PostgresZoneTable(session: session)
            return try names.map { try zones.zone(named: $0, identity: identity) }
        }
    }

    package func createZone(named name: String, by stamp: Stamp, atMost most: Int) async throws -> Zone {
        try await write { [self] session, state in
            try state.storeZones(in: session)
            let zones = PostgresZoneTable(session: session)
            if let zone = try zones.zone(named: name, identity: state.identity) { return (true, zone) }
            let zone = try zones.add(name, atMost: most, &state)
            try notificationWriter(session).notify(ofZone: name, stamp, &state)
            return (true, zone)
        }
    }

    package func deleteZone(
        named name: String, reason: ZoneDeletionReason, by stamp: Stamp
    ) async throws {
        try ZoneRules.checkDeletion(of: name, reason)
        // It removes all records of the zone.
        try await write(weight: WriteGroup.heavyWeight) { [self] session, state in
            try state.storeZones(in: session)
            let zones = PostgresZoneTable(session: session)
            let (zone, _, _) = try zones.extent(of: name)
            let members =
                subscriptions.hasShared ? try PostgresShareTable(session: session, zone: zone).members() : []
            try zones.remove(zone, named: name, reason: reason, at: stamp.at, &state)
            state.usage = try PostgresUsageAccount(session: session).usage()
            try notificationWriter(session).notify(ofZone: name, members: members, stamp, &state)
            return (true, ())
        }
    }
}
