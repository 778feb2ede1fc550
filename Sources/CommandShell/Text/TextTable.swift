import Foundation

/// Formats rows as a table.
public struct TextTable {
    /// A cell and its alignment.
    public struct Cell {
        /// The text.
        public let text: String
        /// Whether the cell is aligned to the right.
        public let isNumber: Bool

        /// Creates a cell. Control codes and hidden characters are made visible.
        public init(text: String, isNumber: Bool) {
            self.text = VisibleText.line(text)
            self.isNumber = isNumber
        }
    }

    /// How a column is fitted to a narrow terminal.
    public enum Fit: Sendable {
        /// The column is always shown completely, for example an identifier, which is useless if truncated.
        case kept
        /// The column is always shown and may be truncated.
        case name
        /// The column is never truncated. It is hidden if it does not fit, for example a date.
        case whole
        /// The column is the first to be truncated, and then the first to be hidden.
        case text
        /// The column is narrowed before all others, and its texts continue on further lines.
        case wrapped
    }

    /// A table that is ready to print.
    public struct Layout: Equatable, Sendable {
        /// The line of headings, then the rows.
        public var lines: [String]
        /// The headings of the hidden columns.
        public var hidden: [String]
    }

    /// One entry per column.
    public let headings: [String]
    /// The rows; each has one cell per column.
    public let rows: [[Cell]]
    /// One entry per column.
    public let fits: [Fit]

    private static let gap = 2
    private static let narrowestName = 12
    private static let narrowestText = 16

    /// Creates a table. Without `fits`, every column is always shown and may be truncated.
    public init(headings: [String], rows: [[Cell]], fits: [Fit] = []) {
        self.headings = headings
        self.rows = rows
        self.fits = fits.isEmpty ? headings.map { _ in .name } : fits
    }

    /// The lines of the table. They exceed `width` only if the columns that must be shown do not fit.
    public func lines(width: Int?) -> [String] {
        layout(width: width).lines
    }

    /// The lines of the table and the columns that did not fit.
    public func layout(width: Int?) -> Layout {
        let (columns, widths) = fitted(to: width)
        let numbers = columns.map { column in rows.contains { $0[column].isNumber } }
        let texts = [headings] + rows.map { row in row.map(\.text) }
        let lines = texts.flatMap { row -> [String] in
            let cells = columns.indices.map { place -> [String] in
                let text = row[columns[place]]
                return fits[columns[place]] == .wrapped ? Self.wrapped(text, to: widths[place]) : [text]
            }
            return (0..<(cells.map(\.count).max() ?? 1)).map { line -> String in
                Self.joined(
                    columns.indices.map { place in
                        let text = line < cells[place].count ? cells[place][line] : ""
                        return Self.padded(text, to: widths[place], right: numbers[place])
                    })
            }
        }
        let hidden = headings.indices.filter { !columns.contains($0) }.map { headings[$0] }
        return Layout(lines: lines, hidden: hidden)
    }

    /// The columns that fit and their widths. Columns are narrowed in the order `wrapped`, `text`, `name`;
    /// then columns are hidden, `text` before `whole`. If only one column is left, it is truncated instead,
    /// unless it is `kept`.
    private func fitted(to width: Int?) -> (columns: [Int], widths: [Int]) {
        let natural = headings.indices.map { column in
            rows.reduce(DisplayWidth.of(headings[column])) { max($0, DisplayWidth.of($1[column].text)) }
        }
        var columns = Array(headings.indices)
        guard let width else { return (columns, natural) }
        while true {
            var widths = columns.map { natural[$0] }
            let room = width - Self.gap * max(0, columns.count - 1)
            Self.narrow(&widths, places(of: .wrapped, in: columns), downTo: Self.narrowestText, room: room)
            Self.narrow(&widths, places(of: .text, in: columns), downTo: Self.narrowestText, room: room)
            Self.narrow(&widths, places(of: .name, in: columns), downTo: Self.narrowestName, room: room)
            if widths.reduce(0, +) <= room { return (columns, widths) }
            if columns.count == 1, fits[columns[0]] != .kept { return (columns, [max(room, 1)]) }
            let next = places(of: .text, in: columns).last ?? places(of: .whole, in: columns).last
            guard let next else { return (columns, widths) }
            columns.remove(at: next)
        }
    }

    private func places(of fit: Fit, in columns: [Int]) -> [Int] {
        columns.indices.filter { fits[columns[$0]] == fit }
    }

    /// Shortens the widest of `places` by one column at a time until the table fits.
    private static func narrow(_ widths: inout [Int], _ places: [Int], downTo narrowest: Int, room: Int) {
        while widths.reduce(0, +) > room {
            guard let widest = places.max(by: { widths[$0] < widths[$1] }), widths[widest] > narrowest
            else { return }
            widths[widest] -= 1
        }
    }

    /// The lines of a text in a column. A word that is wider than the column is broken.
    private static func wrapped(_ text: String, to width: Int) -> [String] {
        var lines: [String] = []
        for line in WrappedText.fitted(text, to: width).split(
            separator: "\n", omittingEmptySubsequences: false)
        {
            var rest = ""
            for letter in line {
                if !rest.isEmpty, DisplayWidth.of(rest + String(letter)) > width {
                    lines.append(rest)
                    rest = ""
                }
                rest.append(letter)
            }
            lines.append(rest)
        }
        return lines
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
