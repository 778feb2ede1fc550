import Foundation
internal import Records

/// The expression of a predicate, whether the service supports it or not.
indirect enum PredicateTree: Hashable, Sendable {
    case constant(Bool)
    case comparison(PredicateComparison)
    case and([PredicateTree])
    case or([PredicateTree])
    case not(PredicateTree)
    /// A predicate that cannot be sent to the service, and the reason.
    case refused(String)
}

/// A comparison: two sides and an operator.
struct PredicateComparison: Hashable, Sendable {
    /// Which elements of the list on the left must match.
    enum Quantifier: String, Hashable, Sendable {
        case any = "ANY"
        case all = "ALL"
        case none = "NONE"
    }

    var quantifier: Quantifier?
    var left: PredicateExpression
    var relation: PredicateRelation
    /// The letters in brackets after the operator, such as `cd`.
    var options: String
    var right: PredicateExpression
}

/// The operators of the predicate language. The raw value is the text form.
enum PredicateRelation: String, Hashable, Sendable, CaseIterable {
    case equal = "=="
    case notEqual = "!="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
    case between = "BETWEEN"
    case isIn = "IN"
    case contains = "CONTAINS"
    case beginsWith = "BEGINSWITH"
    case endsWith = "ENDSWITH"
    case like = "LIKE"
    case matches = "MATCHES"
    case tokenMatches = "TOKENMATCHES"

    /// The operator with this text form; words may have any case.
    init?(spelling: String) {
        switch spelling {
        case "=": self = .equal
        case "<>": self = .notEqual
        case "=<": self = .lessOrEqual
        case "=>": self = .greaterOrEqual
        default: self.init(rawValue: spelling.uppercased())
        }
    }

    /// The operator after swapping both sides; nil if there is none.
    var mirrored: PredicateRelation? {
        switch self {
        case .equal, .notEqual: self
        case .less: .greater
        case .lessOrEqual: .greaterOrEqual
        case .greater: .less
        case .greaterOrEqual: .lessOrEqual
        case .isIn: .contains
        case .contains: .isIn
        default: nil
        }
    }
}

/// One side of a comparison.
indirect enum PredicateExpression: Hashable, Sendable {
    case key(String)
    /// `SELF`: the record as a whole.
    case itself
    /// A constant; nil stands for `NULL`.
    case constant(FieldValue?)
    case function(String, [PredicateExpression])
    case arithmetic(String, PredicateExpression, PredicateExpression)
    case variable(String)
    /// A list in which some elements are not constants.
    case aggregate([PredicateExpression])
}

extension PredicateTree {
    /// The expression of a predicate of any class.
    init(_ predicate: NSPredicate) {
        switch predicate {
        case let predicate as CKFormatPredicate:
            self = predicate.tree
        case let compound as NSCompoundPredicate:
            let parts = compound.subpredicates.map { PredicateTree($0) }
            switch compound.compoundPredicateType {
            case .and: self = .and(parts)
            case .or: self = .or(parts)
            case .not: self = parts.first.map { .not($0) } ?? .constant(false)
            }
        default:
            switch (predicate as any DescribedPredicate).predicateFormat {
            case "TRUEPREDICATE": self = .constant(true)
            case "FALSEPREDICATE": self = .constant(false)
            default:
                self = .refused("A predicate made from a block cannot be sent; write it as a format string.")
            }
        }
    }
}

/// Gives access to `predicateFormat`, which Foundation on Linux has but deprecates. Only its text
/// distinguishes `NSPredicate(value:)` from a block predicate.
private protocol DescribedPredicate {
    var predicateFormat: String { get }
}

extension NSPredicate: DescribedPredicate {}
