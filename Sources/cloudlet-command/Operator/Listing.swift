import CommandShell
import Foundation
import Records

/// The output of a command: lines for standard output and notes for standard error.
struct Listing {
    var lines: [String] = []
    var notes: [String] = []

    /// Creates a table. If it has no rows, the output is the note `whenEmpty`.
    static func table(_ headings: [String], _ rows: [[String]], whenEmpty: String) -> Listing {
        if rows.isEmpty { return Listing(notes: [whenEmpty]) }
        let cells = rows.map { row in
            row.map { TextTable.Cell(text: $0, isNumber: !$0.isEmpty && $0.allSatisfy(\.isNumber)) }
        }
        return Listing(lines: TextTable(headings: headings, rows: cells).lines(width: nil))
    }

    /// Creates a list of names and values, one per line. Nil values are left out.
    static func fields(_ fields: [(String, String?)]) -> Listing {
        let known = fields.compactMap { name, value in value.map { (VisibleText.line(name), $0) } }
        let width = known.map { DisplayWidth.of($0.0) }.max() ?? 0
        return Listing(
            lines: known.map { name, value in
                name + String(repeating: " ", count: width - DisplayWidth.of(name) + 2)
                    + VisibleText.indented(value, by: width + 2)
            })
    }

    /// Adds notes.
    func noting(_ notes: [String]) -> Listing {
        var listing = self
        listing.notes += notes
        return listing
    }

    /// Prints the lines and notes. Control codes and hidden characters are made visible, even if the output
    /// is a pipe.
    func say() throws {
        try StandardOutput.write(lines.map { VisibleText.escaped($0) + "\n" }.joined())
        for note in notes { Messages.say(note) }
    }
}

extension Timestamp {
    /// The time in ISO 8601 and UTC; nil for 0.
    var moment: String? {
        guard milliseconds > 0 else { return nil }
        let formatter = ISO8601DateFormatter()
        return formatter.string(from: Date(timeIntervalSince1970: Double(milliseconds / 1000)))
    }
}

extension Optional<String> {
    /// The text of a table cell; a dash for nil or an empty text.
    var cell: String { flatMap { $0.isEmpty ? nil : $0 } ?? "-" }
}
