import DataRows
import Directory
import Foundation
import Records
import Synchronization
import Testing

@testable import TestKit

@Suite("Directory differential: copies")
struct CopiedDirectoryTests {
    private static let seeds: UInt64 = 6
    private static let filled = Mutex((seeds: 0, tables: Set<String>()))

    @Test(
        "A directory that was copied as rows, to memory and back, goes on as if nothing had happened",
        arguments: 1...Self.seeds)
    func same(seed: UInt64) async throws {
        try await withFolder { first in
            try await withFolder { second in
                let directory = try DirectoryKind.openCompared(in: first)
                var life = TwinLife(memory: MemoryDirectory(), compared: directory, seed: seed)
                for step in 0..<500 { try await life.live(step) }
                let source = try DirectoryKind.content(of: directory, in: first)
                let between = try MemoryRows(of: source)
                for table in RowTable.ofDirectory where Self.others.contains(table.name) {
                    for isFull in [false, true] { between.set(Self.row(of: table, isFull), in: table) }
                }
                for subject in ["audit_entry", "shared_zone"] {
                    between.set([.text(subject), .integer(50)], in: .directoryNumber)
                }
                try source.close()
                try await directory.close()

                let copy = try DirectoryKind.openCompared(in: second)
                let target = try DirectoryKind.content(of: copy, in: second)
                // What a stopped copy has left does not disturb the next one.
                try target.fill(from: between) { _ in }
                try target.empty()
                #expect(try target.isEmpty())
                try target.fill(from: between) { _ in }
                let comparison = try RowComparison(between, with: target) { _, _ in }
                #expect(comparison.differences == [])
                try target.close()
                life.goOn(with: copy)
                for step in 500..<1000 { try await life.live(step) }
                try await life.compareWholeStates()
                try await copy.close()
                let all = Self.filled.withLock { filled in
                    filled = (filled.seeds + 1, filled.tables.union(between.filledTables))
                    return filled
                }
                if all.seeds < Int(Self.seeds) { return }
                let unused = RowTable.ofDirectory.map(\.name).filter { !all.tables.contains($0) }
                #expect(unused == [], "tables of which no row was ever copied")
            }
        }
    }

    /// The tables that a random life does not fill.
    private static let others = [
        "shared_zone", "operator", "operator_container", "audit_entry", "audit_share",
    ]

    /// A row of one of these tables. Columns that may be NULL are NULL in one that is not full.
    private static func row(of table: RowTable, _ isFull: Bool) -> [RowValue] {
        let mayBeMissing = ["ended_at", "container_name", "before", "after"]
        return table.columns.enumerated().map { index, column in
            if !isFull, mayBeMissing.contains(column.name) { return .null }
            if column.kind == .integer { return .integer(Int64(index + (isFull ? 10 : 1))) }
            let isOperator = column.name == "operator" || column.name == "name"
            return .text(isOperator ? "operator \(isFull)" : "\(column.name) \(isFull)")
        }
    }
}
