// Owns the tests of how results look.
import CommandText
import Foundation
import Testing

@Suite("A table")
struct TextTableTests {
    private func table(_ rows: [[(String, Bool)]], _ headings: [String]) -> TextTable {
        TextTable(
            headings: headings, rows: rows.map { $0.map { TextTable.Cell(text: $0.0, isNumber: $0.1) } })
    }

    @Test("puts numbers to the right and words to the left")
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
        let rows = [[("A party with a long, long name", false), ("here", false)]]
        let lines = table(rows, ["NAME", "PLACE"]).lines(width: 20)
        #expect(lines.allSatisfy { DisplayWidth.of($0) <= 20 })
        #expect(lines[1] == "A party with…  here")
    }

    @Test("never cuts a wide letter in half")
    func fittedWide() {
        #expect(DisplayWidth.fitted("東京タワー", to: 6) == "東京…")
        #expect(DisplayWidth.of(DisplayWidth.fitted("東京タワー", to: 6)) == 5)
    }
}
