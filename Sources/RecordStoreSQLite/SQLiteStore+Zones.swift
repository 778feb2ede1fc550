// Owns the store's zones.

import GRDB
import RecordStore
package import Records

extension SQLiteStore {
    package func zones() async throws -> [Zone] {
        let identity = writer.committed.identity
        return try await read { database in
            try Row.fetchAll(
                database,
                sql: """
                    SELECT id, name, sequence
                    FROM zone
                    ORDER BY id <> 1, name
                    """
            )
            .map { Self.zone(named: $0[1], id: $0[0], sequence: $0[2], identity: identity) }
        }
    }

    package func createZone(named name: String) async throws -> Zone {
        try await write { database, state in
            if let id = state.zones[name] {
                let sequence = try Int64.fetchOne(
                    database, sql: "SELECT sequence FROM zone WHERE id = ?", arguments: [id]
                )
                return (true, Self.zone(named: name, id: id, sequence: sequence ?? 0, identity: state.identity))
            }
            state.sequence += 1
            let id = state.sequence + 1
            try database.execute(
                sql: "INSERT INTO zone (id, name, sequence) VALUES (?, ?, ?)", arguments: [id, name, state.sequence]
            )
            state.zones[name] = id
            return (true, Self.zone(named: name, id: id, sequence: state.sequence, identity: state.identity))
        }
    }

    package func deleteZone(named name: String) async throws {
        try await write { database, state in
            guard let zone = state.zones.removeValue(forKey: name) else { throw RecordError.zoneNotFound(name) }
            state.sequence += 1
            for type in state.catalog.types.values { try Self.clear(type, of: zone, in: database) }
            try database.execute(
                sql: """
                    INSERT OR IGNORE INTO released_asset (checksum)
                    SELECT checksum FROM asset_owner WHERE record IN (SELECT id FROM record WHERE zone = ?)
                    """,
                arguments: [zone]
            )
            for statement in [
                "DELETE FROM asset_owner WHERE record IN (SELECT id FROM record WHERE zone = ?)",
                "DELETE FROM binding WHERE zone = ?",
                "DELETE FROM record WHERE zone = ?",
                "DELETE FROM zone WHERE id = ?",
            ] {
                try database.execute(sql: statement, arguments: [zone])
            }
            try database.execute(
                sql: "DELETE FROM released_asset WHERE checksum IN (SELECT checksum FROM asset_owner)"
            )
            return (true, ())
        }
    }

    private static func clear(_ type: TypeTable, of zone: Int64, in database: Database) throws {
        let records = "(SELECT record FROM \(type.table) WHERE zone = ?)"
        for field in type.fields where field.isLocation {
            try database.execute(
                sql: "DELETE FROM \(field.placeTable) WHERE record IN \(records)", arguments: [zone]
            )
        }
        for field in type.fields where field.type.isList {
            try database.execute(
                sql: "DELETE FROM \(field.elementTable) WHERE record IN \(records)", arguments: [zone]
            )
        }
        if type.hasWords {
            try database.execute(
                sql: "DELETE FROM \(type.wordTable) WHERE rowid IN \(records)", arguments: [zone]
            )
        }
        try database.execute(sql: "DELETE FROM \(type.table) WHERE zone = ?", arguments: [zone])
    }

    private static func zone(named name: String, id: Int64, sequence: Int64, identity: Int64) -> Zone {
        let position = FeedPosition(database: identity, zone: id, sequence: sequence)
        let isDefault = name == ZoneID.defaultName
        return Zone(
            id: ZoneID(name: name), isAtomic: !isDefault, syncToken: isDefault ? nil : position.token
        )
    }
}
