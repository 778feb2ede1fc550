import DataRows
import Foundation
import GRDB
import RecordStore
import Records
import SQLiteSupport

/// Writes records that were read from another database, with the entries of their indexes.
struct RecordRowWriter {
    private let database: Database
    private let codec: any FieldCodec
    private var catalog: Catalog
    /// The types of the schema, by their names.
    private let schema: [String: TypeSchema]
    /// The types whose tables exist.
    private var ready: [String: TypeTable] = [:]

    init(_ database: Database, types: [TypeSchema], codec: any FieldCodec) throws {
        self.database = database
        self.codec = codec
        catalog = try Catalog(database)
        schema = Dictionary(types.map { ($0.name, $0) }) { $1 }
        for type in types { _ = try prepared(type.name, for: Fields()) }
    }

    /// Inserts a row of `RowTable.record`.
    mutating func insert(_ row: [RowValue]) throws {
        func integer(_ column: String) -> Int64 { RowTable.record.value(column, of: row)?.integer ?? 0 }
        func text(_ column: String) -> String { RowTable.record.value(column, of: row)?.text ?? "" }
        let (id, zone, name) = (integer("id"), integer("zone"), text("name"))
        let head = RowTable.record.value("head", of: row)?.bytes ?? []
        guard let bytes = RowTable.record.value("fields", of: row)?.bytes else {
            try insert(row, as: prepared(text("type"), for: Fields()).id)
            return
        }
        let stored = head.withUnsafeBytes { head in
            StoredRecord(
                id: RecordID(name: name), type: text("type"), head: RecordHead(head), fields: bytes,
                sequence: integer("sequence"))
        }
        let fields = try codec.decode(stored.fields)
        let type = try prepared(stored.type, for: fields)
        try insert(row, as: type.id)
        try IndexWriter(database: database, type: type)
            .insert(WrittenRecord(stored: stored, fields: fields, ordinal: id), zone: zone)
    }

    /// Inserts the row itself, with the number that its type has in this file.
    private func insert(_ row: [RowValue], as type: Int64) throws {
        let row = zip(RowTable.record.columns, row).map { column, value in
            column.name == "type" ? .integer(type) : value
        }
        try SQLiteRows(database, .record).insert(row)
    }

    private mutating func prepared(_ name: String, for fields: Fields) throws -> TypeTable {
        if let table = ready[name], fields.names.allSatisfy(table.knows) { return table }
        let type = schema[name] ?? TypeSchema(name: name)
        if ready[name] == nil {
            while try !catalog.prepareSome(type, in: database, codec: codec) {}
        }
        let table = try ready[name] ?? catalog.prepared(type, in: database, codec: codec)
        let admitted = try catalog.admitted(fields, to: table, in: database, codec: codec)
        ready[name] = admitted
        return admitted
    }
}
