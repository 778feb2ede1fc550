// Owns the proof of containers: made by the operator, named well, and never mixed.

import Foundation
import RecordsWire
import Testing

@testable import CloudService

@Suite("Containers", .timeLimit(.minutes(2)))
struct ContainerTests {
    @Test("The operator makes, lists and shows them", arguments: Way.allCases)
    func create(way: Way) async throws {
        try await serving(way) { world in
            let made = try await world.operate("POST", "containers", ["name": "iCloud.org.example.b"])
            #expect(made.json["name"] == "iCloud.org.example.b")
            #expect(made.json["createdAt"] == 1_401_710_400_000)
            #expect(made.json["warnings"] == [])
            _ = try await world.operate("POST", "containers", ["name": "iCloud.org.example.a"])
            let list = try await world.operate("GET", "containers").json["containers"].elements
            #expect(list.map { $0["name"].text } == ["iCloud.org.example.a", "iCloud.org.example.b"])
            let shown = try await world.operate("GET", "containers/iCloud.org.example.b")
            #expect(shown.json == made.json)
            let twice = try await world.operate("POST", "containers", ["name": "iCloud.org.example.b"])
            #expect(twice.failure == "409 EXISTS: the container exists already")
            let none = try await world.operate("GET", "containers/iCloud.org.example.c")
            #expect(none.failure == "404 NOT_FOUND: the container is not known")
        }
    }

    @Test(
        "Malformed names are refused, by the operator's call and by every other",
        arguments: [
            "", "iCloud..x", ".iCloud.x", "iCloud.x.", "iCloud.a b", "iCloud/x", "iCloud.-x", "iCloud.x-",
            "iCloud.ä", "iCloud.%2e", String(repeating: "x", count: 129),
        ])
    func malformed(name: String) async throws {
        try await played(.loopback) { world in
            let refused = try await world.operate("POST", "containers", ["name": .string(name)])
            #expect(refused.status == 400)
            #expect(refused.json["cloudlet"]["nextStep"].text?.contains("iCloud.org.example.app") == true)
            let signInBody: JSON = ["name": "a", "container": .string(name)]
            let signIn = try await world.send(
                "POST", "/dev/sign-in", body: try signInBody.encoded())
            #expect(signIn.status == 400)
            #expect(try await world.operate("GET", "containers").json["containers"] == [])
        }
    }

    @Test(
        "Names that may clash work with a warning",
        arguments: [
            ("iCloud.org.example.app", 0), ("iCloud.com.example.parties", 0),
            ("iCloud.uk.co.example-1.a_b", 0),
            ("org.example.app", 1), ("iCloud.parties", 1), ("parties", 2), ("iCloud.app.example.org", 1),
            ("iCloud.io.dev.com", 0),
        ])
    func warnings(name: String, count: Int) throws {
        #expect(try ContainerName(name).warnings.count == count)
    }
}
