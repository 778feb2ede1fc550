import Directory
import Foundation
import Records
import Synchronization
import Testing

@testable import TestKit

@Suite("Directory differential")
struct DifferentialTests {
    /// The total number of operations of all seeds. The environment variable `CLOUDLET_DIFF_OPERATIONS`
    /// overrides it.
    private static let operations =
        Int(ProcessInfo.processInfo.environment["CLOUDLET_DIFF_OPERATIONS"] ?? "") ?? 20_000
    private static let seeds: UInt64 = 20
    private static let tally = Mutex((seeds: 0, answers: 0))

    @Test(
        "The directories in memory and in a database give the same answers to random calls",
        arguments: 1...Self.seeds)
    func same(seed: UInt64) async throws {
        try await withFolder { folder in
            let compared = try DirectoryKind.openCompared(in: folder)
            var life = TwinLife(memory: MemoryDirectory(), compared: compared, seed: seed)
            for step in 0..<Self.operations / Int(Self.seeds) {
                try await life.live(step)
                if step.isMultiple(of: 50) { try await life.compareWholeStates() }
            }
            try await life.compareWholeStates()
            try await compared.close()
            let answers = life.answers
            let all = Self.tally.withLock { tally in
                tally = (tally.seeds + 1, tally.answers + answers)
                return tally
            }
            if all.seeds == Int(Self.seeds) {
                print("directory: seeds 1 to \(all.seeds), \(all.answers) answers compared, no difference")
            }
        }
    }
}
