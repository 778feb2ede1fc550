import PostgreSQLSupport
import RecordStore
import Records

/// One criterion of an order, as SQL.
struct PostgresSortTerm {
    let order: QueryPlan.Order
    /// The columns or expressions that are compared, as one value.
    var columns: [String]
    /// The arguments of the question marks in all columns, in order.
    var arguments: [PostgresValue] = []
    /// The field's entries, which are joined under `alias`; nil for a column of the record.
    var entries: (kind: PostgresEntryKind, field: PostgresCatalogField, alias: String)?
    var mayBeMissing: Bool

    init(_ order: QueryPlan.Order, index: Int, of type: PostgresCatalogType) {
        self.order = order
        mayBeMissing = false
        let alias = "s\(index)"
        switch order.key {
        case .ordinal: columns = ["r.id"]
        case .sequence: columns = ["r.sequence"]
        case .recordName: columns = ["r.name"]
        case .createdBy: columns = ["r.created_by"]
        case .modifiedBy: columns = ["r.modified_by"]
        case .parent:
            columns = ["r.parent"]
            mayBeMissing = true
        case .field(let name):
            mayBeMissing = true
            if let field = type.indexed(name), let kind = PostgresEntryKind(field.type.element),
                kind != .place,
                !field.type.isList
            {
                columns = kind.columns(alias)
                entries = (kind, field, alias)
            } else {
                columns = ["NULL::bigint"]
            }
        case .distance(let name, let place):
            mayBeMissing = true
            if let field = type.indexed(name), field.type == .scalar(.location) {
                columns = ["place_distance(\(alias).latitude, \(alias).longitude, ?, ?)"]
                arguments = [.real(place.latitude), .real(place.longitude)]
                entries = (.place, field, alias)
            } else {
                columns = ["NULL::double precision"]
            }
        }
    }

    var isDistance: Bool { if case .distance = order.key { true } else { false } }

    /// Whether records without a value come after the others.
    var missingIsLast: Bool { isDistance || !order.ascending }

    /// A cursor's value as arguments for the columns; nil for a missing one.
    func arguments(of value: SortValue) -> [PostgresValue]? {
        if value == .missing { return nil }
        if let kind = entries?.kind, kind != .place { return kind.arguments(value) }
        switch value {
        case .missing: return nil
        case .integer(let integer): return [.integer(integer)]
        case .real(let real): return [.real(real)]
        case .text(let text): return [.text(text)]
        case .bytes(let bytes): return [.bytes(bytes)]
        }
    }

    /// Compares the columns with a cursor's value.
    func compare(_ sign: String, _ value: SortValue) -> PostgresFragment {
        guard let wanted = arguments(of: value) else { return .never }
        var sql = PostgresFragment.compare(columns, sign, wanted)
        sql.arguments = arguments + wanted
        return sql
    }

    var isNull: PostgresFragment { test(" IS NULL") }
    var isNotNull: PostgresFragment { test(" IS NOT NULL") }

    private func test(_ test: String) -> PostgresFragment {
        var sql = PostgresFragment(columns[0] + test)
        sql.arguments = arguments
        return sql
    }

    /// The condition "strictly after the value" in the direction of the order.
    func after(_ value: SortValue) -> PostgresFragment {
        if value == .missing { return missingIsLast ? .never : isNotNull }
        var sql = compare(order.ascending ? ">" : "<", value)
        if missingIsLast, mayBeMissing {
            sql.add(" OR ")
            sql.add(isNull)
        }
        return sql.enclosed("(", ")")
    }

    /// The condition that the value is this one.
    func equals(_ value: SortValue) -> PostgresFragment { value == .missing ? isNull : compare("=", value) }

    /// The terms of the clause `ORDER BY`. Where no value is missing, no place of NULLs is given, so that an
    /// index serves the order.
    func orderClause(isJoined: Bool) -> PostgresFragment {
        let direction = order.ascending ? " ASC" : " DESC"
        let nulls = isJoined || !mayBeMissing ? "" : missingIsLast ? " NULLS LAST" : " NULLS FIRST"
        var sql = PostgresFragment(columns.map { $0 + direction + nulls }.joined(separator: ", "))
        sql.arguments = arguments
        return sql
    }

    /// The sort value, as one column of the result.
    var selection: PostgresFragment {
        var sql = PostgresFragment(columns.joined(separator: " || "))
        sql.arguments = arguments
        return sql
    }

    /// Decodes a column that was selected with `selection`.
    func value(_ row: PostgresRow, _ column: Int32) -> SortValue {
        if row.isNull(column) { return .missing }
        switch order.key {
        case .ordinal, .sequence: return .integer(row.integer(column))
        case .recordName, .createdBy, .modifiedBy, .parent: return .text(row.text(column))
        case .distance: return .real(row.real(column))
        case .field:
            switch entries?.kind {
            case .integer: return .integer(row.integer(column))
            case .real: return .real(row.real(column))
            case .bytes:
                let isBytes = entries?.field.type == .scalar(.bytes)
                return isBytes ? .bytes(row.bytes(column)) : .text(row.text(column))
            case .place, nil: return .missing
            }
        }
    }
}
