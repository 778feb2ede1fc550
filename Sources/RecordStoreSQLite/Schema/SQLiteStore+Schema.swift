import GRDB
import GRDBSQLite
import RecordStore
package import Records

extension SQLiteStore {
    package func prepare(_ types: [TypeSchema]) async throws {
        let codec = codec
        for schema in types {
            var isComplete = writer.committed.catalog.types[schema.name]?.applied == schema
            while !isComplete {
                isComplete = try await write { database, state in
                    (true, try state.catalog.prepareSome(schema, in: database, codec: codec))
                }
            }
        }
    }

    @discardableResult
    package func dropIndexes(notIn schema: Schema) async throws -> Int64? {
        let surplus = try surplusTypes(schema)
        if surplus.isEmpty { return 0 }
        let codec = codec
        let freed: Int64 = try await write { database, state in
            let before = try Self.freeBytes(database)
            for name in surplus {
                try state.catalog.dropIndexes(
                    of: name, notIn: schema.types[name], in: database, codec: codec)
            }
            let bytes = try Self.freeBytes(database) - before
            return (true, max(0, bytes))
        }
        return freed
    }

    /// The bytes of the file's pages that hold nothing and are used for the next records. The file does not
    /// get smaller.
    private static func freeBytes(_ database: Database) throws -> Int64 {
        let pages = try Int64.fetchOne(database, sql: "PRAGMA freelist_count") ?? 0
        return pages * (try Int64.fetchOne(database, sql: "PRAGMA page_size") ?? 0)
    }

    /// Lowers SQLite's limit for the columns of a table until the store is closed. For tests, which would
    /// take minutes with the usual 2,000.
    package func setColumnLimit(_ count: Int) async throws {
        try await write { database, _ in
            sqlite3_limit(database.sqliteConnection, SQLITE_LIMIT_COLUMN, Int32(clamping: count))
            return (true, ())
        }
    }

    /// Returns the names of the existing indexes of record types, and of the tables that serve as such, for
    /// tests and diagnosis.
    package func indexNames() async throws -> [String] {
        let fields = writer.committed.catalog.types.values.flatMap { type in
            type.fields.flatMap { field in
                field.columns.map { "\(type.table)_\($0)" } + [field.elementTable, field.placeTable]
            }
                + [type.wordTable]
                + Catalog.systemColumns.map { "\(type.table)_\($0.column)" }
        }
        let names = try read { database in
            try Set(String.fetchAll(database, sql: "SELECT name FROM sqlite_master"))
        }
        return names.intersection(fields).sorted()
    }

    /// Returns the types with an index that the schema does not have. It only reads: it is called whenever
    /// the file is opened, and mostly finds nothing.
    private func surplusTypes(_ schema: Schema) throws -> [String] {
        let catalog = writer.committed.catalog
        let indexes = try read { database in
            try Set(String.fetchAll(database, sql: "SELECT name FROM sqlite_master WHERE type = 'index'"))
        }
        return catalog.types.values.filter { type in
            let wanted = schema.types[type.name]
            return type.fields.contains { field in
                wanted?.fields[field.name].map { !field.serves($0) } ?? true
            }
                || Catalog.systemColumns.contains { system, column, _ in
                    wanted?.systemIndexes[system] == nil && indexes.contains("\(type.table)_\(column)")
                }
        }
        .map(\.name).sorted()
    }
}
