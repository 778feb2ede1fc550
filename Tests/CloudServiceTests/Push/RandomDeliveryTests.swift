import CloudletServer
import CloudletTesting
import RecordsWire
import Testing

@testable import ServerKit
@testable import TestKit

@Suite("Random deliveries", .timeLimit(.minutes(30)))
struct RandomDeliveryTests {
    /// The state that an app keeps on a device.
    private struct Device {
        var courier: String
        var token: JSON = .null
        var known: [String] = []
        /// The records known from the subscription whose pushes are silent and coalesce.
        var knownSilently: [String] = []
        var pushed: [String] = []
    }

    private static let dials: [FaultKind] = [
        .pushDrop, .pushReorder, .pushDuplicate, .deviceOffline, .pushDelay,
    ]

    @Test("In 200 random runs every device ends with exactly the changes that happened")
    func lives() async throws {
        let configure: @Sendable (inout ServerConfiguration) -> Void = { configuration in
            // Waits end at once.
            configuration.idle = { _ in }
            configuration.pause = { _ in }
        }
        let world = try await ServerWorld.start(.loopback, configure)
        let (alice, bob) = (try await world.signIn("alice"), try await world.signIn("bob"))
        var devices = try await Self.devices(of: bob, told: alice, world)
        var made: [String] = []
        for seed in 1...200 {
            var random = SeededNumbers(seed: UInt64(seed))
            for step in 0..<8 {
                let name = "r\(seed)-\(step)"
                if try await Self.live(&random, &devices, world, alice, name) { made.append(name) }
            }
            world.server.faults.clear()
            for place in devices.indices { try await Self.catchUp(&devices[place], world, bob) }
            for device in devices {
                #expect(device.known == made, "seed \(seed)")
                #expect(device.knownSilently == made, "seed \(seed)")
            }
            // Pushes are only about records that were created.
            for device in devices { #expect(Set(device.pushed).isSubset(of: made), "seed \(seed)") }
        }
        await world.stop()
        let arrived = devices.map(\.pushed.count).reduce(0, +)
        print(
            "deliveries: seeds 1 to 200, \(made.count) records, \(arrived) pushes, all known in the end"
        )
    }

    /// Three devices of a person with a visible and a silent subscription to new records.
    private static func devices(
        of bob: Person, told alice: Person, _ world: ServerWorld
    ) async throws -> [Device] {
        try await world.modify("public", [create("p")], as: alice)
        let info: JSON = ["alertBody": "New"]
        try await world.subscribe(
            "public",
            [
                subscription("all", on: ["create"]).with(["notificationInfo": info]),
                subscription("quiet", on: ["create", "delete"]),
            ], as: bob)
        var devices: [Device] = []
        for name in ["phone", "pad", "mac"] {
            devices.append(Device(courier: try await world.courier(of: bob, on: name)))
        }
        return devices
    }

    /// One random event. Returns true if it created the record with this name.
    private static func live(
        _ random: inout SeededNumbers, _ devices: inout [Device], _ world: ServerWorld, _ alice: Person,
        _ name: String
    ) async throws -> Bool {
        let place = Int.random(in: 0..<devices.count, using: &random)
        switch Int.random(in: 0..<10, using: &random) {
        case 0..<5:
            try await world.modify("public", [create(name)], as: alice)
            return true
        case 5..<7:
            let dial = dials[Int.random(in: 0..<dials.count, using: &random)]
            world.server.faults.add(Fault(dial, count: 1, seconds: 0))
        case 7: world.clock.advance(bySeconds: 100)
        default:
            // A poll without a waiting push gets an empty answer.
            let push = try await world.send("GET", devices[place].courier)
            if let name = push.json["ck"]["qry"]["rid"].text { devices[place].pushed.append(name) }
        }
        return false
    }

    /// Fetches the collection from the device's position.
    private static func catchUp(_ device: inout Device, _ world: ServerWorld, _ person: Person) async throws {
        var more = true
        while more {
            let page = try await world.device(
                "notifications/changes", ["syncToken": device.token, "resultsLimit": 3], as: person)
            #expect(page.status == 200)
            for push in page.json["notifications"].elements.map({ $0["ck"]["qry"] }) {
                guard let record = push["rid"].text else { continue }
                if push["sid"] == "all" {
                    device.known.append(record)
                } else {
                    device.knownSilently.append(record)
                }
            }
            device.token = page.json["syncToken"]
            more = page.json["moreComing"] == true
        }
    }
}
