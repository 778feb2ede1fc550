import CommandShell
import Foundation
import Records

/// What goes to standard output, and what is said beside it on standard error.
struct Listing {
    var lines: [String] = []
    var notes: [String] = []

    /// A table; when there is nothing in it, what to do about that.
    static func table(_ headings: [String], _ rows: [[String]], whenEmpty: String) -> Listing {
        if rows.isEmpty { return Listing(notes: [whenEmpty]) }
        let cells = rows.map { row in
            row.map { TextTable.Cell(text: $0, isNumber: !$0.isEmpty && $0.allSatisfy(\.isNumber)) }
        }
        return Listing(lines: TextTable(headings: headings, rows: cells).lines(width: nil))
    }

    /// One thing, a line each for what is known of it.
    static func fields(_ fields: [(String, String?)]) -> Listing {
        let known = fields.compactMap { name, value in value.map { (VisibleText.line(name), $0) } }
        let width = known.map { DisplayWidth.of($0.0) }.max() ?? 0
        return Listing(
            lines: known.map { name, value in
                name + String(repeating: " ", count: width - DisplayWidth.of(name) + 2)
                    + VisibleText.indented(value, by: width + 2)
            })
    }

    /// Adds something to say beside the data.
    func noting(_ notes: [String]) -> Listing {
        var listing = self
        listing.notes += notes
        return listing
    }

    /// Prints it; characters of others that a terminal would obey or hide are written out, into a pipe too.
    func say() throws {
        try StandardOutput.write(lines.map { VisibleText.escaped($0) + "\n" }.joined())
        for note in notes { Talk.say(note) }
    }
}

extension Timestamp {
    /// The moment as people write it, in universal time; nil for none.
    var moment: String? {
        guard milliseconds > 0 else { return nil }
        let formatter = ISO8601DateFormatter()
        return formatter.string(from: Date(timeIntervalSince1970: Double(milliseconds / 1000)))
    }
}

extension Optional<String> {
    /// The text of a cell; a dash for none.
    var cell: String { flatMap { $0.isEmpty ? nil : $0 } ?? "-" }
}
