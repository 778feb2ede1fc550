package import DataRows
import PostgreSQLSupport
import RecordStore
package import Records

/// The content of a record database in PostgreSQL as rows.
package final class PostgresRecordRows: RowDatabase {
    private let pool: ConnectionPool
    private let number: Int64
    private let types: [TypeSchema]
    private let codec: any FieldCodec
    package let tables = RowTable.ofRecords

    /// - Parameters:
    ///   - number: names the database in the engine.
    ///   - types: the types of the schema, whose indexes a new database gets.
    package init(in engine: PostgresEngine, number: Int64, types: [TypeSchema], codec: any FieldCodec) {
        pool = engine.pool
        self.number = number
        self.types = types
        self.codec = codec
    }

    package func close() throws {}

    package func rows(of table: RowTable, after key: [RowValue]?) throws -> [[RowValue]] {
        let number = number
        return try pool.runBlocking { connection in
            try connection.read(on: number) { try Self.rows(of: table, in: $0).page(after: key) }
        }
    }

    package func fill(from source: any RowDatabase, onRows: @escaping @Sendable (Int) -> Void) throws {
        let (number, types, codec, tables) = (number, types, codec, tables)
        try pool.runBlocking { connection in
            try connection.transaction(.writing, on: number) { session in
                var writer = try PostgresRecordRowWriter(session, types: types, codec: codec)
                for table in tables {
                    let rows = Self.rows(of: table, in: session)
                    try source.forEachPage(of: table) { page in
                        for row in page {
                            if row.contains(where: \.hasNUL) {
                                throw try Self.refusal(of: row, of: table, session)
                            }
                            if table == .record { try writer.insert(row) } else { try Self.insert(row, rows) }
                        }
                        onRows(page.count)
                    }
                }
                try writer.finish()
                return (true, ())
            }
        }
    }

    /// The error for a row with the character NUL in a name, which PostgreSQL cannot store. It names the
    /// record that has the name, or that refers to it.
    private static func refusal(
        of row: [RowValue], of table: RowTable, _ session: PostgresSession
    ) throws -> RecordError {
        func name(ofRowWith column: String, in other: String) throws -> String? {
            guard let id = table.value(column, of: row)?.integer else { return nil }
            let rows = try session.connection.run(
                "SELECT name FROM \(other) WHERE database = $1 AND id = $2",
                [.integer(session.database), .integer(id)])
            return rows.first?.text(0)
        }
        let ownName = table == .record ? table.value("name", of: row)?.text : nil
        let record = try ownName ?? name(ofRowWith: "source", in: "record")
        let zone = try name(ofRowWith: "zone", in: "zone").map { " in the zone \"\($0)\"" } ?? ""
        let place = (record.map { "the record \"\($0)\"" } ?? "a row of the table \(table.name)") + zone
        return RecordError(
            .badRequest,
            "\(place) has a name or a reference with the character NUL, which PostgreSQL cannot store",
            culprit: record,
            nextStep: "at the source, delete the record, or save it with another reference"
        )
    }

    private static func rows(of table: RowTable, in session: PostgresSession) -> PostgresRowTable {
        func rows(
            from source: String? = nil, where condition: String = "database = $1",
            _ expressions: [String: String] = [:], owner: String = "database"
        ) -> PostgresRowTable {
            PostgresRowTable(
                session.connection, table, from: source, where: condition, [.integer(session.database)],
                expressions, owner: owner)
        }
        switch table {
        case .database: return rows(where: "id = $1", owner: "id")
        case .record:
            let type = "(SELECT t.name FROM record_type t WHERE t.database = $1 AND t.id = record.type)"
            return rows(["type": type])
        case .clientBatch: return rows(["exceptions": "array_to_string(exceptions, E'\\n')"])
        // Everyone who was ever notified has a row.
        case .notificationOwner: return rows(where: "database = $1 AND horizon > 0")
        default: return rows()
        }
    }

    /// Inserts a row of another table than `record`. Columns that only this engine has get values with which
    /// it counts again; `PostgresRecordRowWriter.finish` sets those that cannot be counted later.
    private static func insert(_ row: [RowValue], _ rows: PostgresRowTable) throws {
        switch rows.table {
        case .database:
            try rows.connection.send(
                """
                INSERT INTO database (
                    id, identity, sequence, time, horizon, last_notification, notification_horizon,
                    deletions, leavings, catalog, subscriptions
                )
                VALUES (
                    named_database(),
                    $1, $2, $3, $4, $5, $6, 0, 0, 0, 0
                )
                """,
                row.map(PostgresValue.init))
        case .clientBatch:
            try rows.insert(row, ["exceptions": { "string_to_array(\($0), E'\\n')" }])
        case .notificationOwner:
            try rows.connection.send(
                """
                INSERT INTO notification_owner (database, owner, horizon, most, most_bytes)
                VALUES (named_database(), $1, $2, 0, 0)
                """,
                row.map(PostgresValue.init))
        default: try rows.insert(row)
        }
    }
}
