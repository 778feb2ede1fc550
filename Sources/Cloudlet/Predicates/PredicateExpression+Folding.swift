// Owns the arithmetic on constants inside predicates.

import Foundation

extension PredicateExpression {
    /// A list, as one constant when all its elements are constants.
    static func list(_ elements: [PredicateExpression]) -> PredicateExpression {
        var values: [PlainValue] = []
        for element in elements {
            guard case .constant(let value?) = element else { return .aggregate(elements) }
            values.append(value)
        }
        return .constant(.list(values))
    }

    /// The result of an operator, computed when both sides are constants.
    static func folded(
        _ symbol: String, _ left: PredicateExpression, _ right: PredicateExpression
    ) -> PredicateExpression {
        guard case .constant(let first?) = left, case .constant(let second?) = right,
            let result = first.combined(symbol, second)
        else { return .arithmetic(symbol, left, right) }
        return .constant(result)
    }

    /// The expression with `now()` replaced by that moment, and computed as far as possible.
    func resolved(now: Date) -> PredicateExpression {
        switch self {
        case .function(let name, let parameters):
            if name.lowercased() == "now", parameters.isEmpty { return .constant(.date(now)) }
            return .function(name, parameters.map { $0.resolved(now: now) })
        case .arithmetic(let symbol, let left, let right):
            return .folded(symbol, left.resolved(now: now), right.resolved(now: now))
        case .aggregate(let elements): return .list(elements.map { $0.resolved(now: now) })
        case .key, .itself, .constant, .variable: return self
        }
    }
}

extension PlainValue {
    /// The number, if it is one.
    var number: Double? {
        switch self {
        case .integer(let number): Double(number)
        case .real(let number): number
        default: nil
        }
    }

    /// `self symbol other` for numbers, and for a date and a number of seconds; nil for anything else.
    fileprivate func combined(_ symbol: String, _ other: PlainValue) -> PlainValue? {
        switch (self, other) {
        case (.integer(let a), .integer(let b)):
            Self.exact(symbol, a, b) ?? Self.real(symbol, Double(a), Double(b))
        case (.date(let date), _):
            switch (symbol, other.number) {
            case ("+", let seconds?): .date(date.addingTimeInterval(seconds))
            case ("-", let seconds?): .date(date.addingTimeInterval(-seconds))
            default: nil
            }
        default:
            if let a = number, let b = other.number { Self.real(symbol, a, b) } else { nil }
        }
    }

    private static func exact(_ symbol: String, _ a: Int64, _ b: Int64) -> PlainValue? {
        let (value, overflow): (Int64, Bool)
        switch symbol {
        case "+": (value, overflow) = a.addingReportingOverflow(b)
        case "-": (value, overflow) = a.subtractingReportingOverflow(b)
        case "*": (value, overflow) = a.multipliedReportingOverflow(by: b)
        case "/": (value, overflow) = a.dividedReportingOverflow(by: b)
        default: return nil
        }
        return overflow ? nil : .integer(value)
    }

    private static func real(_ symbol: String, _ a: Double, _ b: Double) -> PlainValue? {
        switch symbol {
        case "+": .real(a + b)
        case "-": .real(a - b)
        case "*": .real(a * b)
        case "/": .real(a / b)
        case "**": .real(pow(a, b))
        default: nil
        }
    }
}
