public import Foundation

/// Formats times.
public enum MomentText {
    /// A time in ISO 8601, with milliseconds if they are not zero: `2026-07-04T18:00:00Z`.
    public static func iso(_ moment: Date) -> String {
        let parts = parts(moment)
        let fraction = parts.millisecond == 0 ? "" : "." + padded(parts.millisecond, to: 3)
        return "\(parts.day)T\(parts.time):\(padded(parts.second, to: 2))\(fraction)Z"
    }

    /// A short time: `2026-07-04 18:00`.
    public static func short(_ moment: Date) -> String {
        let parts = parts(moment)
        return "\(parts.day) \(parts.time)"
    }

    private static func parts(_ moment: Date) -> (day: String, time: String, second: Int, millisecond: Int) {
        // Times outside the years 1 to 9999 are clamped to that range.
        let exact = moment.timeIntervalSince1970 * 1000
        let milliseconds = min(max(exact.isNaN ? .infinity : exact.rounded(), first), last)
        let whole = Date(timeIntervalSince1970: (milliseconds / 1000).rounded(.down))
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        let units = calendar.dateComponents([.year, .month, .day, .hour, .minute, .second], from: whole)
        let day = [
            padded(units.year ?? 0, to: 4), padded(units.month ?? 0, to: 2), padded(units.day ?? 0, to: 2),
        ]
        return (
            day.joined(separator: "-"),
            padded(units.hour ?? 0, to: 2) + ":" + padded(units.minute ?? 0, to: 2),
            units.second ?? 0,
            Int(milliseconds - whole.timeIntervalSince1970 * 1000)
        )
    }

    /// The first and last millisecond of the years 1 to 9999, which ISO 8601 writes with four digits.
    private static let (first, last) = (-62_135_769_600_000.0, 253_402_300_799_999.0)

    private static func padded(_ number: Int, to length: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, length - digits.count)) + digits
    }
}
