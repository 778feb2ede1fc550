import Foundation
internal import Records

extension PredicateExpression {
    /// Creates a list. If all elements are constants, it is one constant.
    static func list(_ elements: [PredicateExpression]) -> PredicateExpression {
        var values: [FieldValue] = []
        for element in elements {
            guard case .constant(let value?) = element else { return .aggregate(elements) }
            values.append(value)
        }
        return .constant(.unchecked(list: values))
    }

    /// Applies an operator. If both sides are constants, the result is computed.
    static func folded(
        _ symbol: String, _ left: PredicateExpression, _ right: PredicateExpression
    ) -> PredicateExpression {
        guard case .constant(let first?) = left, case .constant(let second?) = right,
            let result = first.combined(symbol, second)
        else { return .arithmetic(symbol, left, right) }
        return .constant(result)
    }

    /// Replaces `now()` with the given time, and computes expressions that are then constant.
    func resolved(now: Date) -> PredicateExpression {
        switch self {
        case .function(let name, let parameters):
            if name.lowercased() == "now", parameters.isEmpty { return .constant(.timestamp(Timestamp(now))) }
            return .function(name, parameters.map { $0.resolved(now: now) })
        case .arithmetic(let symbol, let left, let right):
            return .folded(symbol, left.resolved(now: now), right.resolved(now: now))
        case .aggregate(let elements): return .list(elements.map { $0.resolved(now: now) })
        case .key, .itself, .constant, .variable: return self
        }
    }
}

extension FieldValue {
    /// The value as a number; nil for other types.
    var number: Double? {
        switch self {
        case .int64(let number): Double(number)
        case .double(let number): number
        default: nil
        }
    }

    /// `self symbol other` for two numbers, or for a date and a number of seconds; nil for other types.
    fileprivate func combined(_ symbol: String, _ other: FieldValue) -> FieldValue? {
        switch (self, other) {
        case (.int64(let a), .int64(let b)):
            Self.exact(symbol, a, b) ?? Self.real(symbol, Double(a), Double(b))
        case (.timestamp(let moment), _):
            switch (symbol, other.number) {
            case ("+", let seconds?): .timestamp(Timestamp(moment.date.addingTimeInterval(seconds)))
            case ("-", let seconds?): .timestamp(Timestamp(moment.date.addingTimeInterval(-seconds)))
            default: nil
            }
        default:
            if let a = number, let b = other.number { Self.real(symbol, a, b) } else { nil }
        }
    }

    private static func exact(_ symbol: String, _ a: Int64, _ b: Int64) -> FieldValue? {
        let (value, overflow): (Int64, Bool)
        switch symbol {
        case "+": (value, overflow) = a.addingReportingOverflow(b)
        case "-": (value, overflow) = a.subtractingReportingOverflow(b)
        case "*": (value, overflow) = a.multipliedReportingOverflow(by: b)
        case "/": (value, overflow) = a.dividedReportingOverflow(by: b)
        default: return nil
        }
        return overflow ? nil : .int64(value)
    }

    private static func real(_ symbol: String, _ a: Double, _ b: Double) -> FieldValue? {
        switch symbol {
        case "+": .double(a + b)
        case "-": .double(a - b)
        case "*": .double(a * b)
        case "/": .double(a / b)
        case "**": .double(pow(a, b))
        default: nil
        }
    }
}
