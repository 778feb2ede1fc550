import CloudletTesting
import Foundation
import Testing

@Suite("Notes that several people edit at once", .timeLimit(.minutes(60)))
struct NotesTogetherTests {
    /// The number of seeds, small so that the suite is quick. Set `CLOUDLET_SEEDS=1000` for more.
    private static let seeds = UInt64(ProcessInfo.processInfo.environment["CLOUDLET_SEEDS"] ?? "") ?? 6
    private static let first = UInt64(ProcessInfo.processInfo.environment["CLOUDLET_SEED"] ?? "") ?? 1

    @Test("Four devices of two people type into one note: one text, and every phrase in one piece")
    func converges() async throws {
        try await CloudletWorld.run { world in
            for seed in Self.first..<Self.first + Self.seeds {
                var life = try await NoteLife(seed: seed, in: world)
                try await life.run(turns: 30)
                #expect(life.faults == [], "CLOUDLET_SEED=\(seed) CLOUDLET_SEEDS=1 repeats this")
            }
        }
    }
}
