import Records

/// Evaluates a plan for single records. The memory store queries with it, and other stores must give the same
/// results.
package struct QueryEvaluation: Sendable {
    package let plan: QueryPlan
    private let conditions: QueryConditions

    package init(plan: QueryPlan) {
        self.plan = plan
        conditions = QueryConditions(plan.filters, zone: plan.zone)
    }

    /// Whether the record meets all conditions.
    package func matches(_ record: WrittenRecord) -> Bool {
        var lookups = RecordLookups(record, type: plan.schema)
        return conditions.matches(&lookups)
    }

    /// The record's values for each criterion of the order.
    package func sortValues(of record: WrittenRecord) -> [SortValue] {
        plan.order.map { order in
            switch order.key {
            case .ordinal: .integer(record.ordinal)
            case .sequence: .integer(record.stored.sequence)
            case .recordName: .text(record.stored.id.name)
            case .createdBy: .text(record.stored.created.by)
            case .modifiedBy: .text(record.stored.modified.by)
            case .parent: record.stored.parent.map(SortValue.text) ?? .missing
            case .field(let name): record.value(of: .field(name))?.sortValue ?? .missing
            case .distance(let name, let place):
                if case .location(let location) = record.value(of: .field(name)) {
                    .real(location.distance(to: place))
                } else {
                    .missing
                }
            }
        }
    }

    /// Whether a record with values `a` comes before one with values `b`.
    package func isOrdered(_ a: [SortValue], before b: [SortValue]) -> Bool {
        for (order, (left, right)) in zip(plan.order, zip(a, b)) where left != right {
            if case .distance = order.key, left == .missing || right == .missing { return right == .missing }
            return left.precedes(right) == order.ascending
        }
        return false
    }
}
