import GRDB
import GRDBSQLite
import RecordStore
import Records

/// Measures what record types and their indexes take up.
///
/// It reads a limited number of pages of each table and index, and of records of each type, and estimates the
/// rest, so that it takes equally long for a file of any size. The pages are read through SQLite's table
/// `dbstat`, which some builds of SQLite do not have.
struct SpaceSurvey {
    private let database: Database
    private let codec: any FieldCodec
    private let types: [TypeTable]
    private let zone: Int64
    /// The maximum number of pages that are read of one table or index.
    private let pages: Int
    /// The maximum number of records that are read of one type.
    private let samples: Int

    /// Whether this build of SQLite can do it.
    static var isPossible: Bool { sqlite3_compileoption_used("ENABLE_DBSTAT_VTAB") != 0 }

    /// The maximum numbers of pages and records that are read for all types together; and of each table,
    /// index and type, however many there are.
    private static let (allPages, leastPages, mostPages) = (1000, 20, 1000)
    private static let (allSamples, leastSamples, mostSamples) = (400, 8, 100)
    /// The maximum number of names of tables and indexes that are read to find the trees of all types.
    private static let mostNames = 200_000
    /// The number of records up to which they are counted.
    private static let counted: Int64 = 2000

    init(_ types: [TypeTable], in database: Database, codec: any FieldCodec) throws {
        self.database = database
        self.codec = codec
        self.types = types
        zone =
            try Int64.fetchOne(
                database, sql: "SELECT id FROM zone WHERE name = ?", arguments: [ZoneID.defaultName]) ?? 0
        let trees = types.reduce(0) { sum, type in
            type.indexTrees.reduce(sum + 1) { $0 + $1.trees.count }
        }
        pages = min(max(Self.allPages / max(trees, 1), Self.leastPages), Self.mostPages)
        samples = min(max(Self.allSamples / max(types.count, 1), Self.leastSamples), Self.mostSamples)
    }

    func spaces() throws -> [String: TypeSpace] {
        var spaces: [String: TypeSpace] = [:]
        // To find a tree, `dbstat` reads the names of all tables and indexes of the file.
        let names = try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM sqlite_master") ?? 0
        var reads = 0
        for type in types {
            var space = try records(of: type)
            reads += names * type.indexTrees.reduce(0) { $0 + $1.trees.count }
            space.indexes = reads <= Self.mostNames ? try indexes(of: type) : nil
            spaces[type.name] = space
        }
        return spaces
    }

    private func indexes(of type: TypeTable) throws -> [IndexSpace] {
        var all: [IndexSpace] = []
        for (field, indexes, trees) in type.indexTrees {
            var bytes = SpaceFigure(0)
            for name in trees {
                if let found = try tree(name) { bytes = bytes + found.bytes }
            }
            if bytes.value > 0 { all.append(IndexSpace(field: field, indexes: indexes, bytes: bytes)) }
        }
        return all
    }

    // MARK: Trees

    /// The bytes and entries of a table or index; nil if it does not exist.
    private func tree(_ name: String) throws -> (bytes: SpaceFigure, entries: SpaceFigure)? {
        var rows = try SQL(database, "SELECT path, pagetype, ncell, pgsize FROM dbstat WHERE name = ?")
        rows.bind(name)
        defer { rows.reset() }
        var walk = TreeWalk()
        while try rows.step() {
            if walk.pages == pages { return walk.estimate(isComplete: false) }
            walk.visit(
                depth: rows.text(0).utf8.count(where: { $0 == UInt8(ascii: "/") }) - 1, kind: rows.text(1),
                cells: rows.integer(2), bytes: rows.integer(3))
        }
        return walk.pages == 0 ? nil : walk.estimate(isComplete: true)
    }

    // MARK: Records

    private func records(of type: TypeTable) throws -> TypeSpace {
        let known = try Int64.fetchOne(
            database,
            sql: "SELECT COUNT(*) FROM (SELECT 1 FROM \(type.table) WHERE zone = ? LIMIT ?)",
            arguments: [zone, Self.counted])
        var count = SpaceFigure(known ?? 0)
        if count.value == Self.counted {
            count = try tree(type.table)?.entries ?? SpaceFigure(Self.counted, isEstimate: true)
        }
        var usage = StoreUsage()
        if count.value <= samples {
            try visit(type, from: 0, limit: Int(count.value)) { usage += $0 }
            return TypeSpace(
                records: count, recordBytes: SpaceFigure(usage.recordBytes),
                assetBytes: SpaceFigure(usage.assetBytes))
        }
        // Equally far from each other in the order of creation.
        let (first, last) = try (bound("MIN", type), bound("MAX", type))
        let step = max(1, (last - first) / Int64(samples - 1))
        for number in 0..<Int64(samples) {
            try visit(type, from: first + number * step, limit: 1) { usage += $0 }
        }
        func scaled(_ bytes: Int64) -> SpaceFigure {
            let all = Double(bytes) / Double(max(1, usage.records)) * Double(count.value)
            return SpaceFigure(Int64(exactly: all.rounded()) ?? .max, isEstimate: true)
        }
        return TypeSpace(
            records: count, recordBytes: scaled(usage.recordBytes), assetBytes: scaled(usage.assetBytes))
    }

    /// The first or last record of a type in the order of creation.
    private func bound(_ function: String, _ type: TypeTable) throws -> Int64 {
        try Int64.fetchOne(
            database, sql: "SELECT \(function)(record) FROM \(type.table) WHERE zone = ?", arguments: [zone])
            ?? 0
    }

    /// Calls `take` with the usage of each of the next records.
    private func visit(
        _ type: TypeTable, from record: Int64, limit: Int, _ take: (StoreUsage) -> Void
    ) throws {
        // The fields of records without files are not read.
        var rows = try SQL(
            database,
            """
            SELECT r.id, r.name, r.type, r.sequence, r.head,
                CASE WHEN record_assets(r.head) IS NOT NULL THEN r.fields END, LENGTH(r.fields)
            FROM \(type.table) t
            CROSS JOIN record r ON r.id = t.record
            WHERE t.zone = ? AND t.record >= ?
            ORDER BY t.record
            LIMIT ?
            """, isKept: false)
        rows.bind(zone)
        rows.bind(record)
        rows.bind(Int64(limit))
        defer { rows.reset() }
        while try rows.step() {
            let stored = RecordRow.record(rows, zone: "", type: type.name)
            var usage = StoreUsage(
                records: 1,
                recordBytes: Int64(stored.id.name.utf8.count) + rows.integer(6) + StoreUsage.bytesPerRecord
                    + (stored.sharing?.terms.map(StoreUsage.bytes) ?? 0))
            if !stored.fields.assetSlots.isEmpty {
                let fields = try codec.decode(stored.fields)
                usage.assetBytes = WrittenRecord(stored: stored, fields: fields, ordinal: 0).usage.assetBytes
            }
            take(usage)
        }
    }
}

/// Sums up the pages of a tree, which are visited from the root to the leaves and from left to right, and
/// computes which part of the tree they are.
struct TreeWalk {
    private(set) var pages = 0
    private var bytes: Int64 = 0
    private var entries: Int64 = 0
    /// The part of the tree whose leaves were visited, from 0 to 1.
    private var part = 0.0
    /// The part of the tree below each page of a depth, as of the last page above it.
    private var parts = [1.0]

    /// - Parameters:
    ///   - depth: how many pages are above this one; the root has 0.
    ///   - kind: `internal`, `leaf` or `overflow`, the rest of a long entry.
    ///   - cells: the entries of the page. A page that is not a leaf has one child more than entries.
    mutating func visit(depth: Int, kind: String, cells: Int64, bytes: Int64) {
        pages += 1
        self.bytes += bytes
        entries += cells
        guard kind != "overflow", depth < parts.count else { return }
        if kind == "leaf" {
            part += parts[depth]
        } else {
            parts = parts.prefix(depth + 1) + [parts[depth] / Double(cells + 1)]
        }
    }

    func estimate(isComplete: Bool) -> (bytes: SpaceFigure, entries: SpaceFigure) {
        func scaled(_ number: Int64) -> SpaceFigure {
            if isComplete || part <= 0 { return SpaceFigure(number, isEstimate: !isComplete) }
            return SpaceFigure(Int64(exactly: (Double(number) / part).rounded()) ?? .max, isEstimate: true)
        }
        return (scaled(bytes), scaled(entries))
    }
}

extension TypeTable {
    fileprivate typealias IndexTrees = (field: String?, indexes: IndexSet, trees: [String])

    /// The indexes of the type, and the tables and indexes of the file that hold their entries.
    fileprivate var indexTrees: [IndexTrees] {
        var all: [IndexTrees] = []
        for field in fields {
            let indexes = field.indexes.subtracting(.searchable)
            if field.isLocation {
                let parts = ["node", "rowid", "parent"].map { "\(field.placeTable)_\($0)" }
                all.append((field.name, indexes, parts))
            } else if field.type.isList {
                all.append((field.name, indexes, [field.elementTable]))
            } else if !indexes.isEmpty {
                all.append((field.name, indexes, ["\(table)_\(field.column)"]))
            }
        }
        for (system, column, _) in Catalog.systemColumns {
            all.append((system.rawValue, [.queryable, .sortable], ["\(table)_\(column)"]))
        }
        if hasWords {
            let parts = ["data", "idx", "content", "docsize", "config"].map { "\(wordTable)_\($0)" }
            all.append((nil, .searchable, parts))
        }
        return all
    }
}
