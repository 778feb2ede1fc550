// Owns the layout of a table in a terminal: columns fitted to the width, numbers to the right.
import Foundation

/// Lays rows out in columns.
public struct TextTable {
    /// One cell, with the side it leans to.
    public struct Cell {
        /// What it says.
        public let text: String
        /// Whether it leans to the right.
        public let isNumber: Bool

        /// A cell of words, or of a number.
        public init(text: String, isNumber: Bool) {
            self.text = text
            self.isNumber = isNumber
        }
    }

    /// One for each column.
    public let headings: [String]
    /// As many cells each as there are headings.
    public let rows: [[Cell]]
    /// The columns that give way first.
    public var flexible: Set<Int> = []

    private static let gap = 2
    private static let narrowest = 6
    private static let narrowestFlexible = 16

    /// A table of rows as long as the headings; `flexible` are the columns that give way first.
    public init(headings: [String], rows: [[Cell]], flexible: Set<Int> = []) {
        self.headings = headings
        self.rows = rows
        self.flexible = flexible
    }

    /// The lines of the table, none wider than `width` if the headings allow it.
    public func lines(width: Int?) -> [String] {
        let widths = fitted(naturalWidths, to: width)
        let numbers = headings.indices.map { column in
            rows.contains { $0[column].isNumber }
        }
        let heading = zip(headings, zip(widths, numbers)).map { Self.padded($0, to: $1.0, right: $1.1) }
        let body = rows.map { row in
            row.indices.map { Self.padded(row[$0].text, to: widths[$0], right: numbers[$0]) }
        }
        return ([heading] + body).map(Self.joined)
    }

    private var naturalWidths: [Int] {
        headings.indices.map { column in
            rows.reduce(DisplayWidth.of(headings[column])) { max($0, DisplayWidth.of($1[column].text)) }
        }
    }

    /// Narrows columns until the table fits: first those that give way, then the widest.
    private func fitted(_ natural: [Int], to width: Int?) -> [Int] {
        guard let width else { return natural }
        var widths = natural
        let room = width - Self.gap * max(0, widths.count - 1)
        Self.narrow(&widths, flexible.sorted(), downTo: Self.narrowestFlexible, room: room)
        Self.narrow(&widths, Array(widths.indices), downTo: Self.narrowest, room: room)
        return widths
    }

    /// Takes a character at a time from the widest of `columns`.
    private static func narrow(_ widths: inout [Int], _ columns: [Int], downTo narrowest: Int, room: Int) {
        while widths.reduce(0, +) > room {
            guard let widest = columns.max(by: { widths[$0] < widths[$1] }), widths[widest] > narrowest
            else { return }
            widths[widest] -= 1
        }
    }

    private static func padded(_ text: String, to width: Int, right: Bool) -> String {
        let fitted = DisplayWidth.fitted(text.replacingOccurrences(of: "\n", with: " "), to: width)
        let blanks = String(repeating: " ", count: max(0, width - DisplayWidth.of(fitted)))
        return right ? blanks + fitted : fitted + blanks
    }

    private static func joined(_ cells: [String]) -> String {
        var line = cells.joined(separator: String(repeating: " ", count: gap))
        while line.last == " " { line.removeLast() }
        return line
    }
}
