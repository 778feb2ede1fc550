import CloudSync
import Cloudlet
import Foundation
import LocalReplica
import Records
import Testing

@testable import TestKit

@Suite("A change of the account during a sync", .timeLimit(.minutes(30)))
struct AccountChangeTests {
    @Test(
        "Edits whose file is uploaded when another person signs in stay pending, and are sent by their owner",
        arguments: [false, true])
    func duringUpload(isAnnounced: Bool) async throws {
        let name = "changeshands-\(isAnnounced)"
        let phone = try await SyncWorld.device(of: name, "phone")
        let tablet = try await SyncWorld.device(of: name, "tablet")
        let other = try await SyncWorld.device(of: "\(name)-other", "phone")
        for device in [phone, other] { try await device.sync.waitUntilIdle() }
        let file = phone.files.appendingPathExtension("jpg")
        try Data("a picture of \(name)".utf8).write(to: file)
        defer { file.remove() }
        let asset = try phone.replica.keepFile(at: file)
        var bill = ReplicaRecord(type: "Bill", id: RecordID(name: "bill", zone: "Notes"))
        bill[field: "photo"] = .asset(asset)
        let saved = bill
        try await phone.replica.write { try $0.save(saved) }
        try await phone.write("mine", to: "n")

        let account = try #require(phone.container.connection.account)
        let own = try #require(account.webAuthToken)
        let others = try #require(other.container.connection.account?.webAuthToken)
        phone.link.hook = { target in
            guard target.contains("assets/upload") else { return }
            account.signIn(webAuthToken: others)
            if isAnnounced { await phone.sync.accountChanged() }
        }
        #expect(try await phone.sync.sync().accountProblem == .otherPerson)
        #expect(try await phone.pending() == ["create bill", "create n"])
        try await other.sync.waitUntilIdle()
        #expect(try await other.text("n") == nil)

        phone.link.hook = nil
        account.signIn(webAuthToken: own)
        await phone.sync.accountChanged()
        try await phone.sync.waitUntilIdle()
        #expect(try await phone.pending() == [])
        try await tablet.sync.waitUntilIdle()
        #expect(try await tablet.text("n") == "mine")
        #expect(tablet.replica.file(of: asset) != nil)
    }

    @Test("Pages that are requested after another person has signed in are not applied")
    func duringFetch() async throws {
        let (phone, tablet) = try await SyncWorld.pair("fetchinghands") { $0.pageSize = 2 }
        let other = try await SyncWorld.device(of: "fetchinghands-other", "phone")
        for device in [phone, other] {
            for number in 0..<5 { try await device.write(device.person, to: "\(device.person)\(number)") }
            try await device.sync.waitUntilIdle()
        }
        let account = try #require(tablet.container.connection.account)
        let others = try #require(other.container.connection.account?.webAuthToken)
        tablet.link.hook = { target in
            if target.contains("changes/zone") { account.signIn(webAuthToken: others) }
        }
        #expect(try await tablet.sync.sync().accountProblem == .otherPerson)
        #expect(try await tablet.replica.read { try $0.count(in: "Notes") } == 2)
        for number in 0..<5 { #expect(try await tablet.text("\(other.person)\(number)") == nil) }
    }
}
