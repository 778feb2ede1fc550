import Foundation
import Testing

@Suite("Several devices typing into one text")
struct TogetherTests {
    /// The number of seeds, small so that the suite is quick. Set `CLOUDLET_SEEDS=1000` for more.
    private static let seeds = UInt64(ProcessInfo.processInfo.environment["CLOUDLET_SEEDS"] ?? "") ?? 12
    private static let first = UInt64(ProcessInfo.processInfo.environment["CLOUDLET_SEED"] ?? "") ?? 1

    @Test("Four devices that type at once converge to one text in which every word is whole")
    func converges() throws {
        for seed in Self.first..<Self.first + Self.seeds {
            var life = try WritingLife(seed: seed)
            try life.run(turns: 60)
            #expect(life.faults == [], "CLOUDLET_SEED=\(seed) CLOUDLET_SEEDS=1 repeats this")
        }
    }
}
