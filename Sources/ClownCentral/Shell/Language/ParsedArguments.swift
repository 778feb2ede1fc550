// Owns the words of one command sorted into arguments and flags, and turns them into typed values.
import CommandText
import Foundation

/// What was given to a command, still as words, with readers that complain at the right place.
struct ParsedArguments {
    let spec: CommandSpec
    let positions: [Word]
    let flags: [String: Word]
    let now: Date

    /// The argument of that name, if it was given.
    func word(_ name: String) -> Word? {
        guard let index = spec.arguments.firstIndex(where: { $0.name == name }), index < positions.count
        else {
            return nil
        }
        return positions[index]
    }

    /// The argument of that name; the parser has made sure that it is there.
    func requiredWord(_ name: String) throws -> Word {
        guard let word = word(name) else { throw Complaint.usage("\(name) is missing", remedy: spec.usage) }
        return word
    }

    /// The argument of that name and all that follow.
    func words(from name: String) -> [Word] {
        guard let index = spec.arguments.firstIndex(where: { $0.name == name }) else { return [] }
        return Array(positions.dropFirst(index))
    }

    /// A name to store: not empty, and not longer than a table can stand.
    func name(_ argument: String, as what: String = "a name") throws -> String {
        try Self.checkedName(try requiredWord(argument), as: what)
    }

    /// The text of a flag.
    func text(_ flag: String) -> String? {
        flags[flag]?.text
    }

    /// Whether a flag that stands alone was given.
    func has(_ flag: String) -> Bool {
        flags[flag] != nil
    }

    func coordinate(_ flag: String) throws -> Coordinate? {
        try flags[flag].map(Self.coordinate)
    }

    func moment(_ flag: String) throws -> Date? {
        try flags[flag].map { try Self.moment($0, now: now) }
    }

    func distance(_ flag: String) throws -> Double? {
        try flags[flag].map { word in
            guard let distance = MeasureReader.distance(word.text) else {
                throw Complaint.usage("a distance looks like 500m or 5km", at: word.range)
            }
            return distance
        }
    }

    /// A whole number from one upwards.
    func count(_ flag: String) throws -> Int? {
        try flags[flag].map { word in
            guard let count = Int(word.text), count > 0 else {
                throw Complaint.usage("--\(flag) takes a whole number from 1", at: word.range)
            }
            return count
        }
    }

    /// One of the words that the flag offers.
    func choice<T: RawRepresentable & CaseIterable>(_ flag: String) throws -> T? where T.RawValue == String {
        try flags[flag].map { word in
            if let choice = T(rawValue: word.text) { return choice }
            let known = T.allCases.map(\.rawValue)
            throw Complaint.usage(
                "--\(flag) is one of \(known.joined(separator: ", "))",
                at: word.range,
                suggestions: DidYouMean.suggestions(for: word.text, among: known)
            )
        }
    }

    static func checkedName(_ word: Word, as what: String = "a name") throws -> String {
        let name = word.text.trimmingCharacters(in: .whitespacesAndNewlines)
        if name.isEmpty { throw Complaint.usage("\(what) cannot be empty", at: word.range) }
        return name
    }

    static func coordinate(_ word: Word) throws -> Coordinate {
        guard let coordinate = MeasureReader.coordinate(word.text) else {
            let message = "a place looks like 37.78,-122.40: latitude to ±90, longitude to ±180"
            throw Complaint.usage(message, at: word.range)
        }
        return coordinate
    }

    static func moment(_ word: Word, now: Date) throws -> Date {
        let reader = MomentReader(now: now)
        if let moment = reader.moment(word.text) { return moment }
        let form = "a moment looks like 2026-07-04, 2026-07-04T18:00, now, tomorrow, +2d or +3h"
        throw Complaint.usage(reader.impossibility(of: word.text) ?? form, at: word.range)
    }
}
