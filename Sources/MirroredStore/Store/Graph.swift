import Foundation
import GRDB
import LocalReplica
import ObjectModel
import Records

/// The rows of the objects in a database: one table for each root entity, with its sub-entities in it.
struct Graph {
    let database: Database
    let layout: StoreLayout
    private let cache = Cache()

    /// The facts about the tables that many steps of a transaction need. They stay correct because a `Graph`
    /// is valid for one transaction only, and all changes go through it.
    private final class Cache {
        /// Whether each table has rows; nil: it was not checked yet.
        var isFilled = [Bool?](repeating: nil, count: Table.allCases.count)
        /// The queries whether an object exists, by root.
        var searches: [String: RowStatement] = [:]
        /// The statements that insert objects, by entity.
        var insertions: [String: Insertion] = [:]
    }

    /// The tables that are empty in most stores. An import checks once for a transaction whether they have
    /// rows, and then skips the empty ones.
    enum Table: Int, CaseIterable {
        case places
        case deleted
        case refusals

        fileprivate var name: String {
            switch self {
            case .places: "mirrored_place"
            case .deleted: "mirrored_deleted"
            case .refusals: "mirrored_refusal"
            }
        }
    }

    /// Whether a table has rows.
    func hasRows(in table: Table) throws -> Bool {
        if let known = cache.isFilled[table.rawValue] { return known }
        let sql = "SELECT EXISTS (SELECT 1 FROM \(table.name))"
        let found = try Bool.fetchOne(database.cachedStatement(sql: sql)) ?? false
        cache.isFilled[table.rawValue] = found
        return found
    }

    /// Records in the cache that a row was added to a table.
    func noteRow(in table: Table) { cache.isFilled[table.rawValue] = true }

    /// The statements that insert an object of an entity.
    fileprivate struct Insertion {
        /// Inserts an object or replaces the one with its name.
        let replacing: RowStatement
        /// Inserts an object unless there is one with its name.
        let keeping: RowStatement
        let attributes: [String]
        let toOnes: [String]

        init(_ object: MirroredObject, _ database: Database) throws {
            attributes = object.shape.kinds.keys.sorted()
            toOnes = object.shape.toOnes.keys.sorted()
            let columns = ["id", "entity"] + (attributes + toOnes).map(Graph.column)
            let row = """
                INTO \(Graph.table(object.id.root)) (\(columns.joined(separator: ", ")))
                VALUES (\(columns.map { _ in "?" }.joined(separator: ", ")))
                """
            replacing = try RowStatement(database, "INSERT OR REPLACE \(row)")
            keeping = try RowStatement(database, "INSERT \(row) ON CONFLICT DO NOTHING")
        }
    }

    static func table(_ root: String) -> String { "\"CD_\(root)\"" }
    static func column(_ property: String) -> String { "\"CD_\(property)\"" }

    /// Creates missing tables and columns. Returns the root entities whose records must be imported again,
    /// because they may contain values of new attributes.
    func makeTables() throws -> [String] {
        var changed: [String] = []
        for root in layout.roots {
            var wanted = layout.attributes(ofRoot: root).mapValues { ($0.kind.rawValue, $0.kind.column) }
            for name in layout.toOnes(ofRoot: root) { wanted[name] = ("relationship", "TEXT") }
            try database.execute(
                sql: """
                    CREATE TABLE IF NOT EXISTS \(Self.table(root)) (
                        id TEXT PRIMARY KEY,
                        entity TEXT NOT NULL
                    ) WITHOUT ROWID, STRICT
                    """)
            let rows = try Row.fetchAll(
                database, sql: "SELECT name, kind FROM mirrored_column WHERE entity = ?", arguments: [root])
            let known = [String: String](rows.map { ($0[0], $0[1]) }, uniquingKeysWith: { a, _ in a })
            for (name, (kind, type)) in wanted.sorted(by: { $0.key < $1.key }) {
                if let old = known[name] {
                    if old == kind { continue }
                    throw MirroredStoreError(
                        .incompatibleModel, "\(root).\(name)", "the file stores it as \(old), not as \(kind)",
                        nextStep: "give the attribute with the new type another name")
                }
                try addColumn(name, kind, type, to: root)
                changed.append(root)
            }
        }
        return Set(changed).sorted()
    }

    private func addColumn(_ name: String, _ kind: String, _ type: String, to root: String) throws {
        let (table, column) = (Self.table(root), Self.column(name))
        try database.execute(sql: "ALTER TABLE \(table) ADD COLUMN \(column) \(type)")
        if kind == "relationship" {
            try database.execute(
                sql: """
                    CREATE INDEX "CD_\(root).\(name)" ON \(table) (\(column)) WHERE \(column) IS NOT NULL
                    """)
        } else if let value = layout.attributes(ofRoot: root)[name]?.defaultValue {
            try database.execute(
                sql: "UPDATE \(table) SET \(column) = ?", arguments: [value.databaseValue])
        }
        try database.execute(
            sql: "INSERT INTO mirrored_column (entity, name, kind) VALUES (?, ?, ?)",
            arguments: [root, name, kind])
    }

    /// The object as it is stored; nil if there is none. Its to-one relationships may lead to objects that
    /// have not arrived yet.
    func stored(_ id: MirroredObject.ID) throws -> MirroredObject? {
        guard try has(id) else { return nil }
        return try stored(root: id.root, "id = ?", [id.name]).first
    }

    /// The stored objects of a root that meet a condition, sorted by name.
    func stored(
        root: String, _ condition: String, _ arguments: StatementArguments, order: String = "id"
    ) throws -> [MirroredObject] {
        let statement = try database.cachedStatement(
            sql: "SELECT * FROM \(Self.table(root)) WHERE \(condition) ORDER BY \(order)")
        return try Row.fetchAll(statement, arguments: arguments).compactMap { row in
            guard let entity = layout.entities[row["entity"]] else { return nil }
            let id = MirroredObject.ID(root: root, name: row["id"])
            var object = MirroredObject(id: id, entity: entity.name, shape: entity.shape)
            for attribute in entity.attributes {
                object.values[attribute.name] = FieldValue(
                    row["CD_\(attribute.name)"] as DatabaseValue, attribute.kind)
            }
            for name in object.shape.toOnes.keys { object.targets[name] = row["CD_\(name)"] as String? }
            return object
        }
    }

    /// Whether an object exists.
    func has(_ id: MirroredObject.ID) throws -> Bool {
        var query = try search(id.root)
        query.bind(id.name)
        return try query.hasRow()
    }

    private func search(_ root: String) throws -> RowStatement {
        if let known = cache.searches[root] { return known }
        let query = try RowStatement(database, "SELECT 1 FROM \(Self.table(root)) WHERE id = ?")
        cache.searches[root] = query
        return query
    }

    /// Inserts an object or replaces the one with its name.
    func put(_ object: MirroredObject) throws {
        let insertion = try insertion(of: object)
        var row = insertion.replacing
        bind(object, insertion, to: &row)
        try row.run()
    }

    /// Inserts an object unless there is one with its name. Returns whether it was inserted.
    func insert(_ object: MirroredObject) throws -> Bool {
        let insertion = try insertion(of: object)
        var row = insertion.keeping
        bind(object, insertion, to: &row)
        try row.run()
        return database.changesCount > 0
    }

    private func insertion(of object: MirroredObject) throws -> Insertion {
        if let known = cache.insertions[object.entity] { return known }
        let insertion = try Insertion(object, database)
        cache.insertions[object.entity] = insertion
        return insertion
    }

    private func bind(_ object: MirroredObject, _ insertion: Insertion, to row: inout RowStatement) {
        row.bind(object.id.name)
        row.bind(object.entity)
        for name in insertion.attributes {
            switch object.values[name] {
            case .int64(let number)?: row.bind(number)
            case .double(let number)?: row.bind(number)
            case .timestamp(let moment)?: row.bind(moment.milliseconds)
            case .string(let text)?: row.bind(text)
            case .bytes(let bytes)?: row.bind(bytes)
            default: row.bindNull()
            }
        }
        for name in insertion.toOnes {
            if let target = object.targets[name] { row.bind(target) } else { row.bindNull() }
        }
    }

    /// Removes the row of an object.
    func remove(_ id: MirroredObject.ID) throws {
        try database.execute(sql: "DELETE FROM \(Self.table(id.root)) WHERE id = ?", arguments: [id.name])
    }

    /// The names of the objects whose to-one relationship leads to an object, sorted.
    ///
    /// - Parameter entity: the entity that declares the relationship. Other entities of its tree may have one
    ///   of the same name.
    func sources(of relationship: String, from entity: String, to name: String) throws -> [String] {
        let source = try layout.entity(entity)
        return try String.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT id
                    FROM \(Self.table(source.root))
                    WHERE \(Self.column(relationship)) = ? AND entity IN (\(Self.list(of: source)))
                    ORDER BY id
                    """),
            arguments: [name])
    }

    /// An entity and those that inherit from it, as a list of SQL. Their names contain only letters, digits
    /// and underscores.
    static func list(of entity: StoreLayout.Resolved) -> String {
        entity.family.map { "'\($0)'" }.joined(separator: ", ")
    }

    /// The pairs with an object: the names of their records, with both ends.
    func pairs(with name: String, kind: String? = nil) throws -> [Pair] {
        try Row.fetchAll(
            database.cachedStatement(
                sql: """
                    SELECT record, kind, first, second
                    FROM mirrored_pair
                    WHERE first = :name AND kind = COALESCE(:kind, kind)
                    UNION
                    SELECT record, kind, first, second
                    FROM mirrored_pair
                    WHERE second = :name AND kind = COALESCE(:kind, kind)
                    ORDER BY record
                    """),
            arguments: ["name": name, "kind": kind]
        ).map { Pair(record: $0[0], kind: $0[1], first: $0[2], second: $0[3]) }
    }

    /// The pair of a record; nil if there is none.
    func pair(of record: String) throws -> Pair? {
        try Row.fetchOne(
            database.cachedStatement(
                sql: "SELECT record, kind, first, second FROM mirrored_pair WHERE record = ?"),
            arguments: [record]
        ).map { Pair(record: $0[0], kind: $0[1], first: $0[2], second: $0[3]) }
    }

    /// Inserts a pair or replaces the one of its record.
    func put(_ pair: Pair) throws {
        try database.cachedStatement(sql: "INSERT OR REPLACE INTO mirrored_pair VALUES (?, ?, ?, ?)")
            .execute(arguments: [pair.record, pair.kind, pair.first, pair.second])
    }

    /// Removes the pair of a record.
    func removePair(_ record: String) throws {
        try database.cachedStatement(sql: "DELETE FROM mirrored_pair WHERE record = ?")
            .execute(arguments: [record])
    }

    /// Whether an object of this name was deleted.
    func isDeleted(_ name: String) throws -> Bool {
        guard try hasRows(in: .deleted) else { return false }
        return try Bool.fetchOne(
            database.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM mirrored_deleted WHERE name = ?)"),
            arguments: [name]) ?? false
    }

    /// Stores that an object of this name was deleted, or exists again.
    func note(_ name: String, isDeleted: Bool) throws {
        if try !isDeleted && !hasRows(in: .deleted) { return }
        try database.cachedStatement(
            sql: isDeleted
                ? "INSERT OR IGNORE INTO mirrored_deleted VALUES (?)"
                : "DELETE FROM mirrored_deleted WHERE name = ?"
        ).execute(arguments: [name])
        if isDeleted { noteRow(in: .deleted) }
    }

    /// Stores that a deleted object exists again, if it does.
    func forgetDeletion(of id: MirroredObject.ID) throws {
        if try isDeleted(id.name), try has(id) { try note(id.name, isDeleted: false) }
    }
}

/// Two objects that a relationship with many objects on both sides connects.
struct Pair: Hashable, Codable {
    /// The name of the pair's record.
    var record: String
    /// `ENTITIES/RELATIONSHIPS`, as the record names them.
    var kind: String
    var first: String
    var second: String
}

extension FieldValue {
    /// The value in a column.
    var databaseValue: DatabaseValue {
        switch self {
        case .int64(let number): number.databaseValue
        case .double(let number): number.databaseValue
        case .timestamp(let moment): moment.milliseconds.databaseValue
        case .string(let text): text.databaseValue
        case .bytes(let bytes): Data(bytes).databaseValue
        default: .null
        }
    }

    /// The value of a column; nil for NULL.
    fileprivate init?(_ value: DatabaseValue, _ kind: StoreLayout.Kind) {
        switch (kind, value.storage) {
        case (.integer, .int64(let number)): self = .int64(number)
        case (.date, .int64(let number)): self = .timestamp(Timestamp(milliseconds: number))
        case (.double, .double(let number)): self = .double(number)
        case (.double, .int64(let number)): self = .double(Double(number))
        case (.string, .string(let text)): self = .string(text)
        case (.bytes, .blob(let data)): self = .bytes([UInt8](data))
        default: return nil
        }
    }
}
