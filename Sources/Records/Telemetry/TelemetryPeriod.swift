/// The length of time for which counts are added up, in UTC.
package enum TelemetryPeriod: String, Hashable, Sendable, CaseIterable {
    case minute
    case hour
    case day
    /// From Monday on.
    case week
    case month

    /// Whether distinct people are counted. Shorter periods would reveal when a person uses an app.
    package var countsPeople: Bool {
        switch self {
        case .minute, .hour: false
        case .day, .week, .month: true
        }
    }

    /// How many periods are kept. The counts of older ones are in the longer periods.
    package var kept: Int {
        switch self {
        case .minute: 180
        case .hour: 192
        case .day: 62
        case .week: 54
        case .month: 36
        }
    }

    /// How many periods a chart shows.
    package var shown: Int {
        switch self {
        case .minute: 60
        case .hour: 48
        case .day: 31
        case .week: 26
        case .month: 24
        }
    }

    /// The number of the period that contains a time. The numbers of successive periods have no gaps.
    package func number(of time: Timestamp) -> Int64 {
        let milliseconds = time.milliseconds
        switch self {
        case .minute: return Self.floor(milliseconds, 60_000)
        case .hour: return Self.floor(milliseconds, 3_600_000)
        case .day: return Self.floor(milliseconds, Self.dayMilliseconds)
        // The day 0 was a Thursday.
        case .week: return Self.floor(Self.floor(milliseconds, Self.dayMilliseconds) + 3, 7)
        case .month: return Self.month(ofDay: Self.floor(milliseconds, Self.dayMilliseconds))
        }
    }

    /// The beginning of a period, by its number.
    package func start(of number: Int64) -> Timestamp {
        let milliseconds: Int64 =
            switch self {
            case .minute: number.multipliedSaturated(by: 60_000)
            case .hour: number.multipliedSaturated(by: 3_600_000)
            case .day: number.multipliedSaturated(by: Self.dayMilliseconds)
            case .week:
                number.multipliedSaturated(by: 7).subtractingSaturated(3)
                    .multipliedSaturated(by: Self.dayMilliseconds)
            case .month: Self.day(ofMonth: number).multipliedSaturated(by: Self.dayMilliseconds)
            }
        return Timestamp(milliseconds: milliseconds)
    }

    /// The length in seconds of the part before `end` of the period that begins at `start`; at least 1.
    package func seconds(from start: Timestamp, until end: Timestamp) -> Double {
        let last = min(self.start(of: number(of: start) + 1), end)
        return max(1, Double(last.milliseconds.subtractingSaturated(start.milliseconds)) / 1000)
    }

    private static let dayMilliseconds: Int64 = 86_400_000

    private static func floor(_ number: Int64, _ divisor: Int64) -> Int64 {
        let (quotient, rest) = number.quotientAndRemainder(dividingBy: divisor)
        return rest < 0 ? quotient - 1 : quotient
    }

    /// The months since January 1970 of a day since 1970-01-01 (H. Hinnant, *chrono-Compatible Low-Level Date
    /// Algorithms*, `civil_from_days`).
    private static func month(ofDay day: Int64) -> Int64 {
        // Days since 0000-03-01, so that the leap day is the last of a year.
        let day = day + 719_468
        let era = floor(day, 146_097)
        let dayOfEra = day - era * 146_097
        let year = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * year + year / 4 - year / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        // Months since March of the year 0, then since January 1970.
        return (era * 400 + year) * 12 + monthFromMarch + 2 - 1970 * 12
    }

    /// The first day of a month (`days_from_civil`).
    private static func day(ofMonth month: Int64) -> Int64 {
        let fromMarch = month + 1970 * 12 - 2
        let allYears = floor(fromMarch, 12)
        let monthFromMarch = fromMarch - allYears * 12
        let era = floor(allYears, 400)
        let year = allYears - era * 400
        let dayOfYear = (153 * monthFromMarch + 2) / 5
        return era * 146_097 + year * 365 + year / 4 - year / 100 + dayOfYear - 719_468
    }
}
