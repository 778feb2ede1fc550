import CloudKit
import CloudletServer
import CloudletTesting
import Foundation
import Synchronization
import Testing

@testable import Cloudlet
@testable import TestKit

@Suite("Automatic sync engines", .timeLimit(.minutes(30)))
struct AutomaticSyncEngineTests {
    private static let zone = CKRecordZone.ID(zoneName: "Notes")

    /// A container of a device whose account can change.
    static func container(
        _ world: CloudletWorld, _ account: CloudAccount, on device: String = "phone"
    ) async throws -> CKContainer {
        var connection = try await world.connection(of: nil, on: device)
        connection.account = account
        return CKContainer(identifier: Fixture.containerName, connection: connection)
    }

    @Test("A change reaches the other device after a push, without a call of the app")
    func push() async throws {
        try await withFixture { fixture in
            let (phone, tablet) = (SyncedNotes(), SyncedNotes())
            let one = phone.engine(fixture.alice.privateCloudDatabase, automatic: true)
            let two = tablet.engine(fixture.tablet.privateCloudDatabase, automatic: true)
            one.state.add(pendingDatabaseChanges: [.saveZone(CKRecordZone(zoneID: Self.zone))])
            phone.write("milk", to: "a", in: Self.zone, one)
            try await until { tablet.texts == ["a": "milk"] }
            tablet.write("milk, eggs", to: "a", in: Self.zone, two)
            try await until { phone.texts == ["a": "milk, eggs"] }
            let ids = try await fixture.alice.privateCloudDatabase.allSubscriptions().map(\.subscriptionID)
            #expect(ids == ["sync-engine"])
            #expect(phone.overlaps == 0 && tablet.overlaps == 0)
        }
    }

    @Test("A change of the owner reaches the participant after a push, and the other way round")
    func sharedPush() async throws {
        try await withFixture { fixture in
            let root = CKRecord(
                recordType: "Note", recordID: CKRecord.ID(recordName: "a", zoneID: Self.zone))
            root["text"] = "milk"
            try await fixture.world.share(root, of: fixture.alice, with: [fixture.bob])
            let (alice, bob) = (SyncedNotes(), SyncedNotes())
            let owner = alice.engine(fixture.alice.privateCloudDatabase, automatic: true)
            let guest = bob.engine(fixture.bob.sharedCloudDatabase, automatic: true)
            try await until { alice.texts["a"] == "milk" && bob.texts["a"] == "milk" }
            alice.write("milk, eggs", to: "a", in: Self.zone, owner)
            try await until { bob.texts["a"] == "milk, eggs" }
            let name = try await fixture.alice.userRecordID().recordName
            let zone = CKRecordZone.ID(zoneName: "Notes", ownerName: name)
            bob.write("bread", to: "a", in: zone, guest)
            try await until { alice.texts["a"] == "bread" }
        }
    }

    @Test("An engine uses an existing subscription, or creates the one of its configuration")
    func subscription() async throws {
        try await withFixture { fixture in
            let database = fixture.alice.privateCloudDatabase
            try await database.save(CKDatabaseSubscription(subscriptionID: "mine"))
            let (phone, tablet) = (SyncedNotes(), SyncedNotes())
            let one = phone.engine(database, automatic: true)
            try await until { phone.saved?.memory.subscriptionID == "mine" }
            let two = tablet.engine(fixture.tablet.privateCloudDatabase, automatic: true, subscription: "two")
            try await until { tablet.saved?.memory.subscriptionID == "two" }
            let ids = try await database.allSubscriptions().map(\.subscriptionID)
            #expect(ids.sorted() == ["mine", "two"])
            withExtendedLifetime((one, two)) {}
        }
    }

    @Test("After a temporary error the engine waits as long as the server asks, and sends again")
    func retry() async throws {
        try await withFixture { fixture in
            let phone = SyncedNotes()
            let database = fixture.alice.privateCloudDatabase
            try await database.save(CKRecordZone(zoneID: Self.zone))
            let engine = phone.engine(database, automatic: true)
            try await until { phone.events().contains("did fetch") }
            let week = 7 * 86_400
            let fault = Fault(
                .zoneBusy, endpoint: "records/modify", device: "phone", count: 1, seconds: week)
            fixture.world.server.faults.add(fault)
            phone.write("milk", to: "a", in: Self.zone, engine)
            var seen: [String] = []
            try await until {
                seen += phone.events()
                return seen.contains("did send")
            }
            #expect(phone.errors() == [.zoneBusy])
            #expect(engine.state.pendingRecordZoneChanges.count == 1)
            // The engine reads the clock at least once a day, because somebody can set it.
            for _ in 0..<7 {
                try await until { fixture.world.clock.waiting > 0 }
                fixture.world.clock.advance(bySeconds: 86_400)
            }
            try await until { engine.state.pendingRecordZoneChanges.isEmpty }
            try await until { phone.events().contains("sent 1/0-0/0") }
        }
    }

    @Test("A fetch that succeeds does not end the pause of a send that the server has asked for")
    func pausedSend() async throws {
        try await withFixture { fixture in
            let phone = SyncedNotes()
            let database = fixture.alice.privateCloudDatabase
            try await database.save(CKRecordZone(zoneID: Self.zone))
            let engine = phone.engine(database, automatic: true)
            try await until { phone.events().contains("did fetch") }
            fixture.world.server.faults.add(
                Fault(.zoneBusy, endpoint: "records/modify", device: "phone", count: 1, seconds: 300))
            phone.write("milk", to: "a", in: Self.zone, engine)
            var seen: [String] = []
            try await until {
                seen += phone.events()
                return seen.contains("did send")
            }
            try await until { fixture.world.clock.waiting > 0 }
            try await engine.fetchChanges()
            try await engine.fetchChanges()
            try await until {
                fixture.world.clock.waiting > 0 || engine.state.pendingRecordZoneChanges.isEmpty
            }
            let hasSent = phone.events().contains("will send")
            #expect(!hasSent)
            #expect(engine.state.pendingRecordZoneChanges.count == 1)
            fixture.world.clock.advance(bySeconds: 301)
            try await until { engine.state.pendingRecordZoneChanges.isEmpty }
        }
    }

    @Test("A subscription that was deleted elsewhere, or whose ID has changed, is created at the next start")
    func newSubscription() async throws {
        try await withFixture { fixture in
            let database = fixture.alice.privateCloudDatabase
            let phone = SyncedNotes()
            for id in ["one", "two"] {
                let engine = phone.engine(database, automatic: true, subscription: id)
                try await until { phone.events().contains("did fetch") }
                #expect(phone.saved?.memory.subscriptionID == id)
                withExtendedLifetime(engine) {}
            }
            try await database.deleteSubscription(withID: "two")
            _ = phone.events()
            let engine = phone.engine(database, automatic: true, subscription: "two")
            try await until { phone.events().contains("did fetch") }
            let ids = try await database.allSubscriptions().map(\.subscriptionID)
            #expect(ids.sorted() == ["one", "two"])
            withExtendedLifetime(engine) {}
        }
    }

    @Test("A manual engine neither fetches nor sends automatically, but reports its state")
    func manual() async throws {
        try await withFixture { fixture in
            let phone = SyncedNotes()
            let engine = phone.engine(fixture.alice.privateCloudDatabase)
            phone.write("milk", to: "a", in: Self.zone, engine)
            try await until { phone.saved?.memory.records.count == 1 }
            #expect(phone.events() == [])
            #expect(try await fixture.tablet.privateCloudDatabase.allRecordZones().count == 1)
            engine.state.remove(pendingRecordZoneChanges: engine.state.pendingRecordZoneChanges)
            try await until { phone.saved?.memory.records.isEmpty == true }
        }
    }

    @Test("Sign-in, switch and sign-out are reported once each and discard the state")
    func accounts() async throws {
        try await withFixture { fixture in
            let account = CloudAccount()
            let container = try await Self.container(fixture.world, account)
            let phone = SyncedNotes()
            let engine = phone.engine(container.privateCloudDatabase, automatic: true)
            try await until { phone.saved?.memory.account == .nobody }
            #expect(phone.events() == [])
            phone.write("carol's", to: "a", in: Self.zone, engine)
            try await account.signIn(as: "carol", to: container)
            try await until { phone.events().contains("sign-in") }
            try await until { engine.state.pendingRecordZoneChanges.isEmpty && phone.saved?.isSent == true }
            try await account.signIn(as: "dora", to: container)
            try await until { phone.events().contains("switch") }
            try await until { phone.texts == [:] }
            phone.write("dora's", to: "b", in: Self.zone, engine)
            try await until { phone.saved?.isSent == true && phone.texts.count == 1 }
            account.signOut()
            try await until { phone.events().contains("sign-out") }
            try await until { phone.texts == [:] }
            let error = await code { try await engine.fetchChanges() }
            #expect(error == .notAuthenticated)
            #expect(phone.events() == [])
            try await account.signIn(as: "carol", to: container)
            try await until { phone.texts == ["a": "carol's"] }
        }
    }

    @Test("An account switch while the app did not run is reported once by the next engine")
    func switchedMeanwhile() async throws {
        try await withFixture { fixture in
            let phone = SyncedNotes()
            let first = phone.engine(fixture.alice.privateCloudDatabase)
            phone.write("alice's", to: "a", in: Self.zone, first)
            try await first.sendChanges()
            phone.write("more", to: "b", in: Self.zone, first)
            _ = phone.events()
            let second = phone.engine(fixture.bob.privateCloudDatabase)
            try await second.sendChanges()
            try await second.sendChanges()
            #expect(
                phone.events() == ["switch", "will send", "did send", "will send", "did send"])
            #expect(second.state.pendingRecordZoneChanges == [])
        }
    }

    @Test("An engine that is released while it works ends after the current callback without a leak")
    func released() async throws {
        try await withFixture { fixture in
            let box = Mutex<CKSyncEngine?>(nil)
            let phone = SyncedNotes(hook: { event, _ in
                if event.words == "will send" { box.withLock { $0 = nil } }
            })
            let engine = WeakEngine()
            box.withLock { box in
                let made = phone.engine(fixture.alice.privateCloudDatabase, automatic: true)
                engine.value = made
                phone.write("milk", to: "a", in: Self.zone, made)
                box = made
            }
            try await until { engine.value == nil }
            #expect(phone.events().last == "will send")
            #expect(try await fixture.tablet.privateCloudDatabase.allRecordZones().count == 1)
            #expect(phone.events() == [])
        }
    }

    @Test("An engine does not keep its delegate alive")
    func weakDelegate() async throws {
        try await withFixture { fixture in
            let engine: CKSyncEngine
            let delegate = WeakNotes()
            do {
                let phone = SyncedNotes()
                delegate.value = phone
                engine = phone.engine(fixture.alice.privateCloudDatabase)
            }
            try await until { delegate.value == nil }
            let error = await code { try await engine.fetchChanges() }
            #expect(error == .operationCancelled)
        }
    }
}

/// A weak reference to an engine.
private final class WeakEngine: Sendable {
    private struct Reference: Sendable { weak var value: CKSyncEngine? }
    private let state = Mutex(Reference())

    var value: CKSyncEngine? {
        get { state.withLock { $0.value } }
        set { state.withLock { $0.value = newValue } }
    }
}

/// A weak reference to a delegate.
private final class WeakNotes: Sendable {
    private struct Reference: Sendable { weak var value: SyncedNotes? }
    private let state = Mutex(Reference())

    var value: SyncedNotes? {
        get { state.withLock { $0.value } }
        set { state.withLock { $0.value = newValue } }
    }
}

extension CKSyncEngine.State.Serialization {
    /// Whether nothing is pending.
    fileprivate var isSent: Bool { memory.records.isEmpty && memory.zones.isEmpty }
}
