import DataRows
import Synchronization

/// A database that is nothing but rows.
final class MemoryRows: DirectoryContent {
    let tables: [RowTable]
    private let content = Mutex<[String: [[RowValue]: [RowValue]]]>([:])

    /// An empty database with these tables.
    init(_ tables: [RowTable]) {
        self.tables = tables
    }

    /// A copy of another database.
    convenience init(of source: any RowDatabase) throws {
        self.init(source.tables)
        try fill(from: source) { _ in }
    }

    func rows(of table: RowTable, after key: [RowValue]?) throws -> [[RowValue]] {
        content.withLock { content in
            let rows = (content[table.name] ?? [:]).filter { found in
                key.map { $0.lexicographicallyPrecedes(found.key) } ?? true
            }
            let sorted = rows.sorted { $0.key.lexicographicallyPrecedes($1.key) }
            return Array(sorted.prefix(table.pageRows).map(\.value))
        }
    }

    func fill(from source: any RowDatabase, onRows: @escaping @Sendable (Int) -> Void) throws {
        for table in tables {
            try source.forEachPage(of: table) { page in
                for row in page { set(row, in: table) }
                onRows(page.count)
            }
        }
    }

    func empty() throws { content.withLock { $0 = [:] } }

    func close() throws {}

    /// Inserts a row, or replaces the one with its key.
    func set(_ row: [RowValue], in table: RowTable) {
        content.withLock { $0[table.name, default: [:]][table.key(of: row)] = row }
    }

    func remove(_ key: [RowValue], from table: RowTable) {
        content.withLock { $0[table.name]?[key] = nil }
    }

    /// The names of the tables that have rows.
    var filledTables: [String] {
        content.withLock { content in tables.map(\.name).filter { content[$0]?.isEmpty == false } }
    }
}
