/// What a filter or a sort order looks at.
package enum QueryKey: Hashable, Sendable {
    case field(String)
    case system(SystemField)

    /// The name that error texts use.
    package var displayName: String {
        switch self {
        case .field(let name): name
        case .system(.recordName): "recordName"
        case .system(let field): field.rawValue
        }
    }
}

/// How a filter compares. The raw value is the term the field uses for it.
package enum Comparator: String, Hashable, Sendable, CaseIterable {
    case equals = "EQUALS"
    case notEquals = "NOT_EQUALS"
    case lessThan = "LESS_THAN"
    case lessThanOrEquals = "LESS_THAN_OR_EQUALS"
    case greaterThan = "GREATER_THAN"
    case greaterThanOrEquals = "GREATER_THAN_OR_EQUALS"
    case near = "NEAR"
    case containsAllTokens = "CONTAINS_ALL_TOKENS"
    case containsAnyTokens = "CONTAINS_ANY_TOKENS"
    case isIn = "IN"
    case notIn = "NOT_IN"
    case listContains = "LIST_CONTAINS"
    case notListContains = "NOT_LIST_CONTAINS"
    case listContainsAny = "LIST_CONTAINS_ANY"
    case notListContainsAny = "NOT_LIST_CONTAINS_ANY"
    case listContainsAll = "LIST_CONTAINS_ALL"
    case notListContainsAll = "NOT_LIST_CONTAINS_ALL"
    case beginsWith = "BEGINS_WITH"
    case notBeginsWith = "NOT_BEGINS_WITH"
    case listMemberBeginsWith = "LIST_MEMBER_BEGINS_WITH"
    case notListMemberBeginsWith = "NOT_LIST_MEMBER_BEGINS_WITH"

    /// Whether it looks for the words of a text.
    package var isSearch: Bool { self == .containsAllTokens || self == .containsAnyTokens }

    /// The comparator whose complement this one is, among records that have the field.
    package var negated: Comparator? {
        switch self {
        case .notEquals: .equals
        case .notIn: .isIn
        case .notListContains: .listContains
        case .notListContainsAny: .listContainsAny
        case .notListContainsAll: .listContainsAll
        case .notBeginsWith: .beginsWith
        case .notListMemberBeginsWith: .listMemberBeginsWith
        default: nil
        }
    }
}

/// One condition; all conditions of a query must hold.
package struct Filter: Hashable, Sendable {
    /// nil only with the token comparators: every searchable string of the record.
    package var key: QueryKey?
    package var comparator: Comparator
    package var value: FieldValue
    /// Metres, with `near` only.
    package var distance: Double?

    package init(_ key: QueryKey?, _ comparator: Comparator, _ value: FieldValue, distance: Double? = nil) {
        self.key = key
        self.comparator = comparator
        self.value = value
        self.distance = distance
    }
}

/// One criterion of an order.
package struct Sort: Hashable, Sendable {
    package var key: QueryKey
    package var ascending: Bool
    /// With a location field: order by the distance to this place.
    package var relativeTo: Location?

    package init(_ key: QueryKey, ascending: Bool = true, relativeTo: Location? = nil) {
        self.key = key
        self.ascending = ascending
        self.relativeTo = relativeTo
    }
}

/// A record type, conditions that must all hold, and an order.
package struct Query: Hashable, Sendable {
    package var recordType: String
    package var filters: [Filter]
    package var sorts: [Sort]

    package init(recordType: String, filters: [Filter] = [], sorts: [Sort] = []) {
        self.recordType = recordType
        self.filters = filters
        self.sorts = sorts
    }
}
