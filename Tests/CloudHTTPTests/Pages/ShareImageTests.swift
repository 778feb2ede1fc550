import CloudletServer
import Foundation
import RecordsWire
import Testing

@testable import CloudService
@testable import ServerKit
@testable import TestKit

@Suite("Large images on the page of a share", .timeLimit(.minutes(30)))
struct ShareImageTests {
    private static let image = imageText(bytes: 40_000)

    /// The text of bytes that begin like a PNG.
    private static func imageText(bytes count: Int) -> String {
        Data([0x89, 0x50, 0x4E, 0x47] + Array(repeating: 7, count: count - 4)).base64EncodedString()
    }

    @Test("A page with a large image is made on a thread of its own")
    func threads() async throws {
        let gate = GatedExecutor()
        gate.open()
        try await withServer(.socket, { $0.bodyThreads = gate.threads }) { world in
            let note = try await SharedNote.make(
                world, publicPermission: "READ_ONLY", thumbnail: Self.image)
            let before = gate.count
            let page = try await note.page()
            #expect(page.status == 200)
            #expect(page.text.contains("<img src=\"data:image/png;base64,\(Self.image)\" alt=\"\">"))
            #expect(page.text.contains("</html>"))
            #expect(gate.count > before)
        }
    }

    @Test("A page with a large image counts as an answer that is being sent, another page does not")
    func counted() async throws {
        try await withServer(.socket, { $0.limits.sendingBytes = 1_000_000 }) { world in
            let note = try await SharedNote.make(
                world, publicPermission: "READ_ONLY", thumbnail: Self.image)
            let held = try world.service.traffic.sending.lease(900_000, for: [])
            let refused = try await note.page()
            #expect(refused.status == 503)
            #expect(refused.text.contains("The server is sending as much as it can."))
            let close = operation(
                "forceUpdate", "s", type: "cloudkit.share", [:], ["publicPermission": "NONE"])
            let closed = try await world.modify("private", [close], zone: "Notes", as: note.alice)
            #expect(closed.records == ["ok"])
            let small = try await note.page()
            #expect(small.status == 200)
            withExtendedLifetime(held) {}
        }
    }

    @Test(
        "Memory for the fields of a share is reserved as soon as they are read",
        arguments: ["page", "records/resolve"])
    func reserved(_ call: String) async throws {
        let gate = GatedExecutor()
        gate.open()
        try await withServer(.socket, { $0.bodyThreads = gate.threads }) { world in
            let note = try await SharedNote.make(
                world, publicPermission: "READ_ONLY", thumbnail: Self.imageText(bytes: 100_000))
            let bob = try await world.signIn("bob")
            let sending = world.service.traffic.sending
            try await until { sending.bytes == 0 }
            // Fields of this size are decoded on the threads that the gate holds back.
            gate.close()
            defer { gate.open() }
            async let waiting = Self.ask(call, for: note, as: bob)
            await gate.waitForWork()
            #expect(sending.bytes >= 200_000)
            gate.open()
            let answer = try await waiting
            #expect(answer.status == 200)
            try await until { sending.bytes == 0 }
        }
    }

    private static func ask(_ call: String, for note: SharedNote, as person: Person) async throws -> Reply {
        if call == "page" { return try await note.page() }
        let body: JSON = ["shortGUIDs": [["value": .string(note.guid)]]]
        return try await note.world.call("public/\(call)", body, as: person)
    }

    @Test(
        "While nothing more can be sent, an answer with a share is refused, however small its fields are",
        arguments: ["page", "records/resolve"])
    func noRoom(_ call: String) async throws {
        try await withServer(.socket, { $0.limits.sendingBytes = 1_000_000 }) { world in
            let note = try await SharedNote.make(world, publicPermission: "READ_ONLY")
            let bob = try await world.signIn("bob")
            let sending = world.service.traffic.sending
            try await until { sending.bytes == 0 }
            let held = try sending.lease(1_000_000, for: [])
            let refused = try await Self.ask(call, for: note, as: bob)
            #expect(refused.status == 503)
            #expect(refused.headers["Retry-After"] == "5")
            withExtendedLifetime(held) {}
        }
    }
}
