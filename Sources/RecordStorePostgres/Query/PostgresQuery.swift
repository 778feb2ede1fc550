import PostgreSQLSupport
import RecordStore
import Records

/// Translates a query plan on one record type into SQL on `record r`.
///
/// A condition on a field is a set of record ids that the index of the entries returns. An order by a field
/// walks along the index of its entries; the records without the field, which have an entry of another kind,
/// are read apart, before or after them. For a condition that is a walk along an index by itself, see
/// `walk(after:)`.
struct PostgresQuery {
    let plan: QueryPlan
    let type: PostgresCatalogType
    /// The zone's id; nil means all zones.
    let zone: Int64?
    let terms: [PostgresSortTerm]

    init(plan: QueryPlan, type: PostgresCatalogType, zone: Int64?) {
        self.plan = plan
        self.type = type
        self.zone = zone
        terms = plan.order.enumerated().map { PostgresSortTerm($1, index: $0, of: type) }
    }

    /// Which records a statement reads, if the first criterion is a field's.
    enum Part {
        /// All records; the entries of the field are joined if there are any.
        case all
        /// Those with the field, along its entries.
        case having
        /// Those without it.
        case lacking
    }

    /// Returns the statements that read the records after a cursor, to run one after the other until the page
    /// is full. Each selects the columns of `PostgresChangeRow`, the zone's name, then the sort values.
    ///
    /// - Parameter bytes: the bytes of fields after which a row comes without its fields.
    func statements(after cursor: QueryCursor?, bytes: Int) -> [PostgresFragment] {
        let page = PostgresChangeRow.enclosure(bytes: "?", others: 1 + terms.count)
        if let walk = walk(after: cursor?.values.first) {
            var sql = PostgresFragment(page.before, .count(bytes))
            sql.add(walk.enclosed("", page.after))
            return [sql]
        }
        var conditions = [
            PostgresFragment("r.database = $1"), zoneCondition("r.zone"),
            PostgresFragment("r.type = ?", .integer(type.id)), PostgresFragment("r.fields IS NOT NULL"),
        ]
        for filter in plan.filters { conditions.append(condition(filter)) }
        if let person = plan.participant { conditions.append(Self.isVisible(to: person)) }
        return parts(after: cursor?.values).map { part, rest in
            var sql = PostgresFragment(page.before, .count(bytes))
            sql.add(statement(part, conditions + rest).enclosed("", page.after))
            return sql
        }
    }

    /// The parts to read, in order, with the conditions on the rows after a cursor.
    private func parts(after values: [SortValue]?) -> [(Part, [PostgresFragment])] {
        guard let first = terms.first, first.entries != nil else {
            return [(.all, values.map { [continuation(at: 0, $0)] } ?? [])]
        }
        let (before, behind): (Part, Part) = first.missingIsLast ? (.having, .lacking) : (.lacking, .having)
        guard let values, let value = values.first else { return [(before, []), (behind, [])] }
        let rest = terms.count > 1 ? continuation(at: 1, values) : .never
        if value == .missing {
            let here: (Part, [PostgresFragment]) = (.lacking, [rest])
            return first.missingIsLast ? [here] : [here, (.having, [])]
        }
        let sign = first.order.ascending ? ">" : "<"
        // An index can seek only by a condition on the leading key alone.
        let here: (Part, [PostgresFragment]) = (
            .having,
            [
                first.compare(sign + "=", value),
                PostgresFragment.joined([first.compare(sign, value), rest], separator: " OR ")
                    .enclosed("(", ")"),
            ]
        )
        return first.missingIsLast ? [here, (.lacking, [])] : [here]
    }

    /// Returns the condition: greater in the key at `start`, or equal there and greater in the next one, and
    /// so on. It is nested from left to right, so that its length grows with the number of keys only.
    private func continuation(at start: Int, _ values: [SortValue]) -> PostgresFragment {
        var sql = PostgresFragment()
        for index in terms.indices.dropFirst(start) {
            if index > start {
                sql.add(" OR (")
                sql.add(terms[index - 1].equals(values[index - 1]))
                sql.add(" AND ")
            }
            sql.add("(")
            sql.add(terms[index].after(values[index]))
        }
        sql.add(")" + String(repeating: "))", count: terms.count - start - 1))
        return sql
    }

    private func statement(_ part: Part, _ conditions: [PostgresFragment]) -> PostgresFragment {
        var sql = PostgresFragment("SELECT \(PostgresChangeRow.columns), ")
        sql.add(zoneName)
        for (index, term) in terms.enumerated() {
            sql.add(", ")
            sql.add(index == 0 && part == .lacking ? PostgresFragment("NULL::bigint") : term.selection)
        }
        sql.add("\nFROM record r")
        if plan.zone == nil { sql.add("\nJOIN zone z ON z.database = $1 AND z.id = r.zone") }
        var conditions = conditions
        for (index, term) in terms.enumerated() {
            guard let (kind, field, alias) = term.entries else { continue }
            let match = "\(alias).database = $1 AND \(alias).field = ? AND \(alias).record = r.id"
            let isLacking = index == 0 && part == .lacking
            let table = isLacking ? PostgresEntryKind.integer.table : kind.table
            sql.add(
                """

                \(index == 0 ? "" : "LEFT ")JOIN \(table) \(alias)
                    ON \(match)
                """,
                .integer(isLacking ? field.other : field.id))
            if index == 0 { conditions.append(zoneCondition("\(alias).zone")) }
        }
        sql.add("\nWHERE ")
        sql.add(PostgresFragment.joined(conditions, separator: "\n    AND "))
        sql.add("\nORDER BY ")
        let sorted = terms.enumerated().filter { $0.offset > 0 || part != .lacking }
        let clauses = sorted.map { index, term in
            term.orderClause(isJoined: index == 0 && part == .having)
        }
        sql.add(PostgresFragment.joined(clauses, separator: ", "))
        sql.add("\nLIMIT ?")
        return sql
    }

    /// The name of the record's zone, as a column of the result.
    var zoneName: PostgresFragment {
        plan.zone.map { PostgresFragment("?::text", .text($0)) } ?? PostgresFragment("z.name")
    }

    /// Returns the condition on the zone. It lists all zones rather than none, because every index has the
    /// zone first.
    func zoneCondition(_ column: String) -> PostgresFragment {
        if let zone { return PostgresFragment("\(column) = ?", .integer(zone)) }
        return PostgresFragment("\(column) IN (SELECT id FROM zone WHERE database = $1)")
    }

    /// Returns the condition that the record is covered by a share in which the person takes part.
    private static func isVisible(to person: String) -> PostgresFragment {
        PostgresFragment(
            """
            EXISTS (
                SELECT 1
                FROM share_feed f
                JOIN share_member m ON m.database = $1 AND m.share = f.share AND m.person = ?
                    AND m.ended IS NULL
                WHERE f.database = $1 AND f.zone = r.zone AND f.name = r.name AND f.gone_at IS NULL
            )
            """,
            .text(person))
    }
}
