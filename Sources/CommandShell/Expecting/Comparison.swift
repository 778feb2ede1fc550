import Foundation

/// An operator that compares the value found with the value expected.
public enum Comparison: String, CaseIterable, Sendable {
    case equal = "="
    case notEqual = "!="
    case lessOrEqual = "<="
    case less = "<"
    case greaterOrEqual = ">="
    case greater = ">"
    case contains = "~"

    /// Whether two comparable values satisfy the operator. `contains` is for texts, and `ExpectationChecker`
    /// handles it before it calls this method.
    func holds<T: Comparable>(_ left: T, _ right: T) -> Bool {
        switch self {
        case .equal: left == right
        case .notEqual: left != right
        case .less: left < right
        case .lessOrEqual: left <= right
        case .greater: left > right
        case .greaterOrEqual: left >= right
        case .contains: false
        }
    }
}
