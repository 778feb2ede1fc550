import GRDB
import RecordStore
import Records

/// Translates a query plan on one record type into SQL.
struct QuerySQL {
    var plan: QueryPlan
    var type: TypeTable
    /// The zone's id; nil means all zones.
    var zone: Int64?
    /// Finds the range of sequence numbers for a time.
    var times: TimeMarks
    /// A bound for an order by distance, which the spatial index can use.
    var ring: DistanceRing?

    /// The columns that a statement selects before the sort values.
    enum Selection {
        /// The columns of `ChangeRow`.
        case rows
        /// The record's id only, for statements that sort: SQLite's sorter carries the selected columns of
        /// all rows, also of those that are not in the page.
        case ids

        fileprivate var columns: String {
            switch self {
            case .rows: ChangeRow.columns
            case .ids: "t.record"
            }
        }

        /// The column of the first sort value.
        var count: Int32 {
            switch self {
            case .rows: ChangeRow.count
            case .ids: 1
            }
        }
    }

    /// Returns the statements that read the page, to run one after the other until it is full. Each selects
    /// the columns of `selection`, then the sort values.
    func statements(_ selection: Selection = .rows) throws -> [SQLText] {
        var conditions = [zoneCondition("t.zone")]
        for filter in plan.filters { conditions.append(try condition(filter)) }
        if let person = plan.participant { conditions.append(Self.isVisible(to: person)) }
        if let ring { conditions += ring.conditions(self) }
        let tails = plan.cursor.map { self.tails(after: $0.values) } ?? [[]]
        return tails.map { statement(selection, conditions + $0) }
    }

    private func statement(_ selection: Selection, _ conditions: [SQLText]) -> SQLText {
        var sql = SQLText()
        sql.add("SELECT \(selection.columns)")
        for order in plan.order { sql.add(expression(of: order.key).prefixed(", ")) }
        if zone == nil { sql.add(", r.zone") }
        if walksNames {
            sql.add(
                "\nFROM record r\nCROSS JOIN \(type.table) t ON t.zone = r.zone AND t.record = r.id\nWHERE ")
            sql.add(zoneCondition("r.zone"))
            sql.add("\n    AND ")
        } else {
            sql.add("\nFROM \(type.table) t\nCROSS JOIN record r ON r.id = t.record\nWHERE ")
        }
        sql.add(SQLText.joined(conditions, separator: "\n    AND "))
        sql.add("\nORDER BY ")
        let terms = plan.order.map { order in
            var term = expression(of: order.key)
            if case .distance = order.key {
                term.add(" IS NULL, ")
                term.add(expression(of: order.key))
            }
            term.add(order.ascending ? " ASC" : " DESC")
            return term
        }
        sql.add(SQLText.joined(terms, separator: ", "))
        sql.add("\nLIMIT ?")
        return sql
    }

    /// The column of the zone, which is selected if all zones are queried.
    func zoneColumn(_ selection: Selection) -> Int32 { selection.count + Int32(plan.order.count) }

    /// Whether to walk along the index of record names, which all types of a zone share: for an order by name
    /// without filters.
    private var walksNames: Bool {
        plan.order.first?.key == .recordName && plan.filters.isEmpty && zone != nil
    }

    /// Returns the condition on the zone. It lists all zones rather than none, because every index begins
    /// with the zone.
    func zoneCondition(_ column: String) -> SQLText {
        if let zone { return SQLText(text: "\(column) = ?", arguments: [.integer(zone)]) }
        return SQLText(text: "\(column) IN (SELECT id FROM zone)")
    }

    /// Returns the condition that the record is covered by a share in which the person takes part.
    private static func isVisible(to person: String) -> SQLText {
        SQLText(
            text: """
                EXISTS (
                    SELECT 1
                    FROM share_feed f
                    JOIN share_member m ON m.share = f.share AND m.person = ? AND m.ended IS NULL
                    WHERE f.zone = r.zone AND f.name = r.name AND f.gone_at IS NULL
                )
                """,
            arguments: [.text(person)])
    }

    // MARK: Order

    func expression(of key: QueryPlan.Order.Key) -> SQLText {
        switch key {
        case .ordinal: return SQLText(text: "t.record")
        case .sequence: return SQLText(text: "t.sequence")
        case .recordName: return SQLText(text: "r.name")
        case .createdBy: return SQLText(text: "t.created_by")
        case .modifiedBy: return SQLText(text: "t.modified_by")
        case .parent: return SQLText(text: "r.parent")
        case .field(let name):
            guard let field = type.field(named: name), !field.isLocation else { return SQLText(text: "NULL") }
            return SQLText(text: "t.\(field.column)")
        case .distance(let name, let place):
            guard let field = type.field(named: name), field.isLocation else { return SQLText(text: "NULL") }
            return SQLText(
                text: "distance(t.\(field.latitudeColumn), t.\(field.longitudeColumn), ?, ?)",
                arguments: [.real(place.latitude), .real(place.longitude)]
            )
        }
    }

    // MARK: Rows after a cursor

    /// Returns the conditions on the rows after a cursor, in parts to be run one after the other. Each part
    /// bounds the leading key in a way that an index can seek, so that a late page costs no more than an
    /// early one.
    private func tails(after values: [SortValue]) -> [[SQLText]] {
        guard let first = plan.order.first, let value = values.first else { return [[]] }
        if case .distance = first.key { return [[continuation(at: 0, values)]] }
        let key = expression(of: first.key)
        let rest = plan.order.count > 1 ? continuation(at: 1, values) : SQLText(text: "0")
        if value == .missing {
            let here = [key.followed(by: " IS NULL"), rest]
            return first.ascending ? [here, [key.followed(by: " IS NOT NULL")]] : [here]
        }
        let beyond = key.followed(by: first.ascending ? " > ?" : " < ?", value)
        var here = [beyond]
        if plan.order.count > 1 {
            here = [
                key.followed(by: first.ascending ? " >= ?" : " <= ?", value),
                SQLText.joined([beyond, rest], separator: " OR ").parenthesised(),
            ]
        }
        return first.ascending || !first.key.mayBeMissing ? [here] : [here, [key.followed(by: " IS NULL")]]
    }

    /// Returns the condition: greater in the key at `start`, or equal there and greater in the next one, and
    /// so on.
    ///
    /// It is nested from left to right, so that its length grows with the number of keys and not with the
    /// square of it.
    private func continuation(at start: Int, _ values: [SortValue]) -> SQLText {
        var sql = SQLText()
        for index in plan.order.indices.dropFirst(start) {
            let order = plan.order[index]
            if index > start {
                let previous = plan.order[index - 1]
                sql.add(" OR (")
                sql.add(expression(of: previous.key).followed(by: " IS ?", values[index - 1]))
                sql.add(" AND ")
            }
            sql.add("(")
            sql.add(afterCondition(order, values[index]))
        }
        sql.add(")" + String(repeating: "))", count: plan.order.count - start - 1))
        return sql
    }

    /// Returns the condition "strictly after the value" in the direction of the order. Missing values come
    /// first when ascending, last when descending, and last in any order by distance.
    private func afterCondition(_ order: QueryPlan.Order, _ value: SortValue) -> SQLText {
        let key = expression(of: order.key)
        let missingIsLast = if case .distance = order.key { true } else { !order.ascending }
        if value == .missing { return missingIsLast ? SQLText(text: "0") : key.followed(by: " IS NOT NULL") }
        var result = key.followed(by: order.ascending ? " > ?" : " < ?", value)
        if missingIsLast {
            result.add(" OR ")
            result.add(key.followed(by: " IS NULL"))
        }
        return result
    }

    // MARK: Places

    /// Returns the condition on the spatial index: a superset of the places within `radius` metres.
    ///
    /// The box is a little larger than the circle, so that rounding excludes no place at the edge.
    func inBox(_ field: IndexedField, around center: Location, radius: Double) -> SQLText {
        let box = BoundingBox(around: center, radius: radius * (1 + 1e-9) + 10)
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
    fileprivate func followed(by piece: String, _ values: SortValue...) -> SQLText {
        SQLText(text: text + piece, arguments: arguments + values)
    }
}

extension QueryPlan.Order.Key {
    fileprivate var mayBeMissing: Bool {
        switch self {
        case .field, .parent, .distance: true
        case .ordinal, .sequence, .recordName, .createdBy, .modifiedBy: false
        }
    }
}
