import GRDB
import RecordStore
import Records

/// Writes and removes the index entries of a record: its row in the type's table, the elements of its lists,
/// its locations and its words.
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
        for field in type.partedFields { try insertParts(of: field, record.fields, record.ordinal, zone) }
        try insertWords(of: record.fields, record.ordinal)
    }

    /// Updates only the columns whose fields changed, so that SQLite writes only the indexes on these.
    func update(_ old: WrittenRecord, to new: WrittenRecord, zone: Int64) throws {
        let changed = type.fields.filter { !old.fields[$0.name].isIdentical(to: new.fields[$0.name]) }
        let isOtherPerson = old.stored.modified.by != new.stored.modified.by
        var statement = try SQL(
            database,
            """
            UPDATE \(type.table)
            SET sequence = ?\(isOtherPerson ? ", modified_by = ?" : "")\
            \(changed.flatMap(\.columns).map { ", \($0) = ?" }.joined())
            WHERE zone = ? AND record = ?
            """,
            isKept: mayKeep(changes: changed.count)
        )
        statement.bind(new.stored.sequence)
        if isOtherPerson { statement.bind(new.stored.modified.by) }
        for field in changed { bind(field, of: new.fields, to: &statement) }
        statement.bind(zone)
        statement.bind(new.ordinal)
        try statement.run()
        for field in changed {
            try deleteParts(of: field, old.fields, old.ordinal, zone)
            try insertParts(of: field, new.fields, new.ordinal, zone)
        }
        try updateWords(old.fields, to: new.fields, changed, new.ordinal)
    }

    /// Writes the sequence number and the person of a new version with the same fields.
    func touch(
        _ head: StoredRecord, _ record: Int64, by person: String, sequence: Int64, zone: Int64
    ) throws {
        let isOtherPerson = head.modified.by != person
        var statement = try SQL(
            database,
            """
            UPDATE \(type.table)
            SET sequence = ?\(isOtherPerson ? ", modified_by = ?" : "")
            WHERE zone = ? AND record = ?
            """
        )
        statement.bind(sequence)
        if isOtherPerson { statement.bind(person) }
        statement.bind(zone)
        statement.bind(record)
        try statement.run()
    }

    /// Whether the statement that updates this number of columns stays in the statement cache: only if there
    /// are few different ones, since each takes some kilobytes, and more for a type with many fields.
    private func mayKeep(changes count: Int) -> Bool {
        let all = type.fields.count
        return count == 0 || count == all || (count == 1 && all <= 32) || (count == 2 && all <= 8)
    }

    func delete(_ old: WrittenRecord, zone: Int64) throws {
        var statement = try SQL(database, "DELETE FROM \(type.table) WHERE zone = ? AND record = ?")
        statement.bind(zone)
        statement.bind(old.ordinal)
        try statement.run()
        for field in type.partedFields { try deleteParts(of: field, old.fields, old.ordinal, zone) }
        try deleteWords(of: old.ordinal)
    }
}

// MARK: - Columns

extension IndexWriter {
    private func bind(_ field: IndexedField, of fields: Fields, to statement: inout SQL) {
        let value = fields[field.name].flatMap {
            $0.isEncrypted || $0.value.type != field.type ? nil : $0.value
        }
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
        case let value?: statement.bind(value.sortValue)
        case nil: statement.bindNull()
        }
    }
}

// MARK: - Elements, places and words

extension IndexWriter {
    private func elements(of field: IndexedField, _ fields: Fields) -> Set<SortValue> {
        guard let found = fields[field.name], !found.isEncrypted, found.value.type == field.type else {
            return []
        }
        var elements = Set(found.value.elements.map(\.sortValue))
        elements.remove(.missing)
        return elements
    }

    private func place(of field: IndexedField, _ fields: Fields) -> Location? {
        guard let value = fields[field.name], !value.isEncrypted, case .location(let place) = value.value
        else { return nil }
        return place
    }

    private func insertParts(
        of field: IndexedField, _ fields: Fields, _ record: Int64, _ zone: Int64
    ) throws {
        if field.isLocation {
            guard let place = place(of: field, fields) else { return }
            var statement = try SQL(
                database,
                "INSERT INTO \(field.placeTable) (record, south, north, west, east) VALUES (?, ?, ?, ?, ?)"
            )
            statement.bind(record)
            for degrees in [place.latitude, place.latitude, place.longitude, place.longitude] {
                statement.bind(degrees)
            }
            try statement.run()
        } else if field.type.isList {
            for element in elements(of: field, fields) {
                var statement = try SQL(
                    database, "INSERT INTO \(field.elementTable) (zone, value, record) VALUES (?, ?, ?)"
                )
                statement.bind(zone)
                statement.bind(element)
                statement.bind(record)
                try statement.run()
            }
        }
    }

    private func deleteParts(
        of field: IndexedField, _ fields: Fields, _ record: Int64, _ zone: Int64
    ) throws {
        if field.isLocation {
            if place(of: field, fields) == nil { return }
            var statement = try SQL(database, "DELETE FROM \(field.placeTable) WHERE record = ?")
            statement.bind(record)
            try statement.run()
        } else if field.type.isList {
            for element in elements(of: field, fields) {
                var statement = try SQL(
                    database, "DELETE FROM \(field.elementTable) WHERE zone = ? AND value = ? AND record = ?"
                )
                statement.bind(zone)
                statement.bind(element)
                statement.bind(record)
                try statement.run()
            }
        }
    }

    /// The words of the searchable ones of these fields, as the full-text index spells them.
    private func words(of fields: Fields, in searched: some Sequence<IndexedField>) -> Set<String> {
        var words: Set<String> = []
        for field in searched where field.isSearchable {
            guard let value = fields[field.name], !value.isEncrypted, case .string(let text) = value.value
            else { continue }
            for word in textTokens(text) { words.insert(word.indexedWord) }
        }
        return words
    }

    private func insertWords(of fields: Fields, _ record: Int64) throws {
        guard type.hasWords else { return }
        try insert(words(of: fields, in: type.fields), record)
    }

    /// Updates the words of a record if they have changed.
    ///
    /// The cost of rewriting a row of the full-text index is that of all its words. So the new words of a
    /// record that also has long unchanged texts first go into a separate row for later words.
    private func updateWords(
        _ old: Fields, to new: Fields, _ changed: [IndexedField], _ record: Int64
    ) throws {
        guard changed.contains(where: \.isSearchable) else { return }
        let (before, after) = (words(of: old, in: changed), words(of: new, in: changed))
        if before == after { return }
        let names = Set(changed.map(\.name))
        let others = type.fields.filter { $0.isSearchable && !names.contains($0.name) }
        let length = others.reduce(0) { $0 + (new[$1.name]?.value.size ?? 0) }
        if length >= Self.longTexts, before.count <= Self.laterWords,
            try add(after.subtracting(before), record)
        {
            return
        }
        try deleteWords(of: record)
        try insert(after.union(words(of: new, in: others)), record)
    }

    /// Adds words to a record's row of later words. Returns false if these would become too many.
    ///
    /// Words that the record has lost remain until all are written again: each search result is checked
    /// against the texts.
    private func add(_ words: Set<String>, _ record: Int64) throws -> Bool {
        if words.isEmpty { return true }
        var row = try SQL(database, "SELECT words FROM \(type.wordTable) WHERE rowid = ?")
        row.bind(-record)
        let known = try row.step() ? Set(row.text(0).split(separator: " ").map(String.init)) : []
        row.reset()
        let all = words.union(known)
        if all.count > Self.laterWords { return false }
        if all.count == known.count { return true }
        var old = try SQL(database, "DELETE FROM \(type.wordTable) WHERE rowid = ?")
        old.bind(-record)
        try old.run()
        try insert(all, -record)
        return true
    }

    /// If the unchanged texts have at least this many bytes, their words are not written again.
    private static let longTexts = 16_384
    /// The maximum number of words in a record's row of later words.
    private static let laterWords = 500

    private func insert(_ words: Set<String>, _ record: Int64) throws {
        if words.isEmpty { return }
        var statement = try SQL(database, "INSERT INTO \(type.wordTable) (rowid, words) VALUES (?, ?)")
        statement.bind(record)
        statement.bind(words.joined(separator: " "))
        try statement.run()
    }

    private func deleteWords(of record: Int64) throws {
        guard type.hasWords else { return }
        var statement = try SQL(database, "DELETE FROM \(type.wordTable) WHERE rowid IN (?1, -?1)")
        statement.bind(record)
        try statement.run()
    }
}

extension String {
    /// The word in ASCII letters and digits, as it is stored in the full-text index, so that SQLite's
    /// tokenizer cannot split it differently from ours. Different words may have the same spelling: each
    /// search result is checked against the texts.
    var indexedWord: String {
        if utf8.allSatisfy({ $0 < 0x80 }) { return self }
        return "x" + utf8.hexadecimal
    }
}

// MARK: - Existing records

extension IndexWriter {
    /// Writes the new index entries of all existing records, 50 records at a time.
    func fill(_ refill: Refill, _ codec: any FieldCodec) throws {
        var reached: (zone: Int64, record: Int64) = (0, 0)
        while true {
            let page = try records(after: reached)
            for (zone, record, bytes) in page {
                let fields = try codec.decode(FieldBytes(bytes: bytes))
                try fill(refill, fields, zone: zone, record: record)
                reached = (zone, record)
            }
            if page.isEmpty { return }
        }
    }

    private func records(
        after reached: (zone: Int64, record: Int64)
    ) throws -> [(zone: Int64, record: Int64, fields: [UInt8])] {
        var rows = try SQL(
            database,
            """
            SELECT t.zone, t.record, r.fields
            FROM \(type.table) t
            CROSS JOIN record r ON r.id = t.record
            WHERE (t.zone, t.record) > (?, ?)
            ORDER BY t.zone, t.record
            LIMIT 50
            """
        )
        rows.bind(reached.zone)
        rows.bind(reached.record)
        var page: [(Int64, Int64, [UInt8])] = []
        while try rows.step() { page.append((rows.integer(0), rows.integer(1), rows.bytes(2))) }
        return page
    }

    private func fill(_ refill: Refill, _ fields: Fields, zone: Int64, record: Int64) throws {
        if !refill.fields.isEmpty {
            let columns = refill.fields.flatMap(\.columns).map { "\($0) = ?" }.joined(separator: ", ")
            var statement = try SQL(
                database, "UPDATE \(type.table) SET \(columns) WHERE zone = ? AND record = ?"
            )
            for field in refill.fields { bind(field, of: fields, to: &statement) }
            statement.bind(zone)
            statement.bind(record)
            try statement.run()
        }
        for field in refill.fields { try insertParts(of: field, fields, record, zone) }
        if refill.hasWords {
            try deleteWords(of: record)
            try insertWords(of: fields, record)
        }
    }
}
