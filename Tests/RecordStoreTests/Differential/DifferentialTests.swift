import Foundation
import RecordStore
import RecordsWire
import Synchronization
import Testing

@testable import TestKit

@Suite("Differential")
struct DifferentialTests {
    /// The number of operations over all seeds. An environment variable can raise it.
    private static let operations =
        Int(ProcessInfo.processInfo.environment["CLOUDLET_DIFF_OPERATIONS"] ?? "") ?? 100_000
    private static let seeds: UInt64 = 50
    private static let total = Mutex(Tally())

    @Test("Memory and an engine give the same answers to random calls", arguments: 1...Self.seeds)
    func same(seed: UInt64) async throws {
        try await withFolder { folder in
            let engine = try StoreKind.openEngine(in: folder, seed: seed)
            let memory = MemoryStore(codec: FieldJSON(), identity: 7)
            var life = TwinLife(memory: memory, engine: engine, seed: seed)
            let count = Self.operations / Int(Self.seeds)
            for step in 0..<count { try await life.live(step, of: count) }
            try await life.compareWholeStates()
            #expect(try await engine.faults() == [], "seed \(seed)")
            try await engine.close()
            let tally = Self.total.withLock { total in
                total.add(operations: count, answers: life.compared)
                return total
            }
            if tally.seeds == Int(Self.seeds) { print(tally) }
        }
    }
}

/// The totals of all runs.
private struct Tally: CustomStringConvertible {
    var seeds = 0
    var operations = 0
    var answers = 0

    mutating func add(operations: Int, answers: Int) {
        seeds += 1
        self.operations += operations
        self.answers += answers
    }

    var description: String {
        "differential: \(operations) operations over seeds 1 to \(seeds), "
            + "\(answers) answers compared, no difference"
    }
}
