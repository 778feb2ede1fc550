import DataRows
import Testing

@testable import TestKit

@Suite("Comparing databases row by row")
struct RowComparisonTests {
    private func row(_ id: Int64, _ name: String, sequence: Int64 = 1) -> [RowValue] {
        [
            .integer(id), .integer(7), .text(name), .text("Party"), .integer(sequence), .integer(0),
            .integer(0), .null, .bytes([1]), .bytes([2]),
        ]
    }

    private func database() -> MemoryRows {
        let rows = MemoryRows(RowTable.ofRecords)
        rows.set(
            [
                .integer(7), .text("Parties"), .integer(9), .integer(0), .integer(0), .integer(2),
                .integer(10), .integer(0),
            ], in: .zone)
        for id in 1...120 { rows.set(row(Int64(id), "r\(id)"), in: .record) }
        return rows
    }

    @Test("Equal databases have the same count and the same digest")
    func equal() throws {
        var forms: [RowComparison.Side: [[UInt8]]] = [:]
        let comparison = try RowComparison(database(), with: database()) { side, form in
            forms[side, default: []].append(form)
        }
        #expect(comparison.areEqual)
        #expect(comparison.rows == [.source: 121, .target: 121])
        #expect(forms[.source] == forms[.target])
    }

    @Test("A difference names the record and the zone: a changed, a missing and a surplus row")
    func differences() throws {
        let (source, target) = (database(), database())
        target.set(row(3, "r3", sequence: 2), in: .record)
        target.remove([.integer(77)], from: .record)
        target.set(row(500, "x"), in: .record)
        let comparison = try RowComparison(source, with: target) { _, _ in }
        #expect(
            comparison.differences.map(\.description) == [
                "record \"r3\" in the zone \"Parties\" differs in sequence",
                "record \"r77\" in the zone \"Parties\" is missing in the target",
                "record \"x\" in the zone \"Parties\" is not in the source",
            ])
        #expect(comparison.rows == [.source: 121, .target: 121])
    }

    @Test("Two spellings of one letter, NULL and an empty text are different")
    func spellings() throws {
        let values: [RowValue] = [
            .text("\u{e9}"), .text("e\u{301}"), .null, .text(""), .bytes([]), .integer(0),
        ]
        #expect(Set(values).count == values.count)
        for (index, value) in values.enumerated() {
            for other in values[(index + 1)...] {
                #expect(value != other)
                #expect((value < other) != (other < value))
            }
        }
    }

    @Test("At most ten differences are listed, and all rows are counted")
    func many() throws {
        let comparison = try RowComparison(database(), with: MemoryRows(RowTable.ofRecords)) { _, _ in }
        #expect(comparison.differences.count == 10)
        #expect(comparison.rows == [.source: 121, .target: 0])
    }
}
