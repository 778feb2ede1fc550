import Foundation

/// Parses times relative to a given current time. A time without a time zone is UTC.
struct MomentReader {
    let now: Date

    /// The time that the text names; nil if the text is invalid.
    func moment(_ text: String) -> Date? {
        switch text.lowercased() {
        case "now": now
        case "today": day(after: 0)
        case "tomorrow": day(after: 1)
        case "yesterday": day(after: -1)
        default: offset(text) ?? calendarMoment(text)
        }
    }

    /// Why a text with a valid format names no existing time; nil if the format is different.
    func impossibility(of text: String) -> String? {
        let form = /([0-9]{4}-[0-9]{2}-[0-9]{2})(?:[Tt ]([0-9]{2}:[0-9]{2}(?::[0-9]{2})?).*)?/
        guard let match = text.wholeMatch(of: form) else { return nil }
        if moment(String(match.1)) == nil { return "there is no day \(match.1)" }
        guard let time = match.2, moment("\(match.1)T\(time)") == nil else { return nil }
        return "no day has a time \(time)"
    }

    private static var calendar: Calendar {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        return calendar
    }

    private func day(after days: Int) -> Date? {
        let calendar = Self.calendar
        return calendar.date(byAdding: .day, value: days, to: calendar.startOfDay(for: now))
    }

    /// An offset from now: `+2d`, `-90m`, `+1w`.
    func offset(_ text: String) -> Date? {
        guard let sign = text.first, sign == "+" || sign == "-", let unit = text.last else { return nil }
        let seconds: [Character: Double] = ["s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800]
        guard let length = seconds[unit], let count = Double(text.dropFirst().dropLast()), count.isFinite,
            count >= 0, count * length < 1e11
        else { return nil }
        return now.addingTimeInterval(sign == "+" ? count * length : -count * length)
    }

    /// A date with an optional time: `2026-07-04`, `2026-07-04T18:00`, `2026-07-04 18:00:30Z`,
    /// `2026-07-04T18:00+02:00`.
    private func calendarMoment(_ text: String) -> Date? {
        let separators: [Character] = ["T", "t", " "]
        let parts = text.split(maxSplits: 1, omittingEmptySubsequences: false) { separators.contains($0) }
        guard let day = parts.first, let components = dayComponents(day) else { return nil }
        guard parts.count == 2 else { return date(components, offset: 0) }
        let zoneStart = parts[1].firstIndex { "Zz+-".contains($0) } ?? parts[1].endIndex
        guard let offset = zoneOffset(parts[1][zoneStart...]),
            let full = timeComponents(parts[1][..<zoneStart], on: components)
        else { return nil }
        return date(full, offset: offset)
    }

    private func dayComponents(_ text: Substring) -> DateComponents? {
        let fields = text.split(separator: "-", omittingEmptySubsequences: false)
        guard fields.count == 3, fields[0].count == 4, fields[1].count == 2, fields[2].count == 2 else {
            return nil
        }
        guard let year = digits(fields[0]), let month = digits(fields[1]), let day = digits(fields[2]) else {
            return nil
        }
        return DateComponents(year: year, month: month, day: day, hour: 0, minute: 0, second: 0)
    }

    private func timeComponents(_ text: Substring, on day: DateComponents) -> DateComponents? {
        let fields = text.split(separator: ":", omittingEmptySubsequences: false)
        guard (2...3).contains(fields.count), fields.allSatisfy({ $0.count == 2 }) else { return nil }
        let numbers = fields.compactMap(digits)
        guard numbers.count == fields.count, numbers[0] < 24, numbers[1] < 60 else { return nil }
        var components = day
        components.hour = numbers[0]
        components.minute = numbers[1]
        components.second = numbers.count == 3 ? numbers[2] : 0
        return (components.second ?? 0) < 60 ? components : nil
    }

    /// The offset of a time zone from UTC in seconds: `Z`, `+02:00` or `-0530`.
    private func zoneOffset(_ text: Substring) -> Int? {
        guard let sign = text.first else { return 0 }
        if sign == "Z" || sign == "z" { return text.count == 1 ? 0 : nil }
        let figures = text.dropFirst().filter { $0 != ":" }
        guard figures.count == 4, let hours = digits(figures.prefix(2)),
            let minutes = digits(figures.suffix(2)),
            hours < 15, minutes < 60
        else { return nil }
        let seconds = hours * 3600 + minutes * 60
        return sign == "+" ? seconds : -seconds
    }

    private func digits(_ text: some StringProtocol) -> Int? {
        text.allSatisfy { $0.isASCII && $0.isNumber } ? Int(text) : nil
    }

    private func date(_ components: DateComponents, offset: Int) -> Date? {
        let calendar = Self.calendar
        guard components.isValidDate(in: calendar) else { return nil }
        return calendar.date(from: components)?.addingTimeInterval(-Double(offset))
    }
}
