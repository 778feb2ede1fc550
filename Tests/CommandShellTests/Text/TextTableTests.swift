import CommandShell
import Foundation
import Testing

@Suite("A table")
struct TextTableTests {
    private func table(_ rows: [[(String, Bool)]], _ headings: [String]) -> TextTable {
        TextTable(
            headings: headings, rows: rows.map { $0.map { TextTable.Cell(text: $0.0, isNumber: $0.1) } })
    }

    @Test("aligns numbers on the right and texts on the left")
    func sides() {
        let rows = [[("Tea", false), ("5 m", true)], [("Coffee", false), ("1200 m", true)]]
        let lines = table(rows, ["NAME", "FAR"]).lines(width: nil)
        #expect(lines == ["NAME       FAR", "Tea        5 m", "Coffee  1200 m"])
    }

    @Test("measures wide letters and emoji in columns")
    func width() {
        #expect(DisplayWidth.of("Coffee") == 6)
        #expect(DisplayWidth.of("Zoë") == 3)
        #expect(DisplayWidth.of("🤡") == 2)
        #expect(DisplayWidth.of("👨‍👩‍👧") == 2)
        #expect(DisplayWidth.of("❤️") == 2)
        #expect(DisplayWidth.of("東京") == 4)
        #expect(DisplayWidth.of("e\u{301}") == 1)
        let rows = [[("🤡", false), ("x", false)], [("ab", false), ("y", false)]]
        #expect(table(rows, ["A", "B"]).lines(width: nil) == ["A   B", "🤡  x", "ab  y"])
    }

    @Test("fits the terminal by shortening the widest column")
    func fitting() {
        let rows = [[("A table with a long, long name", false), ("here", false)]]
        let lines = table(rows, ["NAME", "PLACE"]).lines(width: 20)
        #expect(lines.allSatisfy { DisplayWidth.of($0) <= 20 })
        #expect(lines[1] == "A table with…  here")
    }

    @Test(
        "keeps identifiers whole, truncates texts and names, and hides columns",
        arguments: [
            (60, ["NAME", "STARTS", "PLACE", "ID"], []), (50, ["NAME", "STARTS", "ID"], ["PLACE"]),
            (32, ["NAME", "ID"], ["STARTS", "PLACE"]), (10, ["NAME", "ID"], ["STARTS", "PLACE"]),
        ])
    func columns(width: Int, shown: [String], hidden: [String]) {
        let texts = ["A table with a long, long name", "2026-07-04 18:00", "Pier", "album-0123456789"]
        let table = TextTable(
            headings: ["NAME", "STARTS", "PLACE", "ID"],
            rows: [texts.map { TextTable.Cell(text: $0, isNumber: false) }],
            fits: [.name, .whole, .text, .kept])
        let layout = table.layout(width: width)
        #expect(layout.lines[0].split(separator: " ").map(String.init) == shown)
        #expect(layout.hidden == hidden)
        #expect(layout.lines[1].hasSuffix("  album-0123456789"))
        #expect(layout.lines[1].contains("2026-07-04 18:00") == shown.contains("STARTS"))
        if width > 30 { #expect(layout.lines.allSatisfy { DisplayWidth.of($0) <= width }) }
    }

    @Test("truncates the last column that is left, and never hides it")
    func lastColumn() {
        let row = [String(repeating: "x", count: 300), "12"].map { TextTable.Cell(text: $0, isNumber: false) }
        let table = TextTable(headings: ["ENDPOINT", "REQUESTS"], rows: [row], fits: [.whole, .whole])
        let layout = table.layout(width: 40)
        #expect(layout.lines[0] == "ENDPOINT")
        #expect(layout.lines[1].hasPrefix("xxx"))
        #expect(DisplayWidth.of(layout.lines[1]) == 40)
        #expect(layout.hidden == ["REQUESTS"])
    }

    @Test("continues a text that must be read completely on further lines")
    func wrapped() {
        let texts = [
            "Note", "note-0123456789ab", "edited here, changed there: merged",
            "text: Please: Bring balloons and aVeryLongWordWithoutAnyBlanksInIt",
        ]
        let table = TextTable(
            headings: ["TYPE", "ID", "WHAT", "FIELDS"],
            rows: [texts.map { TextTable.Cell(text: $0, isNumber: false) }],
            fits: [.whole, .kept, .wrapped, .wrapped])
        let layout = table.layout(width: 66)
        #expect(
            layout.lines == [
                "TYPE  ID                 WHAT                 FIELDS",
                "Note  note-0123456789ab  edited here,         text: Please: Bring",
                "                         changed there:       balloons and",
                "                         merged               aVeryLongWordWithout",
                "                                              AnyBlanksInIt",
            ])
        #expect(layout.hidden.isEmpty)
        #expect(table.layout(width: nil).lines.count == 2)
    }

    @Test("never splits a wide letter")
    func fittedWide() {
        #expect(DisplayWidth.fitted("東京タワー", to: 6) == "東京…")
        #expect(DisplayWidth.of(DisplayWidth.fitted("東京タワー", to: 6)) == 5)
    }
}
