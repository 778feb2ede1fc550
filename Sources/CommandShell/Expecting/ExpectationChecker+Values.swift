import Foundation

extension ExpectationChecker {
    /// Whether a value satisfies the comparison with the typed operand.
    func holds(_ value: Value, _ comparison: Comparison, _ operand: String) -> Bool {
        if operand == "none", comparison == .equal || comparison == .notEqual {
            return (value == .missing) == (comparison == .equal)
        }
        switch value {
        case .missing: return comparison == .notEqual
        case .text(let text): return Self.holds(text, comparison, operand)
        case .flag(let flag): return Self.holds(flag ? "true" : "false", comparison, operand)
        case .count(let number), .bytes(let number):
            return Self.holds(Double(number), comparison, Double(operand))
        case .share(let share), .bar(let share): return Self.holds(share, comparison, Double(operand))
        case .distance(let metres):
            return Self.holds(metres, comparison, Double(operand) ?? MeasureReader.distance(operand))
        case .moment(let moment):
            let expected = MomentReader(now: now).moment(operand)
            if comparison == .contains { return MomentText.iso(moment).contains(operand) }
            return expected.map { comparison.holds(moment, $0) } ?? false
        case .location(let location): return Self.holds(location, comparison, operand)
        case .texts(let texts):
            if comparison == .contains { return texts.contains { Self.holds($0, .contains, operand) } }
            return Self.holds(texts.joined(separator: ", "), comparison, operand)
        case .fields, .pixels, .picture: return Self.holds(value.text, comparison, operand)
        }
    }

    /// The order of two values of the same kind; nil if they have none.
    static func order(_ left: Value, _ right: Value) -> ComparisonResult? {
        switch (left, right) {
        case (.text(let left), .text(let right)): order(left, right)
        case (.count(let left), .count(let right)), (.bytes(let left), .bytes(let right)): order(left, right)
        case (.distance(let left), .distance(let right)): order(left, right)
        case (.share(let left), .share(let right)), (.bar(let left), .bar(let right)): order(left, right)
        case (.moment(let left), .moment(let right)): order(left, right)
        default: nil
        }
    }

    private static func order<T: Comparable>(_ left: T, _ right: T) -> ComparisonResult {
        left < right ? .orderedAscending : left == right ? .orderedSame : .orderedDescending
    }

    private static func holds(_ text: String, _ comparison: Comparison, _ operand: String) -> Bool {
        if comparison == .contains { return text.range(of: operand, options: .caseInsensitive) != nil }
        if let left = Double(text), let right = Double(operand) { return comparison.holds(left, right) }
        return comparison.holds(text, operand)
    }

    private static func holds(_ number: Double, _ comparison: Comparison, _ operand: Double?) -> Bool {
        operand.map { comparison.holds(number, $0) } ?? false
    }

    private static func holds(_ location: Value.Location, _ comparison: Comparison, _ operand: String) -> Bool
    {
        guard let expected = MeasureReader.place(operand) else { return false }
        let latitude = abs(location.latitude - expected.latitude)
        let isSame = latitude < 1e-6 && abs(location.longitude - expected.longitude) < 1e-6
        return comparison == .equal ? isSame : comparison == .notEqual && !isSame
    }
}
