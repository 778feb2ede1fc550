import Foundation
import RecordStore
import RecordsWire
import Synchronization
import Testing

@testable import TestKit

@Suite("Differential: shares")
struct SharedDifferentialTests {
    /// The number of operations over all seeds. An environment variable can raise it.
    private static let operations =
        Int(ProcessInfo.processInfo.environment["CLOUDLET_SHARE_OPERATIONS"] ?? "") ?? 5000
    private static let seeds: UInt64 = 50
    /// All seeds, or the one in an environment variable, for example of a run that failed.
    private static let chosen =
        ProcessInfo.processInfo.environment["CLOUDLET_SHARE_SEED"].flatMap(UInt64.init).map { [$0] }
        ?? Array(1...seeds)
    private static let total = Mutex<(seeds: UInt64, tally: SharedTally)>((0, SharedTally()))

    @Test(
        "Memory, an engine and a model without indexes show four people the same after random sharing",
        arguments: Self.chosen)
    func same(seed: UInt64) async throws {
        try await withFolder { folder in
            let engine = try StoreKind.openEngine(in: folder, seed: seed)
            let memory = MemoryStore(codec: FieldJSON(), identity: 7)
            var life = TwinLife(memory: memory, engine: engine, seed: seed)
            for step in 0..<Self.operations / Int(Self.seeds) { try await life.liveOnTrees(step) }
            #expect(try await engine.faults() == [], "seed \(seed)")
            try await engine.close()
            let tally = life.tally
            let (seeds, all) = Self.total.withLock { total in
                total.seeds += 1
                total.tally.add(tally)
                return (total.seeds, total.tally)
            }
            if seeds < Self.seeds { return }
            print("differential: shares, seeds 1 to \(seeds): \(all)")
            #expect(all.coveredPercent >= 40, "too few steps concern a covered record")
            #expect(all.rare(below: 3) == [], "changes that hardly happen")
        }
    }
}
