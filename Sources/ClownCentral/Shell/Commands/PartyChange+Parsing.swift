import CommandShell
import Foundation

extension PartyChange {
    /// The names of the fields that `party edit` can change.
    static let fieldNames = ["name", "place", "location", "starts", "ends", "summary"]

    /// Parses `FIELD=VALUE`. Throws a `ShellError` that lists the fields if the field is unknown.
    static func parse(_ word: Word, now: Date) throws -> PartyChange {
        let parts = word.text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(
            String.init)
        guard parts.count == 2 else {
            let message = "a change looks like place=\"Pier 7\""
            throw ShellError.usage(message, at: word.range, remedy: "help party edit")
        }
        let value = Word(parts[1], range: word.range, isQuoted: true)
        let isCleared = value.text.isEmpty
        switch parts[0] {
        case "name": return .name(try ParsedArguments.checkedName(value))
        case "summary": return .summary(isCleared ? nil : value.text)
        case "place": return .place(isCleared ? nil : value.text)
        case "location", "at": return .location(isCleared ? nil : try ParsedArguments.coordinate(value))
        case "starts": return .starts(isCleared ? nil : try ParsedArguments.moment(value, now: now))
        case "ends": return .ends(isCleared ? nil : try ParsedArguments.moment(value, now: now))
        default:
            throw ShellError.usage(
                "a party has no field `\(parts[0])`; it has \(fieldNames.joined(separator: ", "))",
                at: word.range,
                suggestions: DidYouMean.suggestions(for: parts[0], among: fieldNames).map { "\($0)=" }
            )
        }
    }
}
