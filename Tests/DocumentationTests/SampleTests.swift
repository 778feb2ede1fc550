import CloudKit
import CloudSync
import CloudletServer
import CloudletTesting
import CollaborativeText
import Foundation
import LocalReplica
import MirroredStore
import Records
import Testing

@testable import TestKit

/// Runs the samples that are not tests themselves.
@Suite("Samples of the documentation", .timeLimit(.minutes(30)))
struct SampleTests {
    private static let app = "iCloud.com.example.parties"

    private static func party(_ name: String, in zone: CKRecordZone.ID = .default) -> CKRecord {
        let record = CKRecord(recordType: "Party", recordID: CKRecord.ID(recordName: name, zoneID: zone))
        record["name"] = name
        return record
    }

    @Test("Cloudlet: the first record")
    func firstRecord() async throws {
        try await CloudletWorld.run(port: 0) { world in
            let serverURL = try #require(world.server.url)
            let saved = try await saveFirstParty(at: serverURL)
            #expect(saved.recordChangeTag != nil)
        }
    }

    @Test("MirroredStore: sensor samples become a post, which is shared")
    func objectStores() async throws {
        try await CloudletWorld.run { world in
            let (alice, bob) = try await (
                world.container(Self.app, as: "alice"), world.container(Self.app, as: "bob")
            )
            try await world.setAccount("bob", email: "bob@example.org")
            let posts = try StoreLayout([.init("Post", attributes: [.init("title", .string)])])
            let samples = try StoreLayout([.init("Sample", attributes: [.init("value", .double)])])
            let clock = WorldClock(WorldClock.beginning)
            var settings = MirroredStore.Settings(
                now: { clock.now }, pause: { clock.advance(bySeconds: $0 / .seconds(1)) })
            settings.subscribes = false
            let folder = FileManager.default.temporaryDirectory
                .appendingPathComponent("object-stores-\(UUID().uuidString)")
            defer { try? FileManager.default.removeItem(at: folder) }
            let stores = try openStores(
                in: folder.appendingPathComponent("alice"), posts: posts, samples: samples, of: alice,
                settings)
            try await stores.write { try $0.save(try $0.make("Sample")) }
            try await sumUp(stores)
            let left = try await stores.read { reader in
                try (reader.objects("Sample").count, reader.objects("Post").map(\.id))
            }
            #expect(left.0 == 0)
            let post = try #require(left.1.first)
            let cloud = try stores.store("cloud")
            try await cloud.mirror()
            let url = try #require(try await share(post, of: cloud, with: "bob@example.org"))
            let shared = try await openSharedPosts(
                at: url, in: folder.appendingPathComponent("bob"), posts, of: bob, settings)
            let titles = try await shared.read {
                try $0.objects("Post").map { $0.get("title", as: String.self) }
            }
            #expect(titles == ["1 samples"])
        }
    }

    @Test("Cloudlet: a model is mapped once, for records of the cloud and of the device")
    func mapping() throws {
        let meeting = Meeting(
            id: "m", topic: "Cake", starts: Date(timeIntervalSince1970: 1_800_000_000), guests: ["Ann"])
        var cloud = CKRecord(recordType: "Meeting", recordID: CKRecord.ID(recordName: "m"))
        var device = ReplicaRecord(type: "Meeting", id: RecordID(name: "m"))
        meeting.write(to: &cloud)
        meeting.write(to: &device)
        #expect(try Meeting(cloud) == meeting)
        #expect(try Meeting(device) == meeting)
        #expect(cloud["guests"] as? [String] == ["Ann"])
        let bare = Meeting(id: "m", topic: "Tea", starts: nil, guests: [])
        bare.write(to: &cloud)
        bare.write(to: &device)
        #expect(try Meeting(cloud) == bare)
        #expect(try Meeting(device) == bare)
        #expect(cloud["starts"] == nil)
        let error = UnreadableField(recordType: "Meeting", recordName: "e", field: "topic")
        #expect(throws: error) {
            try Meeting(CKRecord(recordType: "Meeting", recordID: CKRecord.ID(recordName: "e")))
        }
    }

    @Test("Coming from CloudKit: a query and the changes of a zone")
    func queryAndChanges() async throws {
        try await CloudletWorld.run { world in
            let database = try await world.container(Self.app, as: "alice", on: "phone").privateCloudDatabase
            let zoneID = CKRecordZone.ID(zoneName: "Parties")
            try await database.save(CKRecordZone(zoneID: zoneID))
            for (name, guests) in [("Tea", 12), ("Coffee", 11), ("Milk", 10)] {
                let record = Self.party(name, in: zoneID)
                record["guests"] = guests
                try await database.save(record)
            }
            let names = try await namesOfBigParties(in: database, zoneID)
            #expect(names == ["Coffee", "Tea"])
            let changed = try await changedRecords(in: database, zoneID, since: nil)
            #expect(Set(changed.map(\.recordName)) == ["Tea", "Coffee", "Milk"])
        }
    }

    @Test("Coming from CloudKit: a key and a folder of the connection")
    func connectionSettings() async throws {
        try await CloudletWorld.run { world in
            let folder = world.server.dataFolder
            let serverURL = try #require(URL(string: "http://localhost:8080"))
            var settings = connection(to: serverURL, keyFile: folder.appendingPathComponent("key"))
            keepOperations(of: &settings, in: folder)
            #expect(settings.operationFolder == folder.appendingPathComponent("operations"))
        }
    }

    @Test("Coming from CloudKit: pushes of a zone")
    func zonePushes() async throws {
        try await CloudletWorld.run { world in
            let phone = try await world.container(Self.app, as: "alice", on: "phone")
            let tablet = try await world.container(Self.app, as: "alice", on: "tablet")
            let zoneID = CKRecordZone.ID(zoneName: "Parties")
            let database = phone.privateCloudDatabase
            try await database.save(CKRecordZone(zoneID: zoneID))
            try await database.save(CKRecordZoneSubscription(zoneID: zoneID, subscriptionID: "s"))
            let (fetches, fetch) = AsyncStream.makeStream(of: Void.self)
            let following = Task { await follow(zoneID, of: tablet) { fetch.yield() } }
            for await _ in fetches { break }
            try await database.save(Self.party("Coffee", in: zoneID))
            for await _ in fetches { break }
            following.cancel()
            await following.value
        }
    }

    @Test("Share records: an invitation, an acceptance, and three ways to end it")
    func sharing() async throws {
        try await CloudletWorld.run { world in
            let alice = try await world.container(Self.app, as: "alice", on: "phone")
            let bob = try await world.container(Self.app, as: "bob", on: "phone")
            let zoneID = CKRecordZone.ID(zoneName: "Parties")
            let database = alice.privateCloudDatabase
            try await database.save(CKRecordZone(zoneID: zoneID))
            let party = Self.party("Coffee", in: zoneID)
            let url = try #require(try await invite("bob@example.com", to: party, in: alice))
            let unverified = try await openParty(at: url, in: bob)
            #expect(unverified == nil)
            try await world.setAccount("bob", email: "bob@example.com")
            let theirs = try #require(try await openParty(at: url, in: bob))
            #expect(theirs["name"] == "Coffee")
            let shareID = try #require(theirs.share?.recordID)
            let joined = try #require(try await bob.sharedCloudDatabase.record(for: shareID) as? CKShare)
            try await leave(joined, in: bob)
            let ownID = try #require(party.share?.recordID)
            let share = try #require(try await database.record(for: ownID) as? CKShare)
            #expect(share.participants.count == 1)
            share.addParticipant(try await alice.shareParticipant(forEmailAddress: "bob@example.com"))
            try await database.save(share)
            _ = try await openParty(at: url, in: bob)
            let latest = try #require(try await database.record(for: share.recordID) as? CKShare)
            try await remove(try #require(latest.participants.last), from: latest, in: alice)
            let zones = try await bob.sharedCloudDatabase.allRecordZones()
            #expect(zones.isEmpty)
            try await stopSharing(party, in: alice)
            let own = try await database.record(for: party.recordID)
            #expect(own.share == nil)
        }
    }

    @Test("Share records: pushes of the shared database")
    func sharedPushes() async throws {
        try await CloudletWorld.run { world in
            let alice = try await world.container(Self.app, as: "alice", on: "phone")
            let bob = try await world.container(Self.app, as: "bob", on: "phone")
            try await followSharedRecords(in: bob)
            let phone = try await world.listening("bob", on: "tablet", Self.app)
            let zoneID = CKRecordZone.ID(zoneName: "Parties")
            let party = Self.party("Coffee", in: zoneID)
            try await world.share(party, of: alice, with: [bob])
            let joined = try #require(await phone.next())
            #expect(isAboutSharedRecords(joined))
            let latest = try await alice.privateCloudDatabase.record(for: party.recordID)
            try await alice.privateCloudDatabase.save(latest)
            let changed = try #require(await phone.next())
            #expect(isAboutSharedRecords(changed))
            await phone.stop()
        }
    }

    @Test("Share records: a replica of the shared database")
    func sharedReplica() async throws {
        try await CloudletWorld.run { world in
            let alice = try await world.container(Self.app, as: "alice", on: "phone")
            let bob = try await world.container(Self.app, as: "bob", on: "phone")
            let zoneID = CKRecordZone.ID(zoneName: "Parties")
            try await world.share(Self.party("Coffee", in: zoneID), of: alice, with: [bob])
            var configuration = SyncConfiguration(
                zones: ["Parties"], now: { Date(timeIntervalSince1970: 0) }, pause: { _ in })
            configuration.subscribes = false
            let folder = world.server.dataFolder.appendingPathComponent("device")
            let syncs = try openSyncs(of: bob, in: folder, configuration)
            for sync in [syncs.own, syncs.shared] { try await sync.waitUntilIdle() }
            let party = try #require(try await sharedParties(in: syncs.sharedReplica).first)
            #expect(party[field: "name"] == "Coffee")
            try await add(guest: "Eve", to: party, in: syncs.sharedReplica)
            try await syncs.shared.waitUntilIdle()
            let id = CKRecord.ID(recordName: "Eve", zoneID: zoneID)
            let guest = try await alice.privateCloudDatabase.record(for: id)
            #expect(guest.parent?.recordID.recordName == "Coffee")
            #expect(try await sharedParties(in: syncs.sharedReplica).count == 1)
        }
    }

    @Test("Write a text together: edits of two devices as records")
    func textTogether() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "texts-\(ProcessInfo.processInfo.processIdentifier)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let replica = try LocalReplica(inMemoryWithFiles: folder)
        let note = RecordID(name: "alps", zone: "Notes")
        var phone = CollaborativeText(site: try TextSite("phone"))
        var tablet = CollaborativeText(site: try TextSite("tablet"))
        try phone.insert("Pack a rope", at: 0)
        try await keepEdits(of: &phone, note: note, in: replica)
        try await applyEdits(to: &tablet, note: note, in: replica)
        try tablet.insert(" and a lamp", at: 11)
        try phone.insert("long ", at: 7)
        try await keepEdits(of: &tablet, note: note, in: replica)
        try await keepEdits(of: &phone, note: note, in: replica)
        for _ in 0..<2 {
            try await applyEdits(to: &phone, note: note, in: replica)
            try await applyEdits(to: &tablet, note: note, in: replica)
        }
        #expect([phone.text, tablet.text] == Array(repeating: "Pack a long rope and a lamp", count: 2))
    }

    @Test("Handle errors: many records, a conflict, later or never")
    func handleErrors() async throws {
        try await CloudletWorld.run { world in
            let database = try await world.container(Self.app, as: "alice", on: "phone").privateCloudDatabase
            let party = Self.party("a")
            try await database.save(party)
            let failed = try await save([Self.party("a"), Self.party("b")], in: database)
            #expect(failed == ["a": .serverRecordChanged])
            let tablet = try await world.container(Self.app, as: "alice", on: "tablet").privateCloudDatabase
            let other = try await tablet.record(for: party.recordID)
            other["place"] = "Pier 7"
            try await tablet.save(other)
            party["guests"] = 3
            try await saveGuests(of: party, in: database)
            let merged = try await database.record(for: party.recordID)
            #expect(merged["place"] == "Pier 7")
            #expect(merged["guests"] == 3)
            world.server.faults.add(Fault(.unavailable, count: 1, seconds: 7))
            let busy = await nextStep { _ = try await database.record(for: party.recordID) }
            #expect(busy == .later(seconds: 7))
            let after = await nextStep { _ = try await database.record(for: party.recordID) }
            #expect(after == .done)
        }
    }

    @Test("Sync with an engine: two notebooks end with the same texts")
    func notebooks() async throws {
        try await CloudletWorld.run { world in
            let id = CKRecord.ID(recordName: "n", zoneID: CKRecordZone.ID(zoneName: "Notes"))
            var notebooks: [(Notebook, CKSyncEngine)] = []
            for device in ["phone", "tablet"] {
                let notebook = Notebook()
                var configuration = CKSyncEngine.Configuration(
                    database: try await world.container(Self.app, as: "alice", on: device)
                        .privateCloudDatabase,
                    stateSerialization: nil, delegate: notebook)
                configuration.automaticallySync = false
                notebooks.append((notebook, CKSyncEngine(configuration)))
            }
            for (notebook, engine) in notebooks {
                await notebook.write("milk", to: id, engine)
                try await engine.sendChanges()
                try await engine.fetchChanges()
                #expect(await notebook.state != nil)
                #expect(await notebook.texts == [id: "milk"])
            }
        }
    }

    @Test("MirroredStore: a store opens from the model of an app")
    func circus() async throws {
        try await CloudletWorld.run { world in
            let clock = world.clock
            var settings = MirroredStore.Settings(
                now: { clock.now }, pause: { clock.advance(bySeconds: $0 / .seconds(1)) })
            settings.subscribes = false
            let container = try await world.container(Self.app, as: "alice")
            try await withFolder { folder in
                let model = URL.package.appending(path: "Data/Models/Circus.xcdatamodeld")
                let circus = try openCircus(in: folder, model: model, of: container, settings)
                let id = try await hireClown(circus)
                try await circus.mirror()
                let zone = CKRecordZone.ID(zoneName: "com.apple.coredata.cloudkit.zone")
                let clown = try await container.privateCloudDatabase.record(
                    for: CKRecord.ID(recordName: id.name, zoneID: zone))
                #expect(clown["CD_shoeSize"] as? Int == 60)
            }
        }
    }
}
