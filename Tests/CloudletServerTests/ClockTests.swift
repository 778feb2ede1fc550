import Foundation
import Records
import RecordsWire
import Synchronization
import Testing

@testable import CloudService
@testable import CloudletServer
@testable import ServerKit
@testable import TestKit

@Suite("A clock that is set", .timeLimit(.minutes(2)))
struct ClockTests {
    private static let day = 86_400.0
    private static let year = 365 * day

    @Test(
        "A small step is followed at once, a large one when it has lasted for two hours, a mended one never")
    func steps() {
        var steps = ClockSteps(wall: 1000, uptime: 0)
        #expect(steps.time(wall: 1010, uptime: 10) == 1010)
        // An hour forward, and back.
        #expect(steps.time(wall: 4620, uptime: 20) == 4620)
        #expect(steps.time(wall: 1030, uptime: 30) == 1030)
        for jump in [10 * Self.year, -10 * Self.year] {
            // Wrong for an hour, right again.
            #expect(steps.time(wall: 1040 + jump, uptime: 40) == 1040)
            #expect(steps.time(wall: 4600 + jump, uptime: 3600) == 4600)
            #expect(steps.time(wall: 4700, uptime: 3700) == 4700)
        }
        // A doubt begins anew with each step; then the step lasts.
        let late = 4000.0
        #expect(steps.time(wall: 1000 + late + Self.year, uptime: late) == 1000 + late)
        #expect(steps.time(wall: 1000 + late + 7199 + Self.year, uptime: late + 7199) == 1000 + late + 7199)
        let believed = 1000 + late + 7200 + Self.year
        #expect(steps.time(wall: believed, uptime: late + 7200) == believed)
        #expect(steps.time(wall: believed + 1, uptime: late + 7201) == believed + 1)
        // What is no time at all is never believed.
        for wall in [Double.infinity, -.infinity, .nan] {
            for uptime in [20_000.0, 40_000, 60_000] {
                #expect(steps.time(wall: wall, uptime: uptime).isFinite)
            }
        }
    }

    /// A clock that a test sets, and how long the test lasts by it.
    private final class Clocks: Sendable {
        private let state = Mutex((uptime: 0.0, error: 0.0))

        /// Lets time pass.
        func pass(_ seconds: Double) { state.withLock { $0.uptime += seconds } }
        /// Sets the clock by so much from the right time.
        func set(wrongBy error: Double) { state.withLock { $0.error = error } }

        var wall: Date {
            let (uptime, error) = state.withLock { $0 }
            return Date(timeIntervalSince1970: 1_401_710_400 + uptime + error)
        }
        var uptime: Duration { .seconds(state.withLock { $0.uptime }) }
    }

    @Test(
        "While the clock is wrong for an hour, nothing is forgotten, ended or stamped with the wrong time",
        arguments: [10 * year, -10 * year])
    func mended(jump: Double) async throws {
        let clocks = Clocks()
        let steady = SteadyClock(wall: { clocks.wall }, uptime: { clocks.uptime })
        try await played(
            .loopback,
            { $0.clock = { steady.now } }
        ) { world in
            let alice = try await world.signIn("alice")
            try await world.call("private/zones/modify", zones(create: ["Z"]), as: alice)
            let token = try await world.get("private/zones/list", as: alice).json["zones"][1]["syncToken"]
            try await world.modify("private", [create("a")], zone: "Z", as: alice)
            try await world.modify("private", [forceDelete("a")], zone: "Z", as: alice)
            func expectRight(_ name: String) async throws {
                let saved = try await world.modify("private", [create(name)], zone: "Z", as: alice)
                let stamp = try #require(saved.json["records"][0]["modified"]["timestamp"].number)
                let right = 1_401_710_400_000 + Int64(clocks.uptime / .milliseconds(1))
                #expect(stamp == right)
                let feed = try await world.call(
                    "private/changes/zone",
                    ["zones": [["zoneID": ["zoneName": "Z"], "syncToken": token]]], as: alice)
                #expect(feed.items("zones") == ["ok"])
            }
            // Long enough for the daily housekeeping to be due.
            clocks.pass(2 * Self.day)
            clocks.set(wrongBy: jump)
            try await expectRight("b")
            clocks.pass(3600)
            try await expectRight("c")
            clocks.set(wrongBy: 0)
            try await expectRight("d")
            clocks.pass(60)
            try await expectRight("e")
        }
    }

    @Test(
        "A server whose clock is no time at all starts and answers",
        arguments: [Double.infinity, -.infinity, .nan])
    func noTime(seconds: Double) async throws {
        try await played(.loopback, { $0.clock = { Date(timeIntervalSince1970: seconds) } }) { world in
            let alice = try await world.signIn("alice")
            let saved = try await world.modify("private", [create("a")], as: alice)
            #expect(saved.records == ["ok"])
        }
    }

    @Test("Housekeeping that was done in the future is due again when the clock is set back")
    func housekeeping() {
        let housekeeping = Housekeeping()
        func isDue(_ seconds: Int64) -> Bool {
            housekeeping.isDue(at: Timestamp(milliseconds: seconds * 1000), everySeconds: 100)
        }
        #expect(isDue(0))
        #expect(!isDue(99))
        #expect(isDue(100_000))
        #expect(isDue(100))
        #expect(!isDue(150))
        #expect(isDue(200))
    }

    @Test("A bucket of requests is neither filled nor emptied by a clock that is set back")
    func bucket() {
        var bucket = TokenBucket(
            RequestRate(requests: 1, seconds: 10), at: Timestamp(milliseconds: 1_000_000))
        bucket.take()
        for time in [0, Int64(1), 5000] {
            bucket.fill(at: Timestamp(milliseconds: time))
            #expect(bucket.wait > 0)
        }
        bucket.fill(at: Timestamp(milliseconds: 10_000))
        #expect(bucket.wait == 0)
    }
}
