import CloudSync
import Cloudlet
import CloudletServer
import CloudletTesting
import Foundation
import LocalReplica
import Testing

@Suite("Zones of a sync", .timeLimit(.minutes(30)))
struct ZoneTests {
    @Test("Data that the person removed is removed here, and not sent again until the zone is resumed")
    func purged() async throws {
        let (phone, tablet) = try await SyncWorld.pair("purged")
        try await phone.write("a", to: "n")
        try await phone.sync.sync()
        try await tablet.sync.sync()
        try await tablet.remove("Notes", because: .purged)
        try await phone.write("b", to: "n")
        try await phone.sync.waitUntilIdle()
        #expect(try await phone.text("n") == nil)
        try await phone.write("c", to: "m")
        let blocked = await #expect(throws: SyncBlocked.self) { try await phone.sync.waitUntilIdle() }
        #expect(
            blocked?.status.why
                == "1 edit waits: the data of Notes was removed; resume the zone to send again")
        #expect(try await phone.pending() == ["create m"])
        try await phone.replica.write { try $0.resume("Notes") }
        try await phone.sync.waitUntilIdle()
        #expect(try await phone.pending() == [])
    }

    @Test("After a reset of the encrypted data, all records of this device are sent again")
    func reset() async throws {
        let (phone, tablet) = try await SyncWorld.pair("reset")
        for name in ["a", "b"] { try await phone.write("text", to: name) }
        try await phone.sync.sync()
        try await tablet.remove("Notes", because: .encryptedDataReset)
        try await phone.sync.waitUntilIdle()
        try await tablet.sync.waitUntilIdle()
        #expect(try await tablet.text("a") == "text")
        #expect(try await tablet.text("b") == "text")
    }

    @Test("A zone that another device deleted is removed here for good, and its edits are set aside")
    func zoneDeleted() async throws {
        let (phone, tablet) = try await SyncWorld.pair("zonedeleted")
        for name in ["a", "b"] { try await phone.write("text", to: name) }
        try await phone.sync.sync()
        try await tablet.database.deleteRecordZone(withID: CKRecordZone.ID(zoneName: "Notes"))
        try await phone.write("text of mine", to: "b")
        let status = try await phone.sync.sync()
        #expect(status.activity == .blocked)
        #expect(
            status.why
                == "1 edit waits: the zone Notes was deleted elsewhere; resume it to create it again")
        #expect(try await phone.text("a") == nil)
        #expect(try await phone.text("b") == "text of mine")
        #expect(try await phone.conflicts() == ["b: edited here, zone deleted elsewhere: set aside"])
        #expect(try await phone.pending() == ["create b"])
        #expect(try await phone.zonesOnServer() == [])
        try await phone.replica.write { try $0.resume("Notes") }
        try await phone.sync.waitUntilIdle()
        try await tablet.sync.waitUntilIdle()
        #expect(try await tablet.text("a") == nil)
        #expect(try await tablet.text("b") == "text of mine")
    }

    @Test("When another device creates a zone again, all edits of this device are sent to it")
    func zoneMadeAgain() async throws {
        let (phone, tablet) = try await SyncWorld.pair("zonemadeagain")
        for name in ["a", "b"] { try await phone.write("text", to: name) }
        for device in [phone, tablet] { try await device.sync.sync() }
        try await tablet.database.deleteRecordZone(withID: CKRecordZone.ID(zoneName: "Notes"))
        try await phone.write("text of mine", to: "b")
        #expect(try await phone.sync.sync().activity == .blocked)
        try await phone.write("typed since", to: "c")
        #expect(try await phone.sync.sync().activity == .blocked)
        #expect(try await tablet.sync.sync().activity == .idle)
        try await tablet.replica.write { try $0.resume("Notes") }
        try await tablet.write("text of the tablet", to: "d")
        try await tablet.sync.waitUntilIdle()
        try await phone.sync.waitUntilIdle()
        #expect(try await phone.pending() == [])
        #expect(
            try await phone.conflicts() == [
                "b: edited here, zone deleted elsewhere: set aside",
                "b: set aside, zone created again elsewhere: sent",
            ])
        try await tablet.sync.waitUntilIdle()
        for device in [phone, tablet] {
            #expect(try await device.text("a") == nil)
            #expect(try await device.text("b") == "text of mine")
            #expect(try await device.text("c") == "typed since")
            #expect(try await device.text("d") == "text of the tablet")
        }
    }

    @Test("Edits that the server refused are not sent again with the edits that were set aside")
    func refusedStays() async throws {
        let (phone, tablet) = try await SyncWorld.pair("refusedstays")
        try await phone.write("text", to: "a")
        for device in [phone, tablet] { try await device.sync.sync() }
        try await phone.write(String(repeating: "x", count: 1_100_000), to: "big")
        try await phone.sync.sync()
        #expect(try await phone.pending() == ["create big refused"])
        try await tablet.database.deleteRecordZone(withID: CKRecordZone.ID(zoneName: "Notes"))
        try await phone.sync.sync()
        try await tablet.sync.sync()
        try await tablet.replica.write { try $0.resume("Notes") }
        try await tablet.sync.waitUntilIdle()
        try await phone.sync.sync()
        #expect(try await phone.pending() == ["create big refused"])
    }

    @Test(
        "A zone that is deleted during a send or fetch is not created again", arguments: [true, false])
    func zoneDeletedMeanwhile(isSent: Bool) async throws {
        let (phone, tablet) = try await SyncWorld.pair("zonemeanwhile\(isSent)")
        try await phone.write("text", to: "a")
        try await phone.sync.sync()
        try await tablet.write("text", to: "b")
        try await tablet.sync.sync()
        if isSent { try await phone.write("text of mine", to: "a") }
        phone.link.hook = { target in
            guard target.contains(isSent ? "records/modify" : "changes/zone") else { return }
            phone.link.hook = nil
            try await tablet.database.deleteRecordZone(withID: CKRecordZone.ID(zoneName: "Notes"))
        }
        try await phone.sync.sync()
        #expect(try await phone.zonesOnServer() == [])
        #expect(try await phone.text("a") == (isSent ? "text of mine" : nil))
        let status = try await phone.sync.sync()
        #expect(status.activity == (isSent ? .blocked : .idle))
        #expect(try await phone.zonesOnServer() == [])
    }

    @Test(
        "A zone removal that a step reported is not applied again from the feed: later edits stay",
        arguments: [true, false])
    func removedOnce(isPurged: Bool) async throws {
        let (phone, tablet) = try await SyncWorld.pair("removedonce\(isPurged)")
        try await phone.write("text", to: "a")
        try await phone.sync.sync()
        try await phone.write("text of mine", to: "a")
        phone.link.hook = { target in
            guard target.contains("records/modify") else { return }
            phone.link.hook = nil
            if isPurged { return try await tablet.remove("Notes", because: .purged) }
            try await tablet.database.deleteRecordZone(withID: CKRecordZone.ID(zoneName: "Notes"))
        }
        try await phone.sync.sync()
        try await phone.write("since", to: "b")
        try await phone.sync.sync()
        #expect(try await phone.text("b") == "since")
        try await phone.replica.write { try $0.resume("Notes") }
        try await phone.sync.waitUntilIdle()
        #expect(try await phone.pending() == [])
        try await tablet.sync.waitUntilIdle()
        #expect(try await tablet.text("b") == "since")
    }

    @Test("Tombstones of zones from before a device's first sync do not close its zones")
    func oldGrave() async throws {
        let (phone, tablet) = try await SyncWorld.pair("oldgrave")
        try await phone.write("text", to: "a")
        try await phone.sync.sync()
        try await phone.remove("Notes", because: .purged)
        try await tablet.write("typed first", to: "n")
        try await tablet.sync.waitUntilIdle()
        #expect(try await tablet.pending() == [])
        #expect(try await tablet.text("n") == "typed first")
    }

    @Test("A push about a zone that is not in use here does not add the zone")
    func foreignPush() async throws {
        let (phone, _) = try await SyncWorld.pair("foreignpush")
        try await phone.sync.sync()
        let payload: [AnyHashable: Any] = [
            "ck": ["nid": "n", "p": 1, "fet": ["sid": "s", "zid": "Elsewhere", "dbs": 2]] as [String: Any]
        ]
        let push = try #require(CKNotification(fromRemoteNotificationDictionary: payload))
        #expect((push as? CKRecordZoneNotification)?.recordZoneID?.zoneName == "Elsewhere")
        await phone.sync.receive(push)
        #expect(try await phone.sync.sync(asksServer: false).activity == .idle)
        #expect(try await phone.replica.read { try $0.zones().map(\.name) } == ["Notes"])
        #expect(try await phone.zonesOnServer() == ["Notes"])
    }

    @Test("A zone that another device created is found, and a photo is fetched with its record")
    func unknownZone() async throws {
        let (phone, tablet) = try await SyncWorld.pair("unknownzone")
        let file = phone.files.appendingPathExtension("jpg")
        try Data("picture".utf8).write(to: file)
        let asset = try phone.replica.keepFile(at: file)
        try await phone.replica.write { writer in
            var receipt = ReplicaRecord(type: "Bill", id: RecordID(name: "r", zone: "Receipts"))
            receipt[field: "amount"] = .double(12.5)
            receipt[field: "photo"] = .asset(asset)
            receipt[field: "secret"] = "pin"
            receipt.encrypt("secret")
            try writer.save(receipt)
        }
        try await phone.sync.waitUntilIdle()
        try await tablet.sync.waitUntilIdle()
        #expect(try await phone.pending() == [])
        let found = try await tablet.replica.read { try $0.record(RecordID(name: "r", zone: "Receipts")) }
        #expect(found?[field: "amount"] == .double(12.5))
        #expect(found?[field: "secret"] == "pin")
        #expect(found?[field: "photo"] == .asset(asset))
        let kept = try #require(tablet.replica.file(of: asset))
        #expect(try Data(contentsOf: kept) == Data("picture".utf8))
    }
}

extension Device {
    /// Deletes a zone's data as a person does in the settings of a device.
    func remove(_ zone: String, because reason: CKDatabase.DatabaseChange.Deletion.Reason) async throws {
        let connection = try await world.connection(of: String(name.prefix { $0 != "-" }), on: name)
        try await connection.removeZones(
            [CKRecordZone.ID(zoneName: zone)], because: reason, inContainer: SyncWorld.container)
    }
}
