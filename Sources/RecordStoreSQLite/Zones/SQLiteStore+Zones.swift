import RecordStore
package import Records

extension SQLiteStore {
    package func zones(after name: String?, limit: Int) async throws -> [Zone] {
        let identity = writer.committed.identity
        return try read {
            try ZoneTable(database: $0).zones(after: name, limit: limit, identity: identity)
        }
    }

    package func zones(named names: [String]) async throws -> [Zone?] {
        let identity = writer.committed.identity
        return try read { database in
            let zones = ZoneTable(database: database)
            return try names.map { try zones.zone(named: $0, identity: identity) }
        }
    }

    package func createZone(named name: String, by stamp: Stamp, atMost most: Int) async throws -> Zone {
        let (codec, subscribers) = (codec, writer.subscriptions)
        return try await write { database, state in
            let zones = ZoneTable(database: database)
            if let zone = try zones.zone(named: name, identity: state.identity) { return (true, zone) }
            let zone = try zones.add(name, atMost: most, &state)
            try NotificationWriter(database: database, codec: codec, subscribers: subscribers)
                .notify(ofZone: name, stamp, &state)
            return (true, zone)
        }
    }

    package func deleteZone(
        named name: String, reason: ZoneDeletionReason, by stamp: Stamp
    ) async throws {
        try ZoneRules.checkDeletion(of: name, reason)
        let (codec, subscribers) = (codec, writer.subscriptions)
        try await write { database, state in
            let zones = ZoneTable(database: database)
            guard let zone = state.zones[name] else { throw try zones.absence(of: name) }
            let members =
                subscribers.hasShared ? try ShareTable(database: database, zone: zone).members() : []
            try zones.remove(zone, named: name, reason: reason, at: stamp.at, &state)
            try NotificationWriter(database: database, codec: codec, subscribers: subscribers)
                .notify(ofZone: name, members: members, stamp, &state)
            return (true, ())
        }
    }

    /// Returns the error for a missing zone. Reads outside of a transaction.
    func absence(of name: String) throws -> RecordError {
        try read { try ZoneTable(database: $0).absence(of: name) }
    }
}
