import Foundation

/// Parses places, distances and the units of durations.
enum MeasureReader {
    /// A latitude and longitude in degrees; nil if the text is invalid.
    static func place(_ text: String) -> Value.Location? {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        guard parts.count == 2, let latitude = degrees(parts[0]), let longitude = degrees(parts[1]),
            abs(latitude) <= 90, abs(longitude) <= 180
        else { return nil }
        return Value.Location(latitude: latitude, longitude: longitude)
    }

    /// A distance in metres; nil if the text is invalid.
    static func distance(_ text: String) -> Double? {
        let lowered = text.lowercased()
        let units: [(name: String, metres: Double)] = [("km", 1000), ("mi", 1609.344), ("m", 1)]
        for unit in units where lowered.hasSuffix(unit.name) {
            guard let number = Double(lowered.dropLast(unit.name.count)), number.isFinite, number > 0 else {
                return nil
            }
            return number * unit.metres
        }
        return nil
    }

    /// Replaces the unit word of a duration by its letter: `2 hours` becomes `2h`. Returns any other text
    /// unchanged.
    static func duration(_ text: String) -> String {
        let units = [
            "sec": "s", "second": "s", "min": "m", "minute": "m", "hour": "h", "day": "d", "week": "w",
        ]
        guard let match = text.lowercased().wholeMatch(of: /(\+?[0-9.]+) ?([a-z]+)/) else { return text }
        let (count, unit) = (String(match.1), String(match.2))
        if unit.count == 1 { return count + unit }
        let letter = units[unit] ?? (unit.hasSuffix("s") ? units[String(unit.dropLast())] : nil)
        return letter.map { count + $0 } ?? text
    }

    private static func degrees(_ text: Substring) -> Double? {
        let figures = text.trimmingCharacters(in: .whitespaces)
        guard figures.allSatisfy({ "+-.0123456789".contains($0) }) else { return nil }
        return Double(figures)
    }
}
