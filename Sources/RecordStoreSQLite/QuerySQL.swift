// Owns the translation of plans into SQL that the engine can answer from its indexes (law 4).

import GRDB
import Records
import RecordStore

/// Pieces of SQL with their arguments, in step.
struct SQLText {
    var text = ""
    var arguments: [SQLValue] = []

    mutating func add(_ piece: String, _ values: SQLValue...) {
        text += piece
        arguments += values
    }

    mutating func add(_ other: SQLText) {
        text += other.text
        arguments += other.arguments
    }
}

/// One plan on one type of one file.
struct QuerySQL {
    var plan: QueryPlan
    var type: TypeTable
    /// The zone's id; nil: all zones.
    var zone: Int64?
    /// Turns times into places in the order of creation and change.
    var times: TimeIndex
    /// Metres around the point that a distance order starts from: an outer bound that the spatial index can use.
    var ring: Double?

    /// Selects the record's columns, then the values of the order, one row more than the page holds.
    func statement() throws -> SQLText {
        var sql = SQLText()
        sql.add("SELECT \(RecordRow.columns)")
        for order in plan.order { sql.add(expression(of: order.key).prefixed(", ")) }
        sql.add("\nFROM \(type.table) t\nCROSS JOIN record r ON r.id = t.record")
        var conditions: [SQLText] = []
        if let zone { conditions.append(SQLText(text: "t.zone = ?", arguments: [.integer(zone)])) }
        for filter in plan.filters { conditions.append(try condition(filter)) }
        if let bound = ringCondition() { conditions.append(bound) }
        if let cursor = plan.cursor { conditions.append(continuation(after: cursor)) }
        for (index, condition) in conditions.enumerated() {
            sql.add(condition.prefixed(index == 0 ? "\nWHERE " : "\n    AND "))
        }
        sql.add("\nORDER BY ")
        for (index, order) in plan.order.enumerated() {
            var term = expression(of: order.key)
            if case .distance = order.key {
                term.add(" IS NULL, ")
                term.add(expression(of: order.key))
            }
            term.add(order.ascending ? " ASC" : " DESC")
            sql.add(term.prefixed(index == 0 ? "" : ", "))
        }
        sql.add("\nLIMIT ?", .integer(Int64(plan.limit + 1)))
        return sql
    }

    // MARK: Order

    private func expression(of key: QueryPlan.Order.Key) -> SQLText {
        switch key {
        case .ordinal: return SQLText(text: "t.record")
        case .sequence: return SQLText(text: "t.sequence")
        case .recordName: return SQLText(text: "r.name")
        case .createdBy: return SQLText(text: "t.created_by")
        case .modifiedBy: return SQLText(text: "t.modified_by")
        case .parent: return SQLText(text: "r.parent")
        case .field(let name):
            guard let field = type.field(named: name) else { return SQLText(text: "NULL") }
            return SQLText(text: "t.\(field.column)")
        case .distance(let name, let place):
            guard let field = type.field(named: name) else { return SQLText(text: "NULL") }
            return SQLText(
                text: "distance(t.\(field.latitudeColumn), t.\(field.longitudeColumn), ?, ?)",
                arguments: [.real(place.latitude), .real(place.longitude)]
            )
        }
    }

    /// What comes after a cursor: greater in the first key, or equal there and greater in the next, and so on.
    private func continuation(after cursor: QueryCursor) -> SQLText {
        var result = SQLText()
        let values = cursor.values.map(SQLValue.init)
        if let first = plan.order.first, let value = values.first, value != .null, plan.order.count > 1 {
            if case .distance = first.key {} else if first.ascending {
                // A plain bound on the leading key, which an index can seek to.
                result.add(expression(of: first.key))
                result.add(" >= ? AND ", value)
            }
        }
        result.add(continuation(at: 0, values))
        return result
    }

    private func continuation(at index: Int, _ values: [SQLValue]) -> SQLText {
        let order = plan.order[index]
        let isLast = index == plan.order.count - 1
        var after = afterCondition(order, values[index])
        if isLast { return after.parenthesised() }
        var equal = expression(of: order.key)
        equal.add(" IS ?", values[index])
        after.add(" OR (")
        after.add(equal)
        after.add(" AND ")
        after.add(continuation(at: index + 1, values))
        after.add(")")
        return after.parenthesised()
    }

    /// Strictly after the value in the direction of the order; missing values come first when ascending, and
    /// last in any order by distance.
    private func afterCondition(_ order: QueryPlan.Order, _ value: SQLValue) -> SQLText {
        let key = expression(of: order.key)
        var result = key
        let missingIsLast = if case .distance = order.key { true } else { !order.ascending }
        if value == .null {
            result.add(missingIsLast ? " IS NULL AND 0" : " IS NOT NULL")
            return result
        }
        result.add(order.ascending ? " > ?" : " < ?", value)
        if missingIsLast {
            result.add(" OR ")
            result.add(key)
            result.add(" IS NULL")
        }
        return result
    }

    /// Restricts an order by distance to a ring around its centre.
    private func ringCondition() -> SQLText? {
        guard let ring, case .distance(let name, let place)? = plan.order.first?.key,
            let field = type.field(named: name)
        else { return nil }
        var sql = inBox(field, BoundingBox(around: place, radius: ring))
        sql.add(" AND ")
        sql.add(expression(of: .distance(field: name, from: place)))
        sql.add(" <= ?", .real(ring))
        return sql
    }

    /// Candidates from the spatial index: a superset of what lies in the box.
    func inBox(_ field: IndexedField, _ box: BoundingBox) -> SQLText {
        var sql = SQLText(
            text: "t.record IN (SELECT record FROM \(field.placeTable) WHERE south <= ? AND north >= ? AND ",
            arguments: [.real(box.north), .real(box.south)]
        )
        if box.crossesAntimeridian {
            sql.add("(east >= ? OR west <= ?))", .real(box.west), .real(box.east))
        } else {
            sql.add("west <= ? AND east >= ?)", .real(box.east), .real(box.west))
        }
        return sql
    }
}

extension SQLText {
    func prefixed(_ prefix: String) -> SQLText {
        SQLText(text: prefix + text, arguments: arguments)
    }

    func parenthesised() -> SQLText {
        SQLText(text: "(" + text + ")", arguments: arguments)
    }
}
