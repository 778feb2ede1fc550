// Owns the translation of single conditions into SQL.

import Records
import RecordStore

extension QuerySQL {
    /// One filter as a condition on the type's table `t` (and `r`, its record).
    func condition(_ filter: Filter) throws -> SQLText {
        if filter.comparator == .containsAllTokens || filter.comparator == .containsAnyTokens {
            return words(filter)
        }
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

    private func scalar(_ column: String, _ filter: Filter) -> SQLText {
        if let positive = filter.comparator.negated {
            var sql = SQLText(text: "(\(column) IS NOT NULL AND NOT ")
            sql.add(compare(column, positive, filter.value))
            sql.add(")")
            return sql
        }
        return compare(column, filter.comparator, filter.value)
    }

    private func compare(_ column: String, _ comparator: Comparator, _ value: FieldValue) -> SQLText {
        let argument = sqlValue(value)
        switch comparator {
        case .equals:
            return equality(column, value)
        case .lessThan: return SQLText(text: "\(column) < ?", arguments: [argument])
        case .lessThanOrEquals: return SQLText(text: "\(column) <= ?", arguments: [argument])
        case .greaterThan: return SQLText(text: "\(column) > ?", arguments: [argument])
        case .greaterThanOrEquals: return SQLText(text: "\(column) >= ?", arguments: [argument])
        case .isIn: return membership(column, value.elements)
        case .beginsWith:
            guard case .string(let prefix) = value else { return SQLText(text: "0") }
            return beginning(column, prefix)
        default: return SQLText(text: "0")
        }
    }

    private func membership(_ column: String, _ values: [FieldValue]) -> SQLText {
        if values.isEmpty { return SQLText(text: "0") }
        if values.contains(where: needsZone) {
            var sql = SQLText()
            for (index, value) in values.enumerated() {
                sql.add(equality(column, value).prefixed(index == 0 ? "" : " OR "))
            }
            return sql.parenthesised()
        }
        let marks = Array(repeating: "?", count: values.count).joined(separator: ", ")
        return SQLText(text: "\(column) IN (\(marks))", arguments: values.map(sqlValue))
    }

    /// A reference that names a zone, asked in all zones, is the bare name in that zone and the full key elsewhere.
    private func needsZone(_ value: FieldValue) -> Bool {
        if case .reference(let reference) = value { plan.zone == nil && reference.zone != nil } else { false }
    }

    private func equality(_ column: String, _ value: FieldValue) -> SQLText {
        guard case .reference(let reference) = value, plan.zone == nil, let target = reference.zone else {
            return SQLText(text: "\(column) = ?", arguments: [sqlValue(value)])
        }
        return SQLText(
            text: "((\(column) = ? AND t.zone = (SELECT id FROM zone WHERE name = ?)) OR \(column) = ?)",
            arguments: [.text(reference.recordName), .text(target.name), .text(reference.key)]
        )
    }

    /// The value as its column holds it: references into the asked zone by their bare name.
    private func sqlValue(_ value: FieldValue) -> SQLValue {
        if case .reference(var reference) = value {
            if reference.zone?.name == plan.zone { reference.zone = nil }
            return .text(reference.key)
        }
        return SQLValue(value.sortValue)
    }

    /// A range that the index can seek, from the prefix up to the next text that does not begin with it.
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
        func having(_ condition: SQLText) -> SQLText {
            var sql = SQLText(text: "t.record IN (SELECT record FROM \(field.elementTable) WHERE ")
            sql.add(condition)
            sql.add(")")
            return sql
        }
        switch comparator {
        case .listContains: return having(equality("value", value))
        case .listContainsAny: return having(membership("value", value.elements))
        case .listContainsAll:
            var sql = SQLText(text: "(1")
            for element in value.elements { sql.add(having(equality("value", element)).prefixed(" AND ")) }
            sql.add(")")
            return sql
        case .listMemberBeginsWith:
            guard case .string(let prefix) = value else { return SQLText(text: "0") }
            return having(beginning("value", prefix))
        default: return SQLText(text: "0")
        }
    }

    // MARK: Places and words

    private func near(_ field: IndexedField, _ filter: Filter) -> SQLText {
        guard case .location(let center) = filter.value, let radius = filter.distance else {
            return SQLText(text: "0")
        }
        var sql = inBox(field, BoundingBox(around: center, radius: radius))
        sql.add(
            " AND distance(t.\(field.latitudeColumn), t.\(field.longitudeColumn), ?, ?) <= ?",
            .real(center.latitude), .real(center.longitude), .real(radius)
        )
        return sql.parenthesised()
    }

    /// Candidates from the full-text index, each checked with the house's own idea of a word.
    private func words(_ filter: Filter) -> SQLText {
        guard case .string(let search) = filter.value, type.hasWords else { return SQLText(text: "0") }
        var columns = type.fields.filter(\.isSearchable).map { "t.\($0.column)" }
        if case .field(let name) = filter.key {
            guard let field = type.field(named: name) else { return SQLText(text: "0") }
            columns = ["t.\(field.column)"]
        }
        let all = filter.comparator == .containsAllTokens
        let match = searchTokens(search).map { "\"\($0)\"" }.joined(separator: all ? " AND " : " OR ")
        return SQLText(
            text: """
                (t.record IN (SELECT rowid FROM \(type.wordTable) WHERE \(type.wordTable) MATCH ?)
                    AND has_words(?, ?, \(columns.joined(separator: ", "))))
                """,
            arguments: [.text(match), .text(search), .integer(all ? 1 : 0)]
        )
    }

    // MARK: System fields

    private func system(_ field: SystemField, _ filter: Filter) throws -> SQLText {
        switch field {
        case .recordName: return scalar("r.name", unzoned(filter))
        case .createdUserRecordName: return scalar("t.created_by", unzoned(filter))
        case .modifiedUserRecordName: return scalar("t.modified_by", unzoned(filter))
        case .parent: return scalar("r.parent", unzoned(filter))
        case .createdTimestamp: return try time("t.record", filter, times.firstOrdinal)
        case .modifiedTimestamp: return try time("t.sequence", filter, times.firstSequence)
        case .share: return SQLText(text: "0")
        }
    }

    /// The same filter with references reduced to their names, as system columns hold them.
    private func unzoned(_ filter: Filter) -> Filter {
        func bare(_ value: FieldValue) -> FieldValue {
            if case .reference(let reference) = value { .string(reference.recordName) } else { value }
        }
        var result = filter
        if case .list(_, let values) = filter.value {
            result.value = .list(.string, values.map(bare))
        } else {
            result.value = bare(filter.value)
        }
        return result
    }

    /// Times grow with the order of creation and of change, so a range of times is a range of that order.
    private func time(
        _ column: String, _ filter: Filter, _ first: (Timestamp) throws -> Int64
    ) throws -> SQLText {
        if let positive = filter.comparator.negated {
            var inner = filter
            inner.comparator = positive
            return try time(column, inner, first).parenthesised().prefixed("NOT ")
        }
        var ranges: [SQLText] = []
        for case .timestamp(let time) in filter.value.elements {
            let next = Timestamp(milliseconds: time.milliseconds + 1)
            switch filter.comparator {
            case .lessThan: ranges.append(SQLText(text: "\(column) < ?", arguments: [.integer(try first(time))]))
            case .lessThanOrEquals:
                ranges.append(SQLText(text: "\(column) < ?", arguments: [.integer(try first(next))]))
            case .greaterThan:
                ranges.append(SQLText(text: "\(column) >= ?", arguments: [.integer(try first(next))]))
            case .greaterThanOrEquals:
                ranges.append(SQLText(text: "\(column) >= ?", arguments: [.integer(try first(time))]))
            default:
                let range = [SQLValue.integer(try first(time)), .integer(try first(next))]
                ranges.append(SQLText(text: "\(column) >= ? AND \(column) < ?", arguments: range))
            }
        }
        var sql = SQLText(text: ranges.isEmpty ? "0" : "")
        for (index, range) in ranges.enumerated() {
            sql.add(range.parenthesised().prefixed(index == 0 ? "" : " OR "))
        }
        return sql.parenthesised()
    }
}

extension String {
    /// The first string, in the order of bytes, after all that begin with this one; nil if there is none.
    fileprivate var successorOfPrefix: String? {
        var scalars = Array(unicodeScalars)
        while let last = scalars.popLast() {
            // UTF-8 keeps the order of scalar values; the surrogates' gap is stepped over.
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
