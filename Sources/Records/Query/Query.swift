/// The field that a filter or a sort criterion refers to.
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

/// The comparison of a filter. The raw value is the protocol's term.
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

    /// Whether the comparison searches for words.
    package var isSearch: Bool { self == .containsAllTokens || self == .containsAnyTokens }

    /// For a negated comparator, the comparator that it negates. Both match only records that have the field.
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

/// One condition of a query. A record must meet all conditions.
package struct Filter: Hashable, Sendable {
    /// The field; nil, with a search comparator only, for all searchable strings of the record.
    package var key: QueryKey?
    package var comparator: Comparator
    package var value: FieldValue
    /// The radius in metres, for `near` only.
    package var distance: Double?

    package init(_ key: QueryKey?, _ comparator: Comparator, _ value: FieldValue, distance: Double? = nil) {
        self.key = key
        self.comparator = comparator
        self.value = value
        self.distance = distance
    }
}

/// One sort criterion.
package struct Sort: Hashable, Sendable {
    package var key: QueryKey
    package var ascending: Bool
    /// For a location field: sort by the distance from this place.
    package var relativeTo: Location?

    package init(_ key: QueryKey, ascending: Bool = true, relativeTo: Location? = nil) {
        self.key = key
        self.ascending = ascending
        self.relativeTo = relativeTo
    }
}

/// A query for records of one type that match all filters, sorted by the sort criteria.
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
