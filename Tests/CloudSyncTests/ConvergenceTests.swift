import Cloudlet
import CloudletTesting
import Foundation
import Testing

@Suite("Convergence")
struct ConvergenceTests {
    /// The number of seeds, small so that the suite is quick. Set `CLOUDLET_SEEDS=500` for more.
    private static let seeds = UInt64(ProcessInfo.processInfo.environment["CLOUDLET_SEEDS"] ?? "") ?? 10
    private static let first = UInt64(ProcessInfo.processInfo.environment["CLOUDLET_SEED"] ?? "") ?? 1

    @Test("Devices that edit at random converge to the server, and lose no word", arguments: [2, 5])
    func converges(devices: Int) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for worker in 0..<UInt64(2) {
                group.addTask {
                    for seed in Self.first..<Self.first + Self.seeds where seed % 2 == worker {
                        try await Self.live(seed: seed, devices: devices)
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    @Test(
        "Devices converge to a server that is restored and reset, and every pending edit arrives",
        arguments: [2, 3])
    func convergesAfterLosses(devices: Int) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for worker in 0..<UInt64(2) {
                group.addTask {
                    for seed in Self.first..<Self.first + Self.seeds where seed % 2 == worker {
                        let server = try await LossyServer.start()
                        try await Self.live(seed: seed, devices: devices, server: server)
                        await server.stop()
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    @Test("Two people who edit a shared subtree at random converge to the server's state, and lose no word")
    func convergesShared() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for worker in 0..<UInt64(2) {
                group.addTask {
                    for seed in Self.first..<Self.first + Self.seeds where seed % 2 == worker {
                        try await Self.liveShared(seed: seed)
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    /// Runs the story of one seed about shared notes. On failure, prints the script that reproduces it.
    private static func liveShared(seed: UInt64) async throws {
        let story = try await SharedStory(seed: seed)
        let script = SharedHappening.script(seed: seed)
        var faults: [String] = []
        do {
            for happening in script { try await story.live(happening) }
            try await story.settle()
            faults = try await story.faults()
        } catch {
            faults = ["\(error)"]
        }
        let text = script.map(\.description).joined(separator: "\n")
        #expect(faults.isEmpty, "CLOUDLET_SEED=\(seed) CLOUDLET_SEEDS=1 repeats this:\n\(text)")
    }

    /// Runs the story of one seed. On failure, prints the script that reproduces it.
    private static func live(seed: UInt64, devices count: Int, server: LossyServer? = nil) async throws {
        let clock = WorldClock(WorldClock.beginning)
        var devices: [Device] = []
        for number in 0..<count {
            devices.append(
                try await SyncWorld.device(
                    of: "c\(count)s\(seed)", "d\(number)", in: server?.world, clock: clock))
        }
        if let server {
            // An account that is missing in a backup would be another person after the restore.
            _ = try await devices[0].container.userRecordID()
            try await server.backUp(holding: [:])
        }
        let story = Story(devices: devices, clock: clock, server: server)
        let script = Happening.script(seed: seed, devices: count, losesData: server != nil)
        var faults: [String] = []
        do {
            for happening in script { try await story.live(happening) }
            try await story.settle()
            faults = try await story.faults()
        } catch {
            faults = ["\(error)"]
        }
        let text = script.map(\.description).joined(separator: "\n")
        #expect(
            faults.isEmpty,
            "CLOUDLET_SEED=\(seed) CLOUDLET_SEEDS=1 repeats this, with \(count) devices:\n\(text)")
    }
}
