import PostgreSQLSupport
import RecordStore
import Records

extension PostgresQuery {
    /// Whether the query wants the records of a zone whose field has one value, in the order of their
    /// creation, such as those that refer to one record.
    ///
    /// The index of the entries has such records in this order. So one plan is good for all values and is
    /// kept, while making a plan takes longer than reading a page.
    var isWalk: Bool { wanted != nil }

    /// The field of a walk, and its value as arguments for the columns of an entry; nil for other queries.
    private var wanted: (field: PostgresCatalogField, kind: PostgresEntryKind, value: [PostgresValue])? {
        guard zone != nil, plan.participant == nil, plan.order.map(\.key) == [.ordinal],
            plan.filters.count == 1, let filter = plan.filters.first, filter.comparator == .equals,
            case .field(let name) = filter.key, let field = type.indexed(name), !field.type.isList,
            let kind = PostgresEntryKind(field.type.element), kind != .place,
            let value = kind.arguments(filter.value.sortValue)
        else { return nil }
        return (field, kind, value)
    }

    /// Returns the statement of a walk, which reads the records after the one with the id `last`; nil for
    /// other queries.
    ///
    /// The statement has two inequalities and `ORDER BY` instead of each equality, so that the engine uses
    /// the index of the values and that of the ids, also if it made the plan when the tables were empty or
    /// had no statistics. With equalities, it may read the entries of all values, and all records for each
    /// entry.
    ///
    /// - Parameter short: the bytes up to which a row has its fields; nil: the statement will be enclosed.
    func walk(after last: SortValue?, short: PostgresValue? = nil) -> PostgresFragment? {
        guard let (field, kind, value) = wanted, let term = terms.first else { return nil }
        var sql = PostgresFragment("SELECT ")
        if let short {
            sql.add(PostgresChangeRow.columns(upTo: "?"), short, short)
        } else {
            sql.add(PostgresChangeRow.columns)
        }
        sql.add(", ")
        sql.add(zoneName)
        sql.add(
            """
            , r.id
            FROM \(kind.table) e
            CROSS JOIN LATERAL (
                SELECT *
                FROM record
                WHERE database = $1 AND id >= e.record AND id <= e.record
                ORDER BY id
                LIMIT 1
            ) r
            WHERE e.database = $1
            """)
        sql.add("\n    AND ")
        sql.add(zoneCondition("e.zone"))
        sql.add("\n    AND e.field = ?", .integer(field.id))
        let columns = kind.columns("e")
        let (key, rest) = (columns[0], Array(columns.dropFirst()))
        let (after, until, direction) = term.order.ascending ? (">", "<=", "ASC") : ("<", ">=", "DESC")
        var bounds: [PostgresFragment] = []
        if let last, let id = term.arguments(of: last) {
            bounds.append(.compare([key, "e.record"], after, [value[0]] + id))
        } else {
            bounds.append(.compare([key], after + "=", [value[0]]))
        }
        bounds.append(.compare([key], until, [value[0]]))
        if !rest.isEmpty { bounds.append(.compare(rest, "=", Array(value.dropFirst()))) }
        for bound in bounds {
            sql.add("\n    AND ")
            sql.add(bound)
        }
        sql.add("\nORDER BY \(key) \(direction), e.record \(direction)\nLIMIT ?")
        return sql
    }
}
