import DataRows
import Foundation
import RecordStore
import Records
import RecordsWire
import Synchronization
import Testing

@testable import TestKit

@Suite("Differential: copied databases")
struct CopiedLifeTests {
    private static let seeds: UInt64 = 12
    private static let operations = 500
    private static let filled = Mutex((seeds: 0, tables: Set<String>()))

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
                let all = Self.filled.withLock { filled in
                    filled = (filled.seeds + 1, filled.tables.union(between.filledTables))
                    return filled
                }
                if all.seeds < Int(Self.seeds) { return }
                let unused = RowTable.ofRecords.map(\.name).filter { !all.tables.contains($0) }
                #expect(unused == [], "tables of which no row was ever copied")
            }
        }
    }

    private static func differences(
        _ source: any RowDatabase, _ target: any RowDatabase
    ) throws -> [String] {
        try RowComparison(source, with: target) { _, _ in }.differences.map(\.description)
    }
}
