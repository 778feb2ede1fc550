import CloudletServer
import Foundation
import Testing

@testable import CloudService
@testable import ServerKit
@testable import TestKit

@Suite("Large images on the page of a share", .timeLimit(.minutes(30)))
struct ShareImageTests {
    /// The text of 40,000 bytes that begin like a PNG.
    private static let image = Data([0x89, 0x50, 0x4E, 0x47] + Array(repeating: 7, count: 39_996))
        .base64EncodedString()

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
}
