import Foundation
internal import Records

/// What a predicate says, whether the service understands it or not.
indirect enum PredicateTree: Hashable, Sendable {
    case constant(Bool)
    case comparison(PredicateComparison)
    case and([PredicateTree])
    case or([PredicateTree])
    case not(PredicateTree)
    /// A predicate that says nothing the service could be told, and why.
    case refused(String)
}

/// Two sides and the operator between them.
struct PredicateComparison: Hashable, Sendable {
    /// Which elements of a list on the left must satisfy the comparison.
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

/// The operators of the predicate language. The raw value is the spelling that is written.
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

    /// The operator with that spelling; words are recognised in either case.
    init?(spelling: String) {
        switch spelling {
        case "=": self = .equal
        case "<>": self = .notEqual
        case "=<": self = .lessOrEqual
        case "=>": self = .greaterOrEqual
        default: self.init(rawValue: spelling.uppercased())
        }
    }

    /// The operator with its sides exchanged, where there is one.
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
    /// `SELF`, the record as a whole.
    case itself
    /// A constant; nil is `NULL`.
    case constant(FieldValue?)
    case function(String, [PredicateExpression])
    case arithmetic(String, PredicateExpression, PredicateExpression)
    case variable(String)
    /// A list with elements that are not constants.
    case aggregate([PredicateExpression])
}

extension PredicateTree {
    /// What a predicate of any class says.
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

/// Reaches the text of a predicate, which Foundation on Linux has but discourages: it is the one way to tell
/// `NSPredicate(value:)` from a block.
private protocol DescribedPredicate {
    var predicateFormat: String { get }
}

extension NSPredicate: DescribedPredicate {}
