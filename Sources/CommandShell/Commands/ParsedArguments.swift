public import Foundation

/// The words that were given to a command, and methods that convert them to values. Their errors point at the
/// word.
public struct ParsedArguments: Sendable {
    /// The command.
    public let spec: CommandSpec
    /// The positional arguments in their order.
    public let positions: [Word]
    /// The values of the flags by name. The value of a flag without a value is the flag itself.
    public let flags: [String: Word]
    /// The time that relative times count from.
    public let now: Date

    /// The positional argument with this name; nil if it was not given.
    public func word(_ name: String) -> Word? {
        guard let index = spec.arguments.firstIndex(where: { $0.name == name }), index < positions.count
        else {
            return nil
        }
        return positions[index]
    }

    /// The positional argument with this name, which the parser requires.
    public func requiredWord(_ name: String) throws -> Word {
        guard let word = word(name) else { throw ShellError.usage("\(name) is missing", remedy: spec.usage) }
        return word
    }

    /// The positional argument with this name and all that follow.
    public func words(from name: String) -> [Word] {
        guard let index = spec.arguments.firstIndex(where: { $0.name == name }) else { return [] }
        return Array(positions.dropFirst(index))
    }

    /// All values of a kind: positional arguments, then flags.
    func words(of kind: ValueKind) -> [Word] {
        let given = positions.enumerated().filter { spec.argument(at: $0.offset)?.kind == kind }
        return given.map(\.element) + flags.filter { spec.flag($0.key)?.kind == kind }.map(\.value)
    }

    /// A positional argument as a name without surrounding white space.
    ///
    /// - Throws: `ShellError` if it is empty.
    public func name(_ argument: String, as noun: String = "a name") throws -> String {
        try Self.checkedName(try requiredWord(argument), as: noun)
    }

    /// The value of a flag as text; nil if it was not given.
    public func text(_ flag: String) -> String? {
        flags[flag]?.text
    }

    /// Whether a flag was given.
    public func has(_ flag: String) -> Bool {
        flags[flag] != nil
    }

    /// The value of a flag as a time.
    public func moment(_ flag: String) throws -> Date? {
        try flags[flag].map { try Self.moment($0, now: now) }
    }

    /// The value of a flag as a distance in metres.
    public func distance(_ flag: String) throws -> Double? {
        try flags[flag].map { word in
            guard let distance = MeasureReader.distance(word.text) else {
                throw ShellError.usage("a distance looks like 500m or 5km", at: word.range)
            }
            return distance
        }
    }

    /// The value of a flag as a whole number from 1.
    public func count(_ flag: String) throws -> Int? {
        try flags[flag].map { word in
            if let count = Int(word.text), count > 0 { return count }
            let isTooLarge = Int(word.text) == nil && word.text.wholeMatch(of: /[0-9]+/) != nil
            throw ShellError.usage(
                isTooLarge
                    ? "the number for --\(flag) is too large" : "--\(flag) takes a whole number from 1",
                at: word.range)
        }
    }

    /// The value of a flag as one of the cases of an enum.
    public func choice<T: RawRepresentable & CaseIterable>(_ flag: String) throws -> T?
    where T.RawValue == String {
        try flags[flag].map { word in
            if let choice = T(rawValue: word.text) { return choice }
            let known = T.allCases.map(\.rawValue)
            throw ShellError.usage(
                "--\(flag) is one of \(known.joined(separator: ", "))",
                at: word.range,
                suggestions: DidYouMean.suggestions(for: word.text, among: known)
            )
        }
    }

    /// A word as a name without surrounding white space.
    ///
    /// - Throws: `ShellError` if it is empty.
    public static func checkedName(_ word: Word, as noun: String = "a name") throws -> String {
        let name = word.text.trimmingCharacters(in: .whitespacesAndNewlines)
        if name.isEmpty { throw ShellError.usage("\(noun) cannot be empty", at: word.range) }
        return name
    }

    /// One or two words as a positive duration in seconds, such as `90s`, `7d` or `2 hours`.
    public static func duration(_ words: [Word]) throws -> TimeInterval {
        let start = Date(timeIntervalSinceReferenceDate: 0)
        let text = MeasureReader.duration(words.map(\.text).joined(separator: " "))
        let end = MomentReader(now: start).offset(text.hasPrefix("+") ? text : "+\(text)")
        if let end, end > start { return end.timeIntervalSince(start) }
        let isTooLong = end == nil && text.wholeMatch(of: /\+?[0-9]+[smhdw]/) != nil
        throw ShellError.usage(
            isTooLong
                ? "the duration is longer than 3000 years"
                : "a duration looks like 90s, 30m, 2h, 7d, 1w or 2 hours", at: words.first?.range)
    }

    /// A word as latitude and longitude in degrees.
    public static func place(_ word: Word) throws -> Value.Location {
        guard let place = MeasureReader.place(word.text) else {
            let message = "a place looks like 37.78,-122.40: latitude to ±90, longitude to ±180"
            throw ShellError.usage(message, at: word.range)
        }
        return place
    }

    /// A word as a whole number in a range.
    public static func whole(_ word: Word, _ range: ClosedRange<Int>, called name: String) throws -> Int {
        if let number = Int(word.text), range.contains(number) { return number }
        throw ShellError.usage(
            "\(name) is a whole number from \(range.lowerBound) to \(range.upperBound)", at: word.range)
    }

    /// A word as a time. Relative times count from `now`.
    public static func moment(_ word: Word, now: Date) throws -> Date {
        let reader = MomentReader(now: now)
        if let moment = reader.moment(word.text) { return moment }
        let form = "a time looks like 2026-07-04, 2026-07-04T18:00, now, tomorrow, +2d or +3h"
        throw ShellError.usage(reader.impossibility(of: word.text) ?? form, at: word.range)
    }
}
