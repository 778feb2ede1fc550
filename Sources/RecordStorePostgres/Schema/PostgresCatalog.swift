import PostgreSQLSupport
import RecordStore
import Records
import Synchronization

/// A field of a record type, as the table `record_field` describes it.
struct PostgresCatalogField: Hashable, Sendable {
    /// Names the entries of its indexes.
    var id: Int64
    var name: String
    var type: FieldType
    /// Empty for a field that records may have, but that has no entries.
    var indexes: IndexSet

    /// The field number of further entries: in `entry_integer`, the count of a list's elements, or the
    /// records without a value if the field can be sorted; in `entry_bytes`, the words of a searchable text.
    var other: Int64 { -id }

    /// Whether records can be sorted by the field, or by the distance of its place. Then records without a
    /// value have an entry too, so that a sorted query finds them without reading all records.
    var isSortable: Bool {
        if type.isList || type == .scalar(.asset) { return false }
        return indexes.contains(type == .scalar(.location) ? .queryable : .sortable)
    }

    var isSearchable: Bool { indexes.contains(.searchable) && type == .scalar(.string) }

    /// Whether the entries can serve the field of a schema: same type, not encrypted, and no index that the
    /// schema has removed.
    func serves(_ field: FieldSchema) -> Bool {
        type == field.type && !field.isEncrypted && field.indexes.isSuperset(of: indexes)
    }
}

struct PostgresCatalogType: Hashable, Sendable {
    var id: Int64
    var name: String
    var fields: [String: PostgresCatalogField] = [:]
    /// The schema to which the entries were last adapted by this process.
    var applied: TypeSchema?

    func indexed(_ name: String) -> PostgresCatalogField? {
        guard let field = fields[name], !field.indexes.isEmpty else { return nil }
        return field
    }
}

/// The record types of a database and their fields.
struct PostgresCatalog: Sendable {
    /// The number of changes so far; new types and fields get it as their id.
    var number: Int64
    private(set) var types: [String: PostgresCatalogType] = [:]
    private(set) var names: [Int64: String] = [:]

    /// Reads the catalog as of the session's snapshot.
    init(_ session: PostgresSession, number: Int64) throws {
        self.number = number
        for row in try session.rows("SELECT id, name FROM record_type WHERE database = $1") {
            set(PostgresCatalogType(id: row.integer(0), name: row.text(1)))
        }
        let fields = try session.rows(
            "SELECT id, type, name, kind, indexes FROM record_field WHERE database = $1")
        for row in fields {
            guard let type = FieldType(kind: row.integer(3)), let name = names[row.integer(1)] else {
                continue
            }
            let field = PostgresCatalogField(
                id: row.integer(0), name: row.text(2), type: type,
                indexes: IndexSet(rawValue: UInt8(truncatingIfNeeded: row.integer(4))))
            types[name]?.fields[field.name] = field
        }
    }

    mutating func set(_ type: PostgresCatalogType) {
        types[type.name] = type
        names[type.id] = type.name
    }
}

/// Keeps the catalog of a database, and the ids of zones. `database.catalog` counts the changes of the
/// catalog and is read in each transaction, as the id of its zone is, so that nothing is used which another
/// process has changed.
final class PostgresCatalogCache: Sendable {
    private let last = Mutex<PostgresCatalog?>(nil)
    private let zones = Mutex<[String: Int64]>([:])

    private static let maximumZones = 1000

    /// The catalog as it was last seen, for a read that checks its number afterwards.
    var known: PostgresCatalog? { last.withLock { $0 } }

    /// The id of a zone as it was last seen, for a read that checks it afterwards.
    func known(zone name: String) -> Int64? { zones.withLock { $0[name] } }

    func note(zone name: String, id: Int64) {
        zones.withLock { zones in
            if zones.count >= Self.maximumZones { zones = [:] }
            zones[name] = id
        }
    }

    /// Asks for the number of a database's catalog, without waiting for it.
    static func ask(_ session: PostgresSession) throws -> PostgresAnswer {
        try session.ask("SELECT catalog FROM database WHERE id = $1")
    }

    /// Returns the catalog with the number for which the transaction has asked.
    func catalog(_ asked: PostgresAnswer, _ session: PostgresSession) throws -> PostgresCatalog {
        guard let row = try asked.rows().first else { throw PostgresWriteState.missing }
        return try catalog(row.integer(0), session)
    }

    /// Returns the catalog with this number, which the transaction has read.
    func catalog(_ number: Int64, _ session: PostgresSession) throws -> PostgresCatalog {
        if let known = last.withLock({ $0 }), known.number == number { return known }
        let catalog = try PostgresCatalog(session, number: number)
        keep(catalog)
        return catalog
    }

    /// Stores a committed catalog, unless a newer one is stored.
    func keep(_ catalog: PostgresCatalog) {
        last.withLock { known in
            if known.map({ $0.number <= catalog.number }) ?? true { known = catalog }
        }
    }
}
