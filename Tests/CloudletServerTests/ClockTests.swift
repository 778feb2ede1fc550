import Foundation
import Records
import RecordsWire
import Synchronization
import Testing

@testable import CloudService
@testable import CloudletServer
@testable import ServerKit
@testable import TestKit

@Suite("Changes of the system clock", .timeLimit(.minutes(30)))
struct ClockTests {
    private static let day = 86_400.0
    private static let year = 365 * day

    @Test(
        "Small clock steps take effect at once, large ones after two hours, and corrected ones never")
    func steps() {
        var steps = ClockSteps(wall: 1000, uptime: 0)
        #expect(steps.time(wall: 1010, uptime: 10) == 1010)
        // One hour forward and back.
        #expect(steps.time(wall: 4620, uptime: 20) == 4620)
        #expect(steps.time(wall: 1030, uptime: 30) == 1030)
        for jump in [10 * Self.year, -10 * Self.year] {
            // The clock is wrong for an hour, then correct again.
            #expect(steps.time(wall: 1040 + jump, uptime: 40) == 1040)
            #expect(steps.time(wall: 4600 + jump, uptime: 3600) == 4600)
            #expect(steps.time(wall: 4700, uptime: 3700) == 4700)
        }
        // Each step starts a new period of two hours; this step lasts longer.
        let late = 4000.0
        #expect(steps.time(wall: 1000 + late + Self.year, uptime: late) == 1000 + late)
        #expect(steps.time(wall: 1000 + late + 7199 + Self.year, uptime: late + 7199) == 1000 + late + 7199)
        let trusted = 1000 + late + 7200 + Self.year
        #expect(steps.time(wall: trusted, uptime: late + 7200) == trusted)
        #expect(steps.time(wall: trusted + 1, uptime: late + 7201) == trusted + 1)
        // Values that are not finite are never used.
        for wall in [Double.infinity, -.infinity, .nan] {
            for uptime in [20_000.0, 40_000, 60_000] {
                #expect(steps.time(wall: wall, uptime: uptime).isFinite)
            }
        }
    }

    /// The wall clock and the uptime, both set by the test.
    private final class Clocks: Sendable {
        private let state = Mutex((uptime: 0.0, error: 0.0))

        /// Lets time pass.
        func pass(_ seconds: Double) { state.withLock { $0.uptime += seconds } }
        /// Sets the difference between the wall clock and the correct time.
        func set(wrongBy error: Double) { state.withLock { $0.error = error } }

        var wall: Date {
            let (uptime, error) = state.withLock { $0 }
            return Date(timeIntervalSince1970: 1_401_710_400 + uptime + error)
        }
        var uptime: Duration { .seconds(state.withLock { $0.uptime }) }
    }

    @Test(
        "A clock that is wrong for an hour deletes nothing, ends no session and stamps no record",
        arguments: [10 * year, -10 * year])
    func mended(jump: Double) async throws {
        let clocks = Clocks()
        let steady = SteadyClock(wall: { clocks.wall }, uptime: { clocks.uptime })
        try await withServer(
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
        "A server starts and answers even if its clock returns a value that is not finite",
        arguments: [Double.infinity, -.infinity, .nan])
    func noTime(seconds: Double) async throws {
        try await withServer(.loopback, { $0.clock = { Date(timeIntervalSince1970: seconds) } }) { world in
            let alice = try await world.signIn("alice")
            let saved = try await world.modify("private", [create("a")], as: alice)
            #expect(saved.records == ["ok"])
        }
    }

    @Test("Housekeeping with a last run in the future is due after the clock is set back")
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

    @Test("Setting the clock back neither fills nor empties a token bucket")
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
