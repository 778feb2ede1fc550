import DataRows
import Foundation
import RecordStore
import Records
import RecordsWire
import Testing

@testable import TestKit

@Suite("Differential: copied databases")
struct CopiedLifeTests {
    private static let seeds: UInt64 = 12
    private static let operations = 500

    /// The memory store is not copied: it gives the answers that clients of the first database would get.
    @Test(
        "A database that was copied as rows, to memory and back, goes on as if nothing had happened",
        arguments: 1...Self.seeds)
    func same(seed: UInt64) async throws {
        try await withFolder { first in
            try await withFolder { second in
                let engine = try StoreKind.openEngine(in: first, seed: seed)
                let memory = MemoryStore(codec: FieldJSON(), identity: 7)
                var life = TwinLife(memory: memory, engine: engine, seed: seed)
                let isShared = seed.isMultiple(of: 2)
                for step in 0..<Self.operations {
                    if isShared {
                        try await life.liveOnTrees(step)
                    } else {
                        try await life.live(step, of: 2 * Self.operations)
                    }
                }
                try await engine.close()
                // A copy with indexes of the schema, or without, which then come with the first use.
                let types = seed % 4 < 2 ? Array(life.random.schema.types.values) : []
                let source = try StoreKind.content(in: first, types: [])
                let between = try MemoryRows(of: source)
                let target = try StoreKind.content(in: second, types: types)
                try target.fill(from: between) { _ in }
                #expect(try Self.differences(source, target) == [])
                try source.close()
                try target.close()

                let copy = try StoreKind.openEngine(in: second, seed: seed)
                life.goOn(with: copy)
                for step in Self.operations..<2 * Self.operations {
                    if isShared {
                        try await life.liveOnTrees(step)
                    } else {
                        try await life.live(step, of: 2 * Self.operations)
                    }
                }
                if !isShared { try await life.compareWholeStates() }
                #expect(try await copy.faults() == [], "seed \(seed)")
                try await copy.close()
            }
        }
    }

    @Test("Every table is copied, with rows that have all columns and with rows that have few")
    func everyTable() async throws {
        try await withFolder { folder in
            let rows = MemoryRows(RowTable.ofRecords)
            rows.set([7, 90, 5000, 1, 40, 2].map(RowValue.integer), in: .database)
            rows.set([.integer(1), .text("_defaultZone")] + Self.integers(6), in: .zone)
            for table in RowTable.ofRecords where ![.database, .zone, .record].contains(table) {
                for isFull in [false, true] { rows.set(Self.row(of: table, isFull), in: table) }
            }
            // Tombstones, with the numbers of the records to which the rows of other tables refer.
            for id in [2, 4, 11, 13] as [Int64] {
                rows.set(
                    [
                        .integer(id), .integer(1), .text("gone \(id)"), .text("Party"), .integer(id + 20),
                        .integer(3), .integer(4), .null, .bytes([]), .null,
                    ], in: .record)
            }
            let target = try StoreKind.content(in: folder, types: [])
            try target.fill(from: rows) { _ in }
            #expect(try Self.differences(rows, target) == [])
            try target.close()
        }
    }

    @Test("A reference with the character NUL is copied, or refused with the name of the record that has it")
    func nullCharacter() async throws {
        try await withFolder { folder in
            let rows = MemoryRows(RowTable.ofRecords)
            rows.set([7, 90, 5000, 1, 40, 2].map(RowValue.integer), in: .database)
            rows.set([.integer(1), .text("_defaultZone")] + Self.integers(6), in: .zone)
            rows.set(
                [
                    .integer(2), .integer(1), .text("note"), .text("Party"), .integer(22), .integer(3),
                    .integer(4), .null, .bytes([]), .null,
                ], in: .record)
            let binding = try #require(RowTable.ofRecords.first { $0.name == "binding" })
            for target in ["a", "a\0b", "a\0c", "b"] {
                rows.set([.integer(1), .text(target), .integer(1), .integer(2)], in: binding)
            }
            let target = try StoreKind.content(in: folder, types: [])
            func fill() throws { try target.fill(from: rows) { _ in } }
            if StoreKind.lasting == [.postgres] {
                let error = #expect(throws: RecordError.self) { try fill() }
                #expect(error?.culprit == "note")
                let place = "the record \"note\" in the zone \"_defaultZone\" has"
                #expect(error?.reason.hasPrefix(place) == true)
            } else {
                try fill()
                #expect(try Self.differences(rows, target) == [])
                let key = [RowValue.integer(1), .text("a\0b"), .integer(1), .integer(2)]
                let rest = try target.rows(of: binding, after: key)
                #expect(rest.map { $0[1] } == [.text("a\0c"), .text("b")])
            }
            try target.close()
        }
    }

    private static func integers(_ count: Int) -> [RowValue] { (1...count).map { .integer(Int64($0)) } }

    /// A row of a table. Columns that may be NULL are NULL in one that is not full.
    private static func row(of table: RowTable, _ isFull: Bool) -> [RowValue] {
        let mayBeMissing = ["root", "end_sequence", "end_time", "gone_at", "ended"]
        return table.columns.enumerated().map { index, column in
            let isMissing =
                mayBeMissing.contains(column.name)
                || (table.name == "notification" && column.name == "name")
            if !isFull, isMissing { return .null }
            let number = Int64(index + (isFull ? 10 : 1))
            switch column.kind {
            case .integer: return .integer(number)
            case .text where column.name == "exceptions": return .text(isFull ? "b\na\\n\"q" : "")
            case .text: return .text("text \(number) e\u{301}")
            case .bytes: return .bytes([UInt8(number), 0, 255])
            }
        }
    }

    private static func differences(
        _ source: any RowDatabase, _ target: any RowDatabase
    ) throws -> [String] {
        try RowComparison(source, with: target) { _, _ in }.differences.map(\.description)
    }
}
