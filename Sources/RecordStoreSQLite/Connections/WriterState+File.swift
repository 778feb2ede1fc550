import GRDB
import RecordStore
import Records

extension WriterState {
    /// Reads the state from a file. A new file gets the identity, the first number and the default zone.
    init(_ database: Database, newIdentity: Int64, firstNumber: Int64, codec: any FieldCodec) throws {
        if try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM store") == 0 {
            try database.execute(
                sql: """
                    INSERT INTO store (
                        identity, sequence, time, horizon, last_notification, notification_horizon
                    )
                    VALUES (:identity, :first, :time, 0, :first, :first)
                    """,
                arguments: ["identity": newIdentity, "first": firstNumber, "time": Int64.min]
            )
            try database.execute(
                sql: """
                    INSERT INTO zone (id, name, sequence, horizon, record_count, record_bytes, asset_bytes)
                    VALUES (1, ?, 0, 0, 0, 0, 0)
                    """,
                arguments: [ZoneID.defaultName]
            )
        }
        guard let store = try Row.fetchOne(database, sql: "SELECT identity, sequence, time FROM store") else {
            throw RecordError(.internalError, "the table store has no row")
        }
        self.init(
            identity: store[0], sequence: store[1], time: Timestamp(milliseconds: store[2]),
            catalog: try Catalog(database)
        )
        for row in try Row.fetchAll(database, sql: "SELECT id, name FROM zone") {
            add(zone: row[0], named: row[1])
        }
        shares = try ShareTable.kinds(database)
        usage = try UsageAccount(database: database).usageOfAllZones(codec: codec)
        (deletions, leavings) = try Deletions(database: database).remembered(upTo: 1_000_000)
        lastNotification = try Int64.fetchOne(database, sql: "SELECT MAX(last_notification) FROM store") ?? 0
        guard max(sequence, lastNotification) <= Self.greatestNumber else {
            throw RecordError(
                .internalError, "the numbers in the table store are damaged", nextStep: "restore a backup")
        }
    }

    /// The greatest number of a change or notification in an intact file. The numbers above it are more than
    /// a database ever uses.
    static var greatestNumber: Int64 { Int64.max / 2 }

    /// The name of a zone, from the file if it was created after this state.
    func zoneName(of id: Int64, _ database: Database) throws -> String {
        if let name = zoneNames[id] { return name }
        return try String.fetchOne(database, sql: "SELECT name FROM zone WHERE id = ?", arguments: [id]) ?? ""
    }

    /// The name of a type, from the file if it was created after this state.
    func typeName(of id: Int64, _ database: Database) throws -> String {
        if let name = catalog.names[id] { return name }
        return try String.fetchOne(
            database, sql: "SELECT name FROM record_type WHERE id = ?", arguments: [id]
        ) ?? ""
    }
}
