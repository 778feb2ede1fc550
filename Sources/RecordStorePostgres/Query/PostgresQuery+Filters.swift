import PostgreSQLSupport
import RecordStore
import Records

extension PostgresQuery {
    /// Returns one filter as a condition on `r`, the record.
    func condition(_ filter: Filter) -> PostgresFragment {
        if filter.comparator.isSearch { return words(filter) }
        switch filter.key {
        case .system(let field): return system(field, filter)
        case .field(let name):
            guard let field = type.indexed(name) else { return .never }
            if field.type.isList { return list(field, filter) }
            guard let kind = PostgresEntryKind(field.type.element) else { return .never }
            if kind == .place { return near(field, filter) }
            return having(kind, field.id, scalar(kind, filter))
        case nil: return .never
        }
    }

    /// The condition that the record has an entry under a number which meets a condition on `e`.
    private func having(
        _ kind: PostgresEntryKind, _ field: Int64, _ condition: PostgresFragment?, grouped: String = ""
    ) -> PostgresFragment {
        var sql = PostgresFragment("r.id IN (SELECT e.record FROM \(kind.table) e WHERE e.database = $1 AND ")
        sql.add(zoneCondition("e.zone"))
        sql.add(" AND e.field = ?", .integer(field))
        if let condition {
            sql.add(" AND ")
            sql.add(condition.enclosed("(", ")"))
        }
        sql.add(grouped + ")")
        return sql
    }

    // MARK: Values

    /// Returns a condition on the entry `e` of a value.
    private func scalar(_ kind: PostgresEntryKind, _ filter: Filter) -> PostgresFragment {
        if let positive = filter.comparator.negated {
            return compare(kind, positive, filter.value).enclosed("NOT (", ")")
        }
        return compare(kind, filter.comparator, filter.value)
    }

    private func compare(
        _ kind: PostgresEntryKind, _ comparator: Comparator, _ value: FieldValue
    ) -> PostgresFragment {
        switch comparator {
        case .equals: return membership(kind, [value])
        case .isIn: return membership(kind, value.elements)
        case .beginsWith:
            guard case .string(let prefix) = value else { return .never }
            return kind.beginning("e", Array(prefix.utf8))
        default:
            guard let sign = comparator.sign else { return .never }
            return kind.compare("e", sign, value.sortValue)
        }
    }

    /// Returns the condition that the entry has one of the values.
    ///
    /// A reference into the record's own zone is stored as the bare name, a reference into another zone as
    /// the full key. So a filter that names a zone and asks in all zones looks for the bare name in that
    /// zone, and for the full key in the others.
    private func membership(_ kind: PostgresEntryKind, _ values: [FieldValue]) -> PostgresFragment {
        if values.isEmpty { return .never }
        var sql = kind.membership("e", values.map(\.sortValue))
        let zoned = plan.zone == nil ? values.compactMap(\.zonedReference) : []
        if zoned.isEmpty { return sql }
        let names = zoned.map { Array($0.name.utf8) }
        sql.add(
            """
             OR (e.zone, e.head, e.rest) IN (
                SELECT z.id, substring(v.name FOR \(PostgresEntryRows.headBytes)),
                    substring(v.name FROM \(PostgresEntryRows.headBytes + 1))
                FROM unnest(?::text[], ?::bytea[]) AS v (zone, name)
                JOIN zone z ON z.database = $1 AND z.name = v.zone
            )
            """,
            .texts(zoned.map(\.zone)), .byteStrings(names))
        return sql.enclosed("(", ")")
    }

    // MARK: Lists

    /// The record has the list if it has the count of its elements.
    private func list(_ field: PostgresCatalogField, _ filter: Filter) -> PostgresFragment {
        let positive = filter.comparator.negated
        var sql = having(.integer, field.other, nil)
        sql.add(positive == nil ? " AND " : " AND NOT ")
        sql.add(members(field, positive ?? filter.comparator, filter.value).enclosed("(", ")"))
        return sql.enclosed("(", ")")
    }

    private func members(
        _ field: PostgresCatalogField, _ comparator: Comparator, _ value: FieldValue
    ) -> PostgresFragment {
        guard let kind = PostgresEntryKind(field.type.element) else {
            return comparator == .listContainsAll && value.elements.isEmpty
                ? PostgresFragment("TRUE") : .never
        }
        switch comparator {
        case .listContains, .listContainsAny:
            return having(kind, field.id, membership(kind, value.elements))
        case .listContainsAll: return havingAll(kind, field, value.elements)
        case .listMemberBeginsWith:
            guard case .string(let prefix) = value else { return .never }
            return having(kind, field.id, kind.beginning("e", Array(prefix.utf8)))
        default: return .never
        }
    }

    /// Returns the condition that a list has all the values: the number of matching entries must be the
    /// number of values, because each element of a record has one entry. References that name a zone are
    /// counted separately, because one without a zone may mean the same element.
    private func havingAll(
        _ kind: PostgresEntryKind, _ field: PostgresCatalogField, _ values: [FieldValue]
    ) -> PostgresFragment {
        var conditions = [PostgresFragment("TRUE")]
        for isZoned in [false, true] {
            var wanted: [SortValue: FieldValue] = [:]
            for value in values where (value.zonedReference != nil) == isZoned {
                wanted[value.sortValue] = value
            }
            if wanted.isEmpty { continue }
            conditions.append(
                having(
                    kind, field.id, membership(kind, Array(wanted.values)),
                    grouped: " GROUP BY e.record HAVING count(*) = \(wanted.count)"))
        }
        return PostgresFragment.joined(conditions, separator: " AND ").enclosed("(", ")")
    }

    // MARK: Places and words

    private func near(_ field: PostgresCatalogField, _ filter: Filter) -> PostgresFragment {
        guard case .location(let center) = filter.value, let radius = filter.distance else { return .never }
        // A little larger than the circle, so that rounding excludes no place at the edge.
        let box = BoundingBox(around: center, radius: radius * (1 + 1e-9) + 10)
        let ranges: [(west: Double, east: Double)] =
            box.crossesAntimeridian ? [(box.west, 180), (-180, box.east)] : [(box.west, box.east)]
        let boxes = ranges.map { west, east in
            PostgresFragment("e.longitude BETWEEN ? AND ?", .real(west), .real(east))
        }
        var sql = PostgresFragment.joined(boxes, separator: " OR ").enclosed("(", ")")
        sql.add(" AND e.latitude BETWEEN ? AND ?", .real(box.south), .real(box.north))
        sql.add(
            " AND place_distance(e.latitude, e.longitude, ?, ?) <= ?",
            .real(center.latitude), .real(center.longitude), .real(radius))
        return having(.place, field.id, sql)
    }

    /// Each word of a searchable text is an entry of the text's field.
    private func words(_ filter: Filter) -> PostgresFragment {
        guard case .string(let search) = filter.value else { return .never }
        var names = plan.searchableFields
        if case .field(let name) = filter.key { names = [name] }
        let fields = names.compactMap { type.indexed($0) }.filter(\.isSearchable).map(\.other)
        let wanted = Set(searchTokens(search)).sorted()
        if fields.isEmpty || wanted.isEmpty { return .never }
        var sql = PostgresFragment("r.id IN (SELECT e.record FROM entry_bytes e WHERE e.database = $1 AND ")
        sql.add(zoneCondition("e.zone"))
        sql.add(" AND e.field = ANY (?) AND ", .integers(fields))
        sql.add(PostgresEntryKind.bytes.membership("e", wanted.map(SortValue.text)))
        if filter.comparator == .containsAllTokens, wanted.count > 1 {
            sql.add(" GROUP BY e.record HAVING count(DISTINCT (e.head, e.rest)) = \(wanted.count)")
        }
        sql.add(")")
        return sql
    }

    // MARK: System fields

    private func system(_ field: SystemField, _ filter: Filter) -> PostgresFragment {
        switch field {
        case .recordName: return name("r.name", filter)
        case .parent: return name("r.parent", filter)
        case .createdUserRecordName: return name("r.created_by", filter)
        case .modifiedUserRecordName: return name("r.modified_by", filter)
        case .createdTimestamp: return time("r.created_at", filter)
        case .modifiedTimestamp: return time("r.modified_at", filter)
        case .share: return .never
        }
    }

    private func name(_ column: String, _ filter: Filter) -> PostgresFragment {
        let positive = filter.comparator.negated
        let sql = compareName(column, positive ?? filter.comparator, filter.value)
        if positive == nil { return sql }
        return sql.enclosed("(\(column) IS NOT NULL AND NOT (", "))")
    }

    private func compareName(
        _ column: String, _ comparator: Comparator, _ value: FieldValue
    ) -> PostgresFragment {
        switch comparator {
        case .equals, .isIn:
            let values = comparator == .equals ? [value] : value.elements
            let names = values.compactMap { value -> String? in
                if case .text(let name) = value.sortValue { name } else { nil }
            }
            var sql = PostgresFragment("\(column) = ANY (?)", .texts(names))
            let zoned = plan.zone == nil ? values.compactMap(\.zonedReference) : []
            if zoned.isEmpty { return sql }
            sql.add(
                """
                 OR (r.zone, \(column)) IN (
                    SELECT z.id, v.name
                    FROM unnest(?::text[], ?::text[]) AS v (zone, name)
                    JOIN zone z ON z.database = $1 AND z.name = v.zone
                )
                """,
                .texts(zoned.map(\.zone)), .texts(zoned.map(\.name)))
            return sql.enclosed("(", ")")
        case .beginsWith:
            guard case .string(let prefix) = value else { return .never }
            return PostgresFragment("starts_with(\(column), ?)", .text(prefix))
        default:
            guard let sign = comparator.sign, case .text(let name) = value.sortValue else { return .never }
            return PostgresFragment("\(column) \(sign) ?", .text(name))
        }
    }

    private func time(_ column: String, _ filter: Filter) -> PostgresFragment {
        let positive = filter.comparator.negated
        let times = filter.value.elements.compactMap { value -> Int64? in
            if case .timestamp(let time) = value { time.milliseconds } else { nil }
        }
        var sql = PostgresFragment("\(column) = ANY (?)", .integers(times))
        if let sign = (positive ?? filter.comparator).sign, let time = times.first {
            sql = PostgresFragment("\(column) \(sign) ?", .integer(time))
        }
        return positive == nil ? sql : sql.enclosed("NOT (", ")")
    }
}

extension Comparator {
    /// The sign of an ordering; nil for other comparators.
    fileprivate var sign: String? {
        switch self {
        case .lessThan: "<"
        case .lessThanOrEquals: "<="
        case .greaterThan: ">"
        case .greaterThanOrEquals: ">="
        default: nil
        }
    }
}

extension FieldValue {
    fileprivate var zonedReference: (zone: String, name: String)? {
        guard case .reference(let reference) = self, let zone = reference.zone else { return nil }
        return (zone.name, reference.recordName)
    }
}
