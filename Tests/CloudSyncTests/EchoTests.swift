import Cloudlet
import CloudletServer
import Foundation
import LocalReplica
import Testing

@testable import CloudSync

@Suite("Records that a feed returns again", .timeLimit(.minutes(30)))
struct EchoTests {
    @Test("Records whose version the device has do not count as fetched, also after a restart")
    func ownRecords() async throws {
        let (phone, tablet) = try await SyncWorld.pair("ownrecords")
        for number in 0..<3 { try await phone.write("text", to: "n\(number)") }
        // The edits are sent, and the device is switched off before it fetches changes.
        phone.fault(.networkFailureBefore, on: "changes/zone")
        #expect(try await phone.sync.sync().activity == .waiting)
        #expect(try await phone.pending() == [])
        try await tablet.write("text of the tablet", to: "n3")
        try await tablet.sync.waitUntilIdle()
        let configuration = phone.sync.configuration
        let later = CloudSync(
            container: phone.container, replica: phone.replica, configuration: configuration)
        let status = try await later.sync()
        #expect(status.activity == .idle)
        #expect(status.progress.fetched == 1)
        #expect(try await phone.text("n3") == "text of the tablet")
    }

    @Test("After an expired token, existing records stay, and deleted records are removed")
    func startedOver() async throws {
        let (phone, tablet) = try await SyncWorld.pair("echoover")
        for number in 0..<3 { try await phone.write("text", to: "n\(number)") }
        for device in [phone, tablet] { try await device.sync.waitUntilIdle() }
        try await tablet.delete("n1")
        try await tablet.sync.waitUntilIdle()
        phone.fault(.tokenExpired, on: "changes/zone")
        let status = try await phone.sync.sync()
        #expect(status.activity == .idle)
        #expect(try await phone.text("n0") == "text")
        #expect(try await phone.text("n1") == nil)
        #expect(try await phone.text("n2") == "text")
        #expect(try await phone.conflicts() == [])
    }
}
