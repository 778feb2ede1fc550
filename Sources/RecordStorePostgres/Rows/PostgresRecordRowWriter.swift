import DataRows
import PostgreSQLSupport
import RecordStore
import Records

/// Writes records that were read from another database, with the entries of their indexes.
struct PostgresRecordRowWriter {
    private let session: PostgresSession
    private let codec: any FieldCodec
    private var catalog: PostgresCatalog
    /// The types of the schema, by their names.
    private let schema: [String: TypeSchema]
    /// The types that the catalog has.
    private var ready: [String: PostgresCatalogType] = [:]

    init(_ session: PostgresSession, types: [TypeSchema], codec: any FieldCodec) throws {
        self.session = session
        self.codec = codec
        catalog = try PostgresCatalog(session, number: 0)
        schema = Dictionary(types.map { ($0.name, $0) }) { $1 }
        for type in types { _ = try prepared(type.name, for: Fields()) }
    }

    /// Inserts a row of `RowTable.record`.
    mutating func insert(_ row: [RowValue]) throws {
        func value(_ column: String) -> RowValue { RowTable.record.value(column, of: row) ?? .null }
        let (id, zone) = (value("id").integer ?? 0, value("zone").integer ?? 0)
        let head = value("head").bytes ?? []
        var fields = Fields()
        // The head of a tombstone is empty, and nobody asks who created it.
        var (creator, modifier) = ("", "")
        if let bytes = value("fields").bytes {
            try head.withUnsafeBytes { memory in
                let head = RecordHead(memory)
                fields = try codec.decode(FieldBytes(bytes: bytes, assetSlots: head.slots))
                creator = head.text(of: .creator) ?? ""
                modifier = head.text(of: .modifier) ?? ""
            }
        }
        let type = try prepared(value("type").text ?? "", for: fields)
        try session.run(
            """
            INSERT INTO record (
                database, id, zone, type, sequence, created_at, modified_at, name, created_by, modified_by,
                parent, head, fields
            )
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
            """,
            .integer(id), .integer(zone), .integer(type.id), PostgresValue(value("sequence")),
            PostgresValue(value("created_at")), PostgresValue(value("modified_at")),
            PostgresValue(value("name")), .text(creator), .text(modifier), PostgresValue(value("parent")),
            .bytes(head), PostgresValue(value("fields")))
        if value("fields") == .null { return }
        try PostgresEntryWriter(session: session)
            .insert(PostgresEntryRows(fields, type.fields.values), record: id, zone: zone)
    }

    /// Sets what the engine counts, after all rows were inserted.
    func finish() throws {
        try session.run(
            """
            UPDATE database
            SET catalog = $2,
                subscriptions = (SELECT COALESCE(MAX(id), 0) FROM subscription WHERE database = $1),
                deletions = (SELECT COUNT(*) FROM record WHERE database = $1 AND fields IS NULL),
                leavings = (
                    SELECT COUNT(*) FROM share_feed WHERE database = $1 AND gone_at IS NOT NULL
                ) + (SELECT COUNT(*) FROM share WHERE database = $1 AND end_sequence IS NOT NULL)
            WHERE id = $1
            """,
            .integer(catalog.number))
        try session.run(
            """
            INSERT INTO notification_owner (database, owner, horizon, most, most_bytes)
            SELECT $1, owner, 0, COUNT(*), SUM(octet_length(content))
            FROM notification
            WHERE database = $1 AND is_read = 0
            GROUP BY owner
            ON CONFLICT (database, owner) DO UPDATE
            SET most = excluded.most, most_bytes = excluded.most_bytes
            """)
    }

    private mutating func prepared(_ name: String, for fields: Fields) throws -> PostgresCatalogType {
        if let known = ready[name], fields.names.allSatisfy({ known.fields[$0] != nil }) { return known }
        var found =
            try ready[name]
            ?? catalog.prepared(schema[name] ?? TypeSchema(name: name), in: session, codec: codec)
        if !fields.names.allSatisfy({ found.fields[$0] != nil }) {
            found = try catalog.noted(fields, of: found, in: session)
        }
        ready[name] = found
        return found
    }
}
