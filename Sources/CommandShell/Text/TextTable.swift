import Foundation

/// Lays rows out in columns.
public struct TextTable {
    /// One cell, with the side it leans to.
    public struct Cell {
        /// What it says.
        public let text: String
        /// Whether it leans to the right.
        public let isNumber: Bool

        /// A cell of words, or of a number; what a terminal would obey or hide is written out.
        public init(text: String, isNumber: Bool) {
            self.text = VisibleText.line(text)
            self.isNumber = isNumber
        }
    }

    /// What becomes of a column when there is no room.
    public enum Fit: Sendable {
        /// It is always there, and whole: an identifier is good for nothing when it is cut.
        case kept
        /// It is always there, and may be cut.
        case name
        /// It is whole, or not there at all, such as a date.
        case whole
        /// It is the first to be cut, and then the first to go.
        case text
    }

    /// A table as it can be printed.
    public struct Layout: Equatable, Sendable {
        /// The headings, then the rows.
        public var lines: [String]
        /// The headings of the columns that had to go.
        public var hidden: [String]
    }

    /// One for each column.
    public let headings: [String]
    /// As many cells each as there are headings.
    public let rows: [[Cell]]
    /// One for each column.
    public let fits: [Fit]

    private static let gap = 2
    private static let narrowestName = 12
    private static let narrowestText = 16

    /// A table of rows as long as the headings; without `fits` all columns are always there and may be cut.
    public init(headings: [String], rows: [[Cell]], fits: [Fit] = []) {
        self.headings = headings
        self.rows = rows
        self.fits = fits.isEmpty ? headings.map { _ in .name } : fits
    }

    /// The lines of the table, none wider than `width` unless the columns that must be there are.
    public func lines(width: Int?) -> [String] {
        layout(width: width).lines
    }

    /// The lines of the table, and what did not fit.
    public func layout(width: Int?) -> Layout {
        let (columns, widths) = fitted(to: width)
        let numbers = columns.map { column in rows.contains { $0[column].isNumber } }
        let texts = [headings] + rows.map { row in row.map(\.text) }
        let lines = texts.map { row in
            Self.joined(
                columns.indices.map { place in
                    Self.padded(row[columns[place]], to: widths[place], right: numbers[place])
                })
        }
        let hidden = headings.indices.filter { !columns.contains($0) }.map { headings[$0] }
        return Layout(lines: lines, hidden: hidden)
    }

    /// The columns that fit and their widths: texts are cut first, then names, then columns go.
    private func fitted(to width: Int?) -> (columns: [Int], widths: [Int]) {
        let natural = headings.indices.map { column in
            rows.reduce(DisplayWidth.of(headings[column])) { max($0, DisplayWidth.of($1[column].text)) }
        }
        var columns = Array(headings.indices)
        guard let width else { return (columns, natural) }
        while true {
            var widths = columns.map { natural[$0] }
            let room = width - Self.gap * max(0, columns.count - 1)
            Self.narrow(&widths, places(of: .text, in: columns), downTo: Self.narrowestText, room: room)
            Self.narrow(&widths, places(of: .name, in: columns), downTo: Self.narrowestName, room: room)
            if widths.reduce(0, +) <= room { return (columns, widths) }
            let next = places(of: .text, in: columns).last ?? places(of: .whole, in: columns).last
            guard let next else { return (columns, widths) }
            columns.remove(at: next)
        }
    }

    private func places(of fit: Fit, in columns: [Int]) -> [Int] {
        columns.indices.filter { fits[columns[$0]] == fit }
    }

    /// Takes a character at a time from the widest of `places`.
    private static func narrow(_ widths: inout [Int], _ places: [Int], downTo narrowest: Int, room: Int) {
        while widths.reduce(0, +) > room {
            guard let widest = places.max(by: { widths[$0] < widths[$1] }), widths[widest] > narrowest
            else { return }
            widths[widest] -= 1
        }
    }

    private static func padded(_ text: String, to width: Int, right: Bool) -> String {
        let fitted = DisplayWidth.fitted(text, to: width)
        let blanks = String(repeating: " ", count: max(0, width - DisplayWidth.of(fitted)))
        return right ? blanks + fitted : fitted + blanks
    }

    private static func joined(_ cells: [String]) -> String {
        var line = cells.joined(separator: String(repeating: " ", count: gap))
        while line.last == " " { line.removeLast() }
        return line
    }
}
