import RecordStore
import Records

extension QuerySQL {
    /// Returns one filter as a condition on `t`, the type's table, and `r`, the record.
    func condition(_ filter: Filter) throws -> SQLText {
        if filter.comparator.isSearch { return words(filter) }
        switch filter.key {
        case .system(let field): return try system(field, filter)
        case .field(let name):
            guard let field = type.field(named: name) else { return SQLText(text: "0") }
            if field.type.isList { return list(field, filter) }
            if field.isLocation { return near(field, filter) }
            return scalar("t.\(field.column)", filter)
        case nil: return SQLText(text: "0")
        }
    }

    // MARK: Values

    /// Returns a condition on the column of a value; `zone` is the column with the zone of the row.
    private func scalar(_ column: String, _ filter: Filter, zone: String = "t.zone") -> SQLText {
        if let positive = filter.comparator.negated {
            var sql = SQLText(text: "(\(column) IS NOT NULL AND NOT ")
            sql.add(compare(column, positive, filter.value, zone: zone))
            sql.add(")")
            return sql
        }
        return compare(column, filter.comparator, filter.value, zone: zone)
    }

    private func compare(
        _ column: String, _ comparator: Comparator, _ value: FieldValue, zone: String
    ) -> SQLText {
        let argument = value.sortValue
        switch comparator {
        case .equals: return membership(column, [value], zone: zone)
        case .isIn: return membership(column, value.elements, zone: zone)
        case .lessThan: return SQLText(text: "\(column) < ?", arguments: [argument])
        case .lessThanOrEquals: return SQLText(text: "\(column) <= ?", arguments: [argument])
        case .greaterThan: return SQLText(text: "\(column) > ?", arguments: [argument])
        case .greaterThanOrEquals: return SQLText(text: "\(column) >= ?", arguments: [argument])
        case .beginsWith:
            guard case .string(let prefix) = value else { return SQLText(text: "0") }
            return beginning(column, prefix)
        default: return SQLText(text: "0")
        }
    }

    /// Returns the condition that the column has one of the values.
    ///
    /// A reference into the record's own zone is stored as the bare name, a reference into another zone as
    /// the full key. So a filter that names a zone and asks in all zones looks for the bare name in that
    /// zone, and for the full key in the others.
    private func membership(_ column: String, _ values: [FieldValue], zone: String) -> SQLText {
        if values.isEmpty { return SQLText(text: "0") }
        let keys = values.map(\.sortValue)
        let zoned = plan.zone == nil ? values.compactMap(\.zonedReference) : []
        let anywhere =
            keys.count == 1
            ? SQLText(text: "\(column) = ?", arguments: keys) : SQLText.membership(column, keys)
        if zoned.isEmpty { return anywhere }
        var sql = anywhere
        sql.add(" OR (\(zone), \(column)) IN (SELECT z.id, v.column2 FROM (VALUES ")
        let pairs = zoned.map { reference in
            SQLText(text: "(?, ?)", arguments: [.text(reference.zone), .text(reference.name)])
        }
        sql.add(SQLText.joined(pairs, separator: ", "))
        sql.add(") v JOIN zone z ON z.name = v.column1)")
        return sql.parenthesised()
    }

    /// Returns a range that the index can seek: from the prefix up to the first text after all that begin
    /// with it.
    private func beginning(_ column: String, _ prefix: String) -> SQLText {
        guard let end = prefix.successorOfPrefix else {
            return SQLText(text: "\(column) >= ?", arguments: [.text(prefix)])
        }
        return SQLText(text: "(\(column) >= ? AND \(column) < ?)", arguments: [.text(prefix), .text(end)])
    }

    // MARK: Lists

    private func list(_ field: IndexedField, _ filter: Filter) -> SQLText {
        let positive = filter.comparator.negated
        var sql = SQLText(text: "(t.\(field.column) IS NOT NULL AND ")
        if positive != nil { sql.add("NOT ") }
        sql.add(members(field, positive ?? filter.comparator, filter.value))
        sql.add(")")
        return sql
    }

    private func members(_ field: IndexedField, _ comparator: Comparator, _ value: FieldValue) -> SQLText {
        switch comparator {
        case .listContains, .listContainsAny:
            return having(field, membership("value", value.elements, zone: "zone"))
        case .listContainsAll: return havingAll(field, value.elements)
        case .listMemberBeginsWith:
            guard case .string(let prefix) = value else { return SQLText(text: "0") }
            return having(field, beginning("value", prefix))
        default: return SQLText(text: "0")
        }
    }

    private func having(_ field: IndexedField, _ condition: SQLText, grouped: String = "") -> SQLText {
        var sql = SQLText(text: "t.record IN (SELECT record FROM \(field.elementTable) WHERE ")
        sql.add(zoneCondition("zone"))
        sql.add(" AND ")
        sql.add(condition)
        sql.add("\(grouped))")
        return sql
    }

    /// Returns the condition that a list has all the values: the number of matching rows must be the number
    /// of values, because the element table has each element of a record once. References that name a zone
    /// are counted separately, because one without a zone may mean the same element.
    private func havingAll(_ field: IndexedField, _ values: [FieldValue]) -> SQLText {
        var conditions = [SQLText(text: "1")]
        for isZoned in [false, true] {
            var wanted: [SortValue: FieldValue] = [:]
            for value in values where (value.zonedReference != nil) == isZoned {
                wanted[value.sortValue] = value
            }
            if wanted.isEmpty { continue }
            let matches = membership("value", Array(wanted.values), zone: "zone")
            conditions.append(
                having(field, matches, grouped: " GROUP BY record HAVING COUNT(*) = \(wanted.count)")
            )
        }
        return SQLText.joined(conditions, separator: " AND ").parenthesised()
    }

    // MARK: Places and words

    private func near(_ field: IndexedField, _ filter: Filter) -> SQLText {
        guard case .location(let center) = filter.value, let radius = filter.distance else {
            return SQLText(text: "0")
        }
        var sql = inBox(field, around: center, radius: radius)
        sql.add(
            " AND distance(t.\(field.latitudeColumn), t.\(field.longitudeColumn), ?, ?) <= ?",
            .real(center.latitude), .real(center.longitude), .real(radius)
        )
        return sql.parenthesised()
    }

    /// Returns candidates from the full-text index, each checked by our own splitting into words. For a
    /// search of all words, a record with any of the words in its row of later words is a candidate too,
    /// because its other words are in another row.
    private func words(_ filter: Filter) -> SQLText {
        guard case .string(let search) = filter.value, type.hasWords else { return SQLText(text: "0") }
        var names = plan.searchableFields
        if case .field(let name) = filter.key { names = [name] }
        let columns = names.compactMap { type.field(named: $0) }.filter(\.isSearchable).map {
            "t.\($0.column)"
        }
        if columns.isEmpty { return SQLText(text: "0") }
        let texts = Self.arguments(columns)
        let all = filter.comparator == .containsAllTokens
        let wanted = Set(searchTokens(search)).sorted()
        let match = wanted.map { "\"\($0.indexedWord)\"" }
        return SQLText(
            text: """
                (t.record IN (
                    SELECT rowid FROM \(type.wordTable) WHERE \(type.wordTable) MATCH ?
                    UNION ALL
                    SELECT -rowid FROM \(type.wordTable) WHERE \(type.wordTable) MATCH ? AND rowid < 0
                ) AND has_words(?, ?, \(texts)))
                """,
            arguments: [
                .text(match.joined(separator: all ? " AND " : " OR ")),
                .text(match.joined(separator: " OR ")),
                .text(wanted.joined(separator: SQLFunctions.wordSeparator)), .integer(all ? 1 : 0),
            ]
        )
    }

    /// Returns the columns as arguments of an SQL function, joined to at most 90: SQLite limits a function to
    /// about a hundred arguments.
    private static func arguments(_ columns: [String]) -> String {
        if columns.count <= 90 { return columns.joined(separator: ", ") }
        let width = (columns.count + 89) / 90
        return stride(from: 0, to: columns.count, by: width)
            .map { start in
                columns[start..<min(start + width, columns.count)].map { "COALESCE(\($0), '')" }
                    .joined(separator: " || ' ' || ")
            }
            .joined(separator: ", ")
    }

    // MARK: System fields

    private func system(_ field: SystemField, _ filter: Filter) throws -> SQLText {
        switch field {
        case .recordName:
            if filter.comparator.negated != nil { return scalar("r.name", filter) }
            return found("id", in: "record", zone: "zone", by: scalar("name", filter, zone: "zone"))
        case .parent:
            if filter.comparator.negated != nil { return scalar("r.parent", filter) }
            let target = scalar("target", filter, zone: "zone").prefixed(
                "kind IN (\(BindingKind.parent.rawValue), \(BindingKind.looseParent.rawValue)) AND ")
            return found("source", in: "binding", zone: "zone", by: target)
        case .createdUserRecordName: return scalar("t.created_by", filter)
        case .modifiedUserRecordName: return scalar("t.modified_by", filter)
        case .createdTimestamp: return try times("t.record", "r.created_at", filter)
        case .modifiedTimestamp: return try times("t.sequence", "r.modified_at", filter)
        case .share: return SQLText(text: "0")
        }
    }

    private func found(_ column: String, in table: String, zone: String, by condition: SQLText) -> SQLText {
        var sql = SQLText(text: "t.record IN (SELECT \(column) FROM \(table) WHERE ")
        sql.add(zoneCondition(zone))
        sql.add(" AND ")
        sql.add(condition)
        sql.add(")")
        return sql
    }

    /// Returns a condition on a time, with a range of sequence numbers that an index can seek: times grow
    /// with these numbers. The range may be a little too wide, so the time itself is compared too.
    private func times(_ place: String, _ column: String, _ filter: Filter) throws -> SQLText {
        let positive = filter.comparator.negated
        var parts: [SQLText] = []
        for case .timestamp(let time) in filter.value.elements {
            parts.append(try self.time(place, column, positive ?? filter.comparator, time))
        }
        let sql = SQLText.anyOf(parts)
        return positive == nil ? sql : sql.prefixed("NOT ")
    }

    private func time(
        _ place: String, _ column: String, _ comparator: Comparator, _ time: Timestamp
    ) throws -> SQLText {
        func range(_ after: Int64?, _ upTo: Int64?, _ sign: String) -> SQLText {
            var sql = SQLText(text: "(")
            if let after { sql.add("\(place) > ? AND ", .integer(after)) }
            if let upTo { sql.add("\(place) <= ? AND ", .integer(upTo)) }
            sql.add("\(column) \(sign) ?)", .integer(time.milliseconds))
            return sql
        }
        switch comparator {
        case .lessThan: return range(nil, try times.first(notBefore: time), "<")
        case .lessThanOrEquals: return range(nil, try times.first(after: time), "<=")
        case .greaterThan: return range(try times.last(notAfter: time), nil, ">")
        case .greaterThanOrEquals: return range(try times.last(before: time), nil, ">=")
        default: return range(try times.last(before: time), try times.first(after: time), "=")
        }
    }
}

extension FieldValue {
    fileprivate var zonedReference: (zone: String, name: String)? {
        guard case .reference(let reference) = self, let zone = reference.zone else { return nil }
        return (zone.name, reference.recordName)
    }
}

extension String {
    /// The first string, in the order of bytes, after all strings that begin with this one; nil if there is
    /// none.
    fileprivate var successorOfPrefix: String? {
        var scalars = Array(unicodeScalars)
        while let last = scalars.popLast() {
            // UTF-8 keeps the order of scalar values. Surrogates are not scalar values, so skip them.
            let next = last.value == 0xd7ff ? 0xe000 : last.value + 1
            if let scalar = Unicode.Scalar(next) {
                var result = String.UnicodeScalarView(scalars)
                result.append(scalar)
                return String(result)
            }
        }
        return nil
    }
}
