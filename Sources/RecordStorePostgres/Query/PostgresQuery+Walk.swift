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

    /// The field of a walk and its filter; nil for other queries.
    private var wanted: (field: PostgresCatalogField, kind: PostgresEntryKind, filter: Filter)? {
        guard zone != nil, plan.participant == nil, plan.order.map(\.key) == [.ordinal],
            plan.filters.count == 1, let filter = plan.filters.first, filter.comparator == .equals,
            case .field(let name) = filter.key, let field = type.indexed(name), !field.type.isList,
            let kind = PostgresEntryKind(field.type.element), kind != .place
        else { return nil }
        return (field, kind, filter)
    }

    /// Returns the statement of a walk, which reads the records after the one with the id `last`; nil for
    /// other queries.
    ///
    /// Behind `OFFSET 0`, a record can only be found by its id. Otherwise, the engine might walk along all
    /// records and look for each among the entries, which takes long if the value is rare.
    func walk(after last: SortValue?) -> PostgresFragment? {
        guard let (field, kind, filter) = wanted, let term = terms.first else { return nil }
        let (sign, direction) = term.order.ascending ? (">", "ASC") : ("<", "DESC")
        var sql = PostgresFragment("SELECT \(PostgresChangeRow.columns), ")
        sql.add(zoneName)
        sql.add(
            """
            , r.id
            FROM \(kind.table) e
            CROSS JOIN LATERAL (SELECT * FROM record r WHERE r.database = $1 AND r.id = e.record OFFSET 0) r
            WHERE e.database = $1
            """)
        sql.add("\n    AND ")
        sql.add(zoneCondition("e.zone"))
        sql.add("\n    AND e.field = ?\n    AND ", .integer(field.id))
        sql.add(scalar(kind, filter))
        if let last, let id = term.arguments(of: last) {
            sql.add("\n    AND ")
            sql.add(.compare(["e.record"], sign, id))
        }
        sql.add("\nORDER BY e.record \(direction)\nLIMIT ?")
        return sql
    }
}
