// Owns the entries of a record in the indexes of its type.

import GRDB
import Records
import RecordStore

/// Writes and removes what makes a record findable: its row in the type's table, the elements of its lists, its
/// places and its words.
struct IndexWriter {
    var database: Database
    var type: TypeTable

    func insert(_ record: WrittenRecord, zone: Int64) throws {
        var statement = try SQL(database, type.insertSQL)
        statement.bind(zone)
        statement.bind(record.ordinal)
        statement.bind(record.stored.sequence)
        statement.bind(record.stored.created.by)
        statement.bind(record.stored.modified.by)
        for field in type.fields { bind(field, of: record.fields, to: &statement) }
        try statement.run()
        for field in type.fields { try insertParts(of: field, record) }
        try insertWords(of: record)
    }

    /// Touches only the columns whose fields changed, so that only their indexes are written.
    func update(_ old: WrittenRecord, to new: WrittenRecord, zone: Int64) throws {
        let changed = type.fields.filter { old.fields[$0.name] != new.fields[$0.name] }
        var statement = try SQL(
            database,
            """
            UPDATE \(type.table)
            SET sequence = ?, modified_by = ?\
            \(changed.flatMap(\.columns).map { ", \($0) = ?" }.joined())
            WHERE zone = ? AND record = ?
            """
        )
        statement.bind(new.stored.sequence)
        statement.bind(new.stored.modified.by)
        for field in changed { bind(field, of: new.fields, to: &statement) }
        statement.bind(zone)
        statement.bind(new.ordinal)
        try statement.run()
        for field in changed {
            try deleteParts(of: field, old)
            try insertParts(of: field, new)
        }
        if changed.contains(where: \.isSearchable) {
            try deleteWords(of: old)
            try insertWords(of: new)
        }
    }

    func delete(_ old: WrittenRecord, zone: Int64) throws {
        var statement = try SQL(database, "DELETE FROM \(type.table) WHERE zone = ? AND record = ?")
        statement.bind(zone)
        statement.bind(old.ordinal)
        try statement.run()
        for field in type.fields { try deleteParts(of: field, old) }
        try deleteWords(of: old)
    }

    /// Makes the full-text index anew from the records that exist.
    func refillWords(_ codec: any FieldCodec) throws {
        try database.execute(sql: "DELETE FROM \(type.wordTable)")
        let rows = try SQL(database, "SELECT id, fields FROM record WHERE type = \(type.id) AND fields IS NOT NULL")
        while try rows.step() {
            let fields = try codec.decode(FieldBytes(bytes: rows.bytes(1)))
            try insertWords(Self.words(of: type, in: fields), ordinal: rows.integer(0))
        }
    }
}

// MARK: - Columns

extension IndexWriter {
    private func bind(_ field: IndexedField, of fields: Fields, to statement: inout SQL) {
        let value = fields[field.name].flatMap { $0.isEncrypted || $0.value.type != field.type ? nil : $0.value }
        if field.isLocation {
            if case .location(let place) = value {
                statement.bind(place.latitude)
                statement.bind(place.longitude)
            } else {
                statement.bindNull()
                statement.bindNull()
            }
            return
        }
        switch value {
        case .list(_, let elements): statement.bind(Int64(elements.count))
        case let value?: statement.bind(SQLValue(value.sortValue))
        case nil: statement.bindNull()
        }
    }
}

extension SQLValue {
    init(_ value: SortValue) {
        self =
            switch value {
            case .missing: .null
            case .integer(let integer): .integer(integer)
            case .real(let real): .real(real)
            case .text(let text): .text(text)
            case .bytes(let bytes): .blob(bytes)
            }
    }

    var sortValue: SortValue {
        switch self {
        case .null: .missing
        case .integer(let integer): .integer(integer)
        case .real(let real): .real(real)
        case .text(let text): .text(text)
        case .blob(let bytes): .bytes(bytes)
        }
    }
}

// MARK: - Elements, places and words

extension IndexWriter {
    private func elements(of field: IndexedField, _ record: WrittenRecord) -> Set<SQLValue> {
        guard let value = record.fields[field.name], !value.isEncrypted, value.value.type == field.type else { return [] }
        return Set(value.value.elements.map { SQLValue($0.sortValue) })
    }

    private func place(of field: IndexedField, _ record: WrittenRecord) -> Location? {
        guard let value = record.fields[field.name], !value.isEncrypted, case .location(let place) = value.value
        else { return nil }
        return place
    }

    private func insertParts(of field: IndexedField, _ record: WrittenRecord) throws {
        if field.isLocation {
            guard let place = place(of: field, record) else { return }
            var statement = try SQL(
                database, "INSERT INTO \(field.placeTable) (record, south, north, west, east) VALUES (?, ?, ?, ?, ?)"
            )
            statement.bind(record.ordinal)
            for degrees in [place.latitude, place.latitude, place.longitude, place.longitude] {
                statement.bind(degrees)
            }
            try statement.run()
        } else if field.type.isList {
            for element in elements(of: field, record) {
                var statement = try SQL(
                    database, "INSERT INTO \(field.elementTable) (value, record) VALUES (?, ?)"
                )
                statement.bind(element)
                statement.bind(record.ordinal)
                try statement.run()
            }
        }
    }

    private func deleteParts(of field: IndexedField, _ record: WrittenRecord) throws {
        if field.isLocation {
            var statement = try SQL(database, "DELETE FROM \(field.placeTable) WHERE record = ?")
            statement.bind(record.ordinal)
            try statement.run()
        } else if field.type.isList {
            for element in elements(of: field, record) {
                var statement = try SQL(
                    database, "DELETE FROM \(field.elementTable) WHERE value = ? AND record = ?"
                )
                statement.bind(element)
                statement.bind(record.ordinal)
                try statement.run()
            }
        }
    }

    private static func words(of type: TypeTable, in fields: Fields) -> String {
        var words: Set<String> = []
        for field in type.fields where field.isSearchable {
            guard let value = fields[field.name], !value.isEncrypted, case .string(let text) = value.value
            else { continue }
            words.formUnion(textTokens(text))
        }
        return words.joined(separator: " ")
    }

    private func insertWords(of record: WrittenRecord) throws {
        guard type.hasWords else { return }
        try insertWords(Self.words(of: type, in: record.fields), ordinal: record.ordinal)
    }

    private func insertWords(_ words: String, ordinal: Int64) throws {
        if words.isEmpty { return }
        var statement = try SQL(database, "INSERT INTO \(type.wordTable) (rowid, words) VALUES (?, ?)")
        statement.bind(ordinal)
        statement.bind(words)
        try statement.run()
    }

    private func deleteWords(of record: WrittenRecord) throws {
        guard type.hasWords else { return }
        var statement = try SQL(database, "DELETE FROM \(type.wordTable) WHERE rowid = ?")
        statement.bind(record.ordinal)
        try statement.run()
    }
}
