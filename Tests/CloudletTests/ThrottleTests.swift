// Tests that an app gets the error of the framework for a rate limit, and that its request succeeds after the
// wait that the error names.

import Cloudlet
import CloudletServer
import CloudletTesting
import Foundation
import Testing

@Suite("A client that exceeds its rate limit", .timeLimit(.minutes(30)))
struct ThrottleTests {
    @Test("It gets requestRateLimited with the seconds to wait, and succeeds after exactly that time")
    func waiting() async throws {
        var limits = Limits()
        limits.personRate = .init(requests: 2, seconds: 8)
        let world = try await CloudletWorld.start(limits: limits)
        let alice = try await world.container("iCloud.org.example.app", as: "alice", on: "phone")
        let database = alice.privateCloudDatabase
        _ = try await database.allRecordZones()
        _ = try await database.allRecordZones()
        let error = await #expect(throws: CKError.self) { _ = try await database.allRecordZones() }
        #expect(error?.code == .requestRateLimited)
        #expect(error?.userInfo[CKErrorRetryAfterKey] as? NSNumber == 4)
        let wait = try #require(error?.retryAfterSeconds)
        // Until then the device refuses requests itself and sends none to the server.
        world.clock.advance(bySeconds: wait - 1)
        let early = await #expect(throws: CKError.self) { _ = try await database.allRecordZones() }
        #expect(early?.code == .requestRateLimited)
        #expect(early?.retryAfterSeconds == 1)
        world.clock.advance(bySeconds: 1)
        _ = try await database.allRecordZones()
        let again = await #expect(throws: CKError.self) { _ = try await database.allRecordZones() }
        #expect(again?.retryAfterSeconds == 4)
        await world.stop()
    }
}
