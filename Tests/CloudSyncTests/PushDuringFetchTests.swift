import Cloudlet
import Foundation
import TestKit
import Testing

@testable import CloudSync

@Suite("A push during a fetch", .timeLimit(.minutes(30)))
struct PushDuringFetchTests {
    @Test("A zone is fetched again if its push arrives while a page is being fetched")
    func duringPage() async throws {
        let (phone, tablet) = try await SyncWorld.pair("pushduringpage")
        try await phone.write("first", to: "n")
        try await phone.sync.waitUntilIdle()
        let base = try #require(tablet.link.base)
        tablet.link.base = LateTransport(base: base) { target in
            guard target.contains("changes/zone") else { return }
            tablet.link.base = base
            try await phone.write("second", to: "n")
            try await phone.sync.waitUntilIdle()
            await tablet.sync.receive([.zone("Notes")])
        }
        #expect(try await tablet.sync.sync().activity == .idle)
        #expect(try await tablet.text("n") == "second")
    }
}

/// Runs a closure between the arrival of a response and its delivery.
private struct LateTransport: CloudTransport {
    let base: any CloudTransport
    let delay: @Sendable (String) async throws -> Void

    func send(_ request: CloudRequest) async throws -> CloudResponse {
        let response = try await base.send(request)
        try await delay(request.target)
        return response
    }
}
