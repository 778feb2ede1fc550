import Foundation

/// Makes control codes and hidden characters in text visible.
///
/// Names, notes and messages from a server are written by strangers. A terminal interprets some characters
/// (escape sequences, C1 controls); others change the direction of a line or are invisible. Each of them is
/// written in the form `\u{1b}`. Everything else is unchanged, for example accents, emoji of several
/// characters and right-to-left scripts.
public enum VisibleText {
    /// The text with hidden characters made visible. Line breaks and tabs are kept.
    public static func escaped(_ text: String) -> String {
        spelled(text) { visible($0) }
    }

    /// The text on one line: line breaks and tabs become spaces.
    public static func line(_ text: String) -> String {
        let text = escaped(text)
        return isLine(text) ? text : String(text.map { $0 == "\n" || $0 == "\t" ? " " : $0 })
    }

    /// The text with all lines except the first indented, so that none can be mistaken for a line of the
    /// program.
    public static func indented(_ text: String, by width: Int = 2) -> String {
        escaped(text).replacingOccurrences(of: "\n", with: "\n" + String(repeating: " ", count: width))
    }

    /// An equivalent JSON document in which hidden characters in strings are JSON escapes.
    public static func json(_ document: String) -> String {
        spelled(document) { scalar in
            // A carriage return between JSON values is white space.
            if scalar == "\r" { return " " }
            return String(scalar).utf16.map { "\\u" + hexadecimal(UInt32($0), digits: 4) }.joined()
        }
    }

    /// The text with only those control codes that set colours and weights: the last filter before a
    /// terminal.
    public static func styled(_ text: String) -> String {
        spelled(text, keepsStyle: true) { visible($0) }
    }

    /// A drawing by another program, with its colours and line breaks and without other control codes.
    public static func drawing(_ text: String) -> String {
        spelled(text, keepsStyle: true, dropsSequences: true) { _ in "" }
    }

    /// Whether the text is one line without hidden characters.
    public static func isLine(_ text: String) -> Bool {
        !text.unicodeScalars.contains { $0 == "\n" || $0 == "\t" } && escaped(text) == text
    }

    // MARK: Hidden characters

    /// Whether a terminal would interpret the character instead of displaying it, or not display it.
    private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x20...0x7E: false
        case 0...0x1F, 0x7F...0x9F: true
        // Line and paragraph separators, annotations.
        case 0x2028, 0x2029, 0xFFF9...0xFFFB: true
        // Variation selectors: they select a form of the preceding character.
        case 0x180B...0x180D, 0x180F, 0xFE00...0xFE0F: false
        // Direction overrides and isolates, zero-width characters, fillers and tags.
        default: scalar.properties.isDefaultIgnorableCodePoint
        }
    }

    /// Whether the scalar joins two visible characters, as in a family emoji or a Persian word.
    private static func isJoiner(_ place: Int, in scalars: [Unicode.Scalar]) -> Bool {
        guard scalars[place] == "\u{200D}" || scalars[place] == "\u{200C}", place > 0,
            place + 1 < scalars.count
        else { return false }
        return [scalars[place - 1], scalars[place + 1]].allSatisfy {
            !$0.isASCII && !isHidden($0) && !$0.properties.isWhitespace
        }
    }

    private static func spelled(
        _ text: String, keepsStyle: Bool = false, dropsSequences: Bool = false,
        _ spelling: (Unicode.Scalar) -> String
    ) -> String {
        if text.utf8.allSatisfy({ (0x20..<0x7F).contains($0) || $0 == 0x0A || $0 == 0x09 }) { return text }
        let scalars = Array(text.unicodeScalars)
        var shown = String.UnicodeScalarView()
        var place = 0
        while place < scalars.count {
            let scalar = scalars[place]
            if keepsStyle, let length = styleLength(scalars[place...]) {
                shown.append(contentsOf: scalars[place..<place + length])
                place += length
                continue
            }
            if dropsSequences, let length = sequenceLength(scalars[place...]) {
                place += length
                continue
            }
            let next = place + 1 < scalars.count ? scalars[place + 1] : nil
            if scalar == "\n" || scalar == "\t" || !isHidden(scalar) || isJoiner(place, in: scalars) {
                shown.append(scalar)
            } else if scalar != "\r" || next != "\n" {
                shown.append(contentsOf: spelling(scalar).unicodeScalars)
            }
            place += 1
        }
        return String(shown)
    }

    private static func visible(_ scalar: Unicode.Scalar) -> String {
        "\\u{\(hexadecimal(scalar.value, digits: 1))}"
    }

    private static func hexadecimal(_ value: UInt32, digits: Int) -> String {
        let text = String(value, radix: 16)
        return String(repeating: "0", count: max(0, digits - text.count)) + text
    }

    // MARK: Colours and weights

    private static let longestSequence = 40

    /// The length of a control sequence `ESC [ … letter` at the beginning; nil if there is none.
    private static func sequenceLength(_ scalars: ArraySlice<Unicode.Scalar>) -> Int? {
        guard scalars.starts(with: ["\u{1B}", "["]) else { return nil }
        let end = scalars.dropFirst(2).prefix(longestSequence).firstIndex { (0x40...0x7E).contains($0.value) }
        return end.map { $0 - scalars.startIndex + 1 }
    }

    /// The length of a control sequence at the beginning that sets only colours and weights; nil if there is
    /// none.
    private static func styleLength(_ scalars: ArraySlice<Unicode.Scalar>) -> Int? {
        guard let length = sequenceLength(scalars), scalars[scalars.startIndex + length - 1] == "m" else {
            return nil
        }
        var text = String.UnicodeScalarView()
        text.append(contentsOf: scalars.dropFirst(2).prefix(length - 3))
        return isStyle(String(text)) ? length : nil
    }

    /// Whether the codes set only colours and weights. Blinking and concealed text are not allowed.
    private static func isStyle(_ codes: String) -> Bool {
        var codes = codes.split(separator: ";", omittingEmptySubsequences: false).map { Int($0) }[...]
        while let next = codes.popFirst() {
            guard let code = next else { return false }
            switch code {
            case 0, 1, 2, 7, 22, 27, 30...37, 39, 40...47, 49, 90...97, 100...107: continue
            case 38, 48:
                guard codes.popFirst() == 5, let color = codes.popFirst(), color != nil else { return false }
            default: return false
            }
        }
        return true
    }
}
