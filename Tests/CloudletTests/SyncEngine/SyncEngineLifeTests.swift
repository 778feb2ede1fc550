import Foundation
import Testing

@Suite("Random event sequences of sync engines")
struct SyncEngineLifeTests {
    /// The number of seeds, small so that the suite is quick. Set `CLOUDLET_SEEDS=500` for more.
    private static let seeds = UInt64(ProcessInfo.processInfo.environment["CLOUDLET_SEEDS"] ?? "") ?? 10
    private static let first = UInt64(ProcessInfo.processInfo.environment["CLOUDLET_SEED"] ?? "") ?? 1

    @Test(
        "Devices with faults, kills and account switches converge to the state of the server",
        arguments: [false, true])
    func converges(isAutomatic: Bool) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for worker in 0..<UInt64(2) {
                group.addTask {
                    for seed in Self.first..<Self.first + Self.seeds where seed % 2 == worker {
                        try await Self.live(seed: seed, isAutomatic)
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    /// Runs the script of a seed. On failure, prints the script.
    private static func live(seed: UInt64, _ isAutomatic: Bool) async throws {
        let script = EngineHappening.script(seed: seed)
        var faults: [String] = []
        do {
            try await withCast { cast in
                let life = try await SyncEngineLife(cast, automatic: isAutomatic)
                for happening in script { try await life.live(happening) }
                faults = try await life.settle()
            }
        } catch {
            faults = ["\(error)"]
        }
        let text = script.map(\.description).joined(separator: "\n")
        let mode = isAutomatic ? "automatic" : "manual"
        #expect(
            faults.isEmpty,
            "\(faults)\nCLOUDLET_SEED=\(seed) CLOUDLET_SEEDS=1 repeats this (\(mode)):\n\(text)")
    }
}
