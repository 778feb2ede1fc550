import Records

extension Comparator {
    /// The comparison in words, for the query builder.
    var words: String {
        switch self {
        case .equals: "equals"
        case .notEquals: "does not equal"
        case .lessThan: "is less than"
        case .lessThanOrEquals: "is at most"
        case .greaterThan: "is greater than"
        case .greaterThanOrEquals: "is at least"
        case .near: "is within … km of"
        case .containsAllTokens: "contains all words"
        case .containsAnyTokens: "contains any of the words"
        case .isIn: "is one of (comma)"
        case .notIn: "is none of (comma)"
        case .listContains: "has the element"
        case .notListContains: "does not have the element"
        case .listContainsAny: "has any of (comma)"
        case .notListContainsAny: "has none of (comma)"
        case .listContainsAll: "has all of (comma)"
        case .notListContainsAll: "does not have all of (comma)"
        case .beginsWith: "begins with"
        case .notBeginsWith: "does not begin with"
        case .listMemberBeginsWith: "has an element that begins with"
        case .notListMemberBeginsWith: "has no element that begins with"
        }
    }
}
