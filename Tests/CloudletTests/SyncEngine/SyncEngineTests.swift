import CloudKit
import CloudletServer
import CloudletTesting
import Foundation
import Records
import Synchronization
import Testing

@testable import Cloudlet
@testable import TestKit

@Suite("Sync engines with a server", .timeLimit(.minutes(30)))
struct SyncEngineTests {
    static let zone = CKRecordZone.ID(zoneName: "Notes")

    @Test("A send and a fetch deliver their events in the documented order")
    func order() async throws {
        try await withFixture { fixture in
            let (phone, tablet) = (SyncedNotes(), SyncedNotes())
            let sender = phone.engine(fixture.alice.privateCloudDatabase)
            let fetcher = tablet.engine(fixture.tablet.privateCloudDatabase)
            sender.state.add(pendingDatabaseChanges: [.saveZone(CKRecordZone(zoneID: Self.zone))])
            phone.write([("a", "milk"), ("b", "eggs")], in: Self.zone, sender)
            try await sender.sendChanges()
            #expect(
                phone.events() == ["sign-in", "will send", "sent zones 1/0-0/0", "sent 2/0-0/0", "did send"])
            #expect(sender.state.pendingRecordZoneChanges == [])
            #expect(sender.state.pendingDatabaseChanges == [])
            try await fetcher.fetchChanges()
            #expect(
                tablet.events() == [
                    "sign-in", "will fetch", "zones Notes", "will fetch Notes", "records 2-0",
                    "did fetch Notes", "did fetch",
                ])
            #expect(tablet.texts == ["a": "milk", "b": "eggs"])
            phone.delete("a", in: Self.zone, sender)
            try await sender.sendChanges()
            #expect(phone.events() == ["will send", "sent 0/0-1/0", "did send"])
            try await fetcher.fetchChanges()
            #expect(
                tablet.events() == [
                    "will fetch", "zones Notes", "will fetch Notes", "records 0-1", "did fetch Notes",
                    "did fetch",
                ])
            #expect(tablet.texts == ["b": "eggs"])
            try await fetcher.fetchChanges()
            #expect(tablet.events() == ["will fetch", "did fetch"])
        }
    }

    @Test("A conflict is no longer pending; the app merges and adds the change again")
    func conflict() async throws {
        try await withFixture { fixture in
            let (phone, tablet) = (SyncedNotes(), SyncedNotes())
            let one = phone.engine(fixture.alice.privateCloudDatabase)
            let two = tablet.engine(fixture.tablet.privateCloudDatabase)
            one.state.add(pendingDatabaseChanges: [.saveZone(CKRecordZone(zoneID: Self.zone))])
            phone.write("milk", to: "a", in: Self.zone, one)
            try await one.sendChanges()
            try await two.fetchChanges()
            phone.write("milk, eggs", to: "a", in: Self.zone, one)
            try await one.sendChanges()
            _ = tablet.events()
            tablet.write("bread", to: "a", in: Self.zone, two)
            try await two.sendChanges()
            #expect(tablet.events() == ["will send", "sent 0/1-0/0", "sent 1/0-0/0", "did send"])
            #expect(tablet.errors() == [.serverRecordChanged])
            try await one.fetchChanges()
            #expect(phone.texts == ["a": "bread"])
        }
    }

    @Test("After zoneNotFound the app adds the zone, which is sent before the next batch")
    func zoneNotFound() async throws {
        try await withFixture { fixture in
            let phone = SyncedNotes()
            let engine = phone.engine(fixture.alice.privateCloudDatabase)
            phone.write("milk", to: "a", in: Self.zone, engine)
            try await engine.sendChanges()
            #expect(
                phone.events() == [
                    "sign-in", "will send", "sent 0/1-0/0", "sent zones 1/0-0/0", "sent 1/0-0/0", "did send",
                ])
            #expect(phone.errors() == [.zoneNotFound])
        }
    }

    @Test("After unknownItem the app sends the record as a new one")
    func unknownItem() async throws {
        try await withFixture { fixture in
            let (phone, tablet) = (SyncedNotes(), SyncedNotes())
            let one = phone.engine(fixture.alice.privateCloudDatabase)
            let two = tablet.engine(fixture.tablet.privateCloudDatabase)
            one.state.add(pendingDatabaseChanges: [.saveZone(CKRecordZone(zoneID: Self.zone))])
            phone.write("milk", to: "a", in: Self.zone, one)
            try await one.sendChanges()
            try await two.fetchChanges()
            tablet.delete("a", in: Self.zone, two)
            try await two.sendChanges()
            _ = phone.events()
            phone.write("milk, eggs", to: "a", in: Self.zone, one)
            try await one.sendChanges()
            #expect(phone.events() == ["will send", "sent 0/1-0/0", "sent 1/0-0/0", "did send"])
            #expect(phone.errors() == [.unknownItem])
            try await two.fetchChanges()
            #expect(tablet.texts == ["a": "milk, eggs"])
        }
    }

    @Test("A new record that exists already is a conflict with the server's record, which the app merges")
    func existingRecord() async throws {
        try await withFixture { fixture in
            let (phone, tablet) = (SyncedNotes(), SyncedNotes())
            let one = phone.engine(fixture.alice.privateCloudDatabase)
            let two = tablet.engine(fixture.tablet.privateCloudDatabase)
            one.state.add(pendingDatabaseChanges: [.saveZone(CKRecordZone(zoneID: Self.zone))])
            phone.write("milk", to: "a", in: Self.zone, one)
            try await one.sendChanges()
            tablet.write("eggs", to: "a", in: Self.zone, two)
            try await two.sendChanges()
            #expect(
                tablet.events() == ["sign-in", "will send", "sent 0/1-0/0", "sent 1/0-0/0", "did send"])
            #expect(tablet.errors() == [.serverRecordChanged])
            try await one.fetchChanges()
            #expect(phone.texts == ["a": "eggs"])
        }
    }

    @Test("444 records are sent in batches of 200, 200 and 44, and all arrive")
    func manyRecords() async throws {
        try await withFixture { fixture in
            let (phone, tablet) = (SyncedNotes(), SyncedNotes())
            let one = phone.engine(fixture.alice.privateCloudDatabase)
            let two = tablet.engine(fixture.tablet.privateCloudDatabase)
            one.state.add(pendingDatabaseChanges: [.saveZone(CKRecordZone(zoneID: Self.zone))])
            phone.write((0..<444).map { ("n\($0)", "text \($0)") }, in: Self.zone, one)
            try await one.sendChanges()
            #expect(
                phone.events() == [
                    "sign-in", "will send", "sent zones 1/0-0/0", "sent 200/0-0/0", "sent 200/0-0/0",
                    "sent 44/0-0/0", "did send",
                ])
            try await two.fetchChanges()
            #expect(tablet.texts == phone.texts)
            #expect(tablet.texts.count == 444)
        }
    }

    @Test("Collected batches that are atomic by zone fit into one request each, and all records arrive")
    func manyRecordsAtomic() async throws {
        try await withFixture { fixture in
            let (phone, tablet) = (SyncedNotes(isAtomic: true), SyncedNotes())
            let one = phone.engine(fixture.alice.privateCloudDatabase)
            let two = tablet.engine(fixture.tablet.privateCloudDatabase)
            one.state.add(pendingDatabaseChanges: [.saveZone(CKRecordZone(zoneID: Self.zone))])
            phone.write((0..<250).map { ("n\($0)", "text \($0)") }, in: Self.zone, one)
            try await one.sendChanges()
            #expect(
                phone.events() == [
                    "sign-in", "will send", "sent zones 1/0-0/0", "sent 200/0-0/0", "sent 50/0-0/0",
                    "did send",
                ])
            #expect(phone.errors() == [])
            try await two.fetchChanges()
            #expect(tablet.texts == phone.texts)
            #expect(tablet.texts.count == 250)
        }
    }

    @Test("A record whose file the server has lost is named in an error; the others come once")
    func lostFile() async throws {
        try await withFixture { fixture in
            let database = fixture.alice.privateCloudDatabase
            try await database.save(CKRecordZone(zoneID: Self.zone))
            let content = Data("a picture that the server loses".utf8)
            let file = URL.unused()
            try content.write(to: file)
            defer { file.remove() }
            let bill = party("bill", zone: Self.zone)
            bill["picture"] = CKAsset(fileURL: file)
            for record in [party("a", zone: Self.zone), bill, party("b", zone: Self.zone)] {
                try await database.save(record)
            }
            let lost = try fixture.world.server.dataFolder.loseFiles(with: content)
            let failed = Mutex<[CKRecord.ID]>([])
            let tablet = SyncedNotes(hook: { event, _ in
                guard case .didFetchRecordZoneChanges(let end) = event else { return }
                let ids = end.error?.partialErrorsByItemID?.keys.compactMap { $0 as? CKRecord.ID } ?? []
                failed.withLock { $0 += ids }
            })
            let engine = tablet.engine(fixture.tablet.privateCloudDatabase)
            try await engine.fetchChanges()
            #expect(!lost.isEmpty)
            #expect(
                tablet.events() == [
                    "sign-in", "will fetch", "zones Notes", "will fetch Notes", "records 2-0",
                    "did fetch Notes 2", "did fetch",
                ])
            #expect(failed.withLock { $0 } == [bill.recordID])
            try await engine.fetchChanges()
            #expect(tablet.events() == ["will fetch", "did fetch"])
        }
    }

    @Test("Changes that were added before the first sign-in are sent after it")
    func beforeFirstSignIn() async throws {
        try await withFixture { fixture in
            let account = CloudAccount()
            let container = try await AutomaticSyncEngineTests.container(fixture.world, account)
            let phone = SyncedNotes()
            let engine = phone.engine(container.privateCloudDatabase)
            engine.state.add(pendingDatabaseChanges: [.saveZone(CKRecordZone(zoneID: Self.zone))])
            phone.write("milk", to: "a", in: Self.zone, engine)
            try await account.signIn(as: "carol", to: container)
            try await engine.sendChanges()
            // After a sign-in, the app adds its notes again, but not its zones.
            #expect(
                phone.events() == ["sign-in", "will send", "sent zones 1/0-0/0", "sent 1/0-0/0", "did send"])
            #expect(phone.errors() == [])
        }
    }

    @Test("A save whose response was lost is reported as failed; sent again, it is a conflict")
    func responseLost() async throws {
        try await withFixture { fixture in
            let phone = SyncedNotes()
            let engine = phone.engine(fixture.alice.privateCloudDatabase)
            engine.state.add(pendingDatabaseChanges: [.saveZone(CKRecordZone(zoneID: Self.zone))])
            phone.write("milk", to: "a", in: Self.zone, engine)
            try await engine.sendChanges()
            _ = phone.events()
            phone.write("milk, eggs", to: "a", in: Self.zone, engine)
            fixture.world.server.faults.add(Fault(.responseLost, endpoint: "records/modify", count: 1))
            let lost = await code { try await engine.sendChanges() }
            #expect(lost == .serverResponseLost)
            #expect(phone.events() == ["will send", "sent 0/1-0/0", "did send"])
            #expect(phone.errors() == [.serverResponseLost])
            try await engine.sendChanges()
            #expect(phone.events() == ["will send", "sent 0/1-0/0", "sent 1/0-0/0", "did send"])
            #expect(phone.errors() == [.serverRecordChanged])
            #expect(engine.state.pendingRecordZoneChanges == [])
            let id = CKRecord.ID(recordName: "a", zoneID: Self.zone)
            let record = try await fixture.tablet.privateCloudDatabase.record(for: id)
            #expect(record["text"] as? String == "milk, eggs")
        }
    }

    @Test("An engine continues with the state of the last one after a JSON round trip")
    func savedState() async throws {
        try await withFixture { fixture in
            let phone = SyncedNotes()
            do {
                let engine = phone.engine(fixture.alice.privateCloudDatabase)
                engine.state.add(pendingDatabaseChanges: [.saveZone(CKRecordZone(zoneID: Self.zone))])
                phone.write("milk", to: "a", in: Self.zone, engine)
                try await engine.sendChanges()
                try await engine.fetchChanges()
                phone.write("eggs", to: "b", in: Self.zone, engine)
                engine.state.add(pendingDatabaseChanges: [.deleteZone(CKRecordZone.ID(zoneName: "Old"))])
                let count = engine.state.pendingRecordZoneChanges.count
                try await until { phone.saved?.memory.records.count == count }
                try await until { phone.saved?.memory.zones.count == 1 }
            }
            _ = phone.events()
            let data = try JSONEncoder().encode(try #require(phone.saved))
            let state = try JSONDecoder().decode(CKSyncEngine.State.Serialization.self, from: data)
            let engine = CKSyncEngine(
                {
                    var configuration = CKSyncEngine.Configuration(
                        database: fixture.alice.privateCloudDatabase, stateSerialization: state,
                        delegate: phone)
                    configuration.automaticallySync = false
                    return configuration
                }())
            let id = CKRecord.ID(recordName: "b", zoneID: Self.zone)
            #expect(engine.state.pendingRecordZoneChanges == [.saveRecord(id)])
            #expect(
                engine.state.pendingDatabaseChanges == [.deleteZone(CKRecordZone.ID(zoneName: "Old"))])
            engine.state.remove(pendingDatabaseChanges: engine.state.pendingDatabaseChanges)
            try await engine.fetchChanges()
            #expect(phone.events() == ["will fetch", "did fetch"])
            try await engine.sendChanges()
            #expect(phone.events() == ["will send", "sent 1/0-0/0", "did send"])
        }
    }

    @Test(
        "Decoding a damaged or newer state throws an error",
        arguments: [
            "{}", #"{"version":2,"state":{}}"#, #"{"version":1}"#, #"{"version":1,"state":{"account":3}}"#,
        ])
    func unreadableState(json: String) throws {
        #expect(throws: DecodingError.self) {
            _ = try JSONDecoder().decode(CKSyncEngine.State.Serialization.self, from: Data(json.utf8))
        }
    }
}
