import CloudKit
import CloudletServer
import CloudletTesting
import Foundation
import Testing

@testable import TestKit

@Suite("Subscriptions and pushes", .timeLimit(.minutes(30)))
struct SubscriptionTests {
    private static let identifier = "iCloud.org.example.parties"

    private static func party(_ name: String, guests: Int) -> CKRecord {
        let record = CKRecord(recordType: "Party", recordID: CKRecord.ID(recordName: name))
        record["guests"] = guests
        record["starts"] = Date(timeIntervalSince1970: 1_401_710_400)
        return record
    }

    private static func bigParties() -> CKQuerySubscription {
        let subscription = CKQuerySubscription(
            recordType: "Party", predicate: NSPredicate(format: "guests > %d", 100), subscriptionID: "big",
            options: [.firesOnRecordCreation, .firesOnRecordUpdate])
        subscription.notificationInfo = CKSubscription.NotificationInfo(
            alertLocalizationKey: "BIG", alertLocalizationArgs: ["guests"], title: "A big party",
            soundName: "default", desiredKeys: ["guests", "starts"], shouldBadge: true)
        return subscription
    }

    @Test("Subscriptions can be saved, fetched with their predicate, replaced and deleted")
    func life() async throws {
        let world = try await CloudletWorld.start()
        let database = try await world.container(Self.identifier, as: "alice", on: "phone")
            .publicCloudDatabase
        try await database.save(Self.party("p", guests: 1))
        let saved = try #require(try await database.save(Self.bigParties()) as? CKQuerySubscription)
        #expect(saved.predicate == NSPredicate(format: "guests > %d", 100))
        #expect(saved.querySubscriptionOptions == [.firesOnRecordCreation, .firesOnRecordUpdate])
        #expect(saved.recordType == "Party")
        #expect(saved.notificationInfo?.desiredKeys == ["guests", "starts"])
        #expect(saved.notificationInfo?.title == "A big party")
        let other = CKQuerySubscription(
            recordType: "Party", predicate: NSPredicate(value: true), subscriptionID: "big",
            options: [.firesOnRecordDeletion, .firesOnce])
        try await database.save(other)
        let all = try await database.allSubscriptions()
        #expect(all.map(\.subscriptionID) == ["big"])
        let now = try #require(all.first as? CKQuerySubscription)
        #expect(now.querySubscriptionOptions == [.firesOnRecordDeletion, .firesOnce])
        #expect(now.notificationInfo == nil)
        let found = try await database.subscriptions(for: ["big", "none"])
        #expect(throws: Never.self) { try found["big"]?.get() }
        let missing = #expect(throws: CKError.self) { try found["none"]?.get() }
        #expect(missing?.code == .unknownItem)
        #expect(try await database.deleteSubscription(withID: "big") == "big")
        #expect(try await database.allSubscriptions().isEmpty)
        await world.stop()
    }

    @Test("Invalid subscriptions are refused by the client or by the server, with a reason")
    func refused() async throws {
        let world = try await CloudletWorld.start()
        let alice = try await world.container(Self.identifier, as: "alice")
        try await alice.publicCloudDatabase.save(Self.party("p", guests: 1))
        let mixed = Self.bigParties()
        let info = try #require(mixed.notificationInfo)
        info.shouldSendContentAvailable = true
        mixed.notificationInfo = info
        let error = await #expect(throws: CKError.self) { try await alice.publicCloudDatabase.save(mixed) }
        #expect(error?.localizedDescription.contains("not a supported configuration") == true)
        let never = CKQuerySubscription(
            recordType: "Party", predicate: NSPredicate(value: true), subscriptionID: "x", options: [])
        let empty = await #expect(throws: CKError.self) { try await alice.publicCloudDatabase.save(never) }
        #expect(empty?.code == .invalidArguments)
        let shared = CKDatabaseSubscription(subscriptionID: "all")
        await #expect(throws: CKError.self) { try await alice.publicCloudDatabase.save(shared) }
        await world.stop()
    }

    @Test("A reference in a subscription to all zones matches only the record in its own zone")
    func references() async throws {
        let world = try await CloudletWorld.start()
        let phone = try await world.listening("alice", on: "phone", Self.identifier)
        let mac = try await world.container(Self.identifier, as: "alice", on: "mac").privateCloudDatabase
        let zone = CKRecordZone(zoneName: "Notes")
        try await mac.save(zone)
        let homes = [CKRecordZone.ID.default, zone.zoneID]
        func note(_ name: String, in home: CKRecordZone.ID) -> CKRecord {
            let note = CKRecord(recordType: "Note", recordID: CKRecord.ID(recordName: name, zoneID: home))
            note["party"] = CKRecord.Reference(
                recordID: CKRecord.ID(recordName: "p", zoneID: home), action: .none)
            return note
        }
        for home in homes { try await mac.save(note("first", in: home)) }
        let subscription = CKQuerySubscription(
            recordType: "Note",
            predicate: NSPredicate(format: "party == %@", CKRecord.ID(recordName: "p")),
            subscriptionID: "notes", options: [.firesOnRecordCreation])
        let saved = try await mac.save(subscription) as? CKQuerySubscription
        #expect(saved?.predicate == subscription.predicate)
        for home in homes.reversed() { try await mac.save(note("second", in: home)) }
        let push = await phone.next() as? CKQueryNotification
        #expect(push?.recordID == CKRecord.ID(recordName: "second"))
        #expect(try await mac.deleteSubscription(withID: "notes") == "notes")
        let all = try await phone.container.notificationChanges(since: nil)
        #expect(all.notifications.count == 1)
        await phone.stop()
        await world.stop()
    }

    @Test("Operations report each subscription and their end")
    func operations() async throws {
        let world = try await CloudletWorld.start()
        let alice = try await world.container(Self.identifier, as: "alice")
        let zone = CKRecordZone(zoneName: "Notes")
        try await alice.privateCloudDatabase.save(zone)
        let operation = CKModifySubscriptionsOperation(
            subscriptionsToSave: [
                CKRecordZoneSubscription(zoneID: zone.zoneID, subscriptionID: "notes"),
                CKRecordZoneSubscription(zoneID: CKRecordZone.ID(zoneName: "None"), subscriptionID: "none"),
            ], subscriptionIDsToDelete: ["gone"])
        let ended = await withCheckedContinuation { ended in
            operation.modifySubscriptionsCompletionBlock = { saved, deleted, error in
                let partial = (error as? CKError)?.partialErrorsByItemID?.keys.compactMap { $0 as? String }
                ended.resume(
                    returning: (saved?.map(\.subscriptionID), deleted, partial?.sorted() ?? []))
            }
            alice.privateCloudDatabase.add(operation)
        }
        #expect(ended.0 == ["notes"])
        #expect(ended.1 == [])
        #expect(ended.2 == ["gone", "none"])
        let found = try await alice.privateCloudDatabase.subscription(for: "notes")
        #expect((found as? CKRecordZoneSubscription)?.zoneID == zone.zoneID)
        await world.stop()
    }

    @Test("Another device receives the push with the requested fields", arguments: [nil, 0])
    func arrival(port: Int?) async throws {
        let world = try await CloudletWorld.start(port: port)
        let phone = try await world.listening("alice", on: "phone", Self.identifier)
        let bob = try await world.container(Self.identifier, as: "bob", on: "pad")
        try await bob.publicCloudDatabase.save(Self.party("p", guests: 1))
        try await phone.container.publicCloudDatabase.save(Self.bigParties())
        try await bob.publicCloudDatabase.save(Self.party("huge", guests: 500))
        let push = try #require(await phone.next() as? CKQueryNotification)
        #expect(push.notificationType == .query)
        #expect(push.recordID == CKRecord.ID(recordName: "huge"))
        #expect(push.queryNotificationReason == .recordCreated)
        #expect(push.subscriptionID == "big")
        #expect(push.containerIdentifier == Self.identifier)
        #expect(push.alertLocalizationKey == "BIG")
        #expect(push.alertLocalizationArgs == ["500"])
        #expect(push.title == "A big party")
        #expect(push.badge == 1)
        #expect(push.soundName == "default")
        #expect(push.databaseScope == .public)
        #expect(push.recordFields?["guests"] as? NSNumber == 500)
        #expect(push.recordFields?["starts"] as? NSDate == NSDate(timeIntervalSince1970: 1_401_710_400))
        #expect(!push.isSilent)
        #expect(!push.isPruned)
        await phone.stop()
        await world.stop()
    }

    @available(*, deprecated, message: "What it tests is deprecated.")
    @Test("A subscription created by an iOS 8 initialiser can be saved and fetched, and sends pushes")
    func firstForms() async throws {
        let world = try await CloudletWorld.start()
        let phone = try await world.listening("alice", on: "phone", Self.identifier)
        let bob = try await world.container(Self.identifier, as: "bob", on: "pad")
        try await bob.publicCloudDatabase.save(Self.party("p", guests: 1))
        let options: CKSubscriptionOptions = [.firesOnRecordCreation]
        let parties = CKSubscription(
            recordType: "Party", predicate: NSPredicate(format: "guests > %d", 100), options: options)
        parties.notificationInfo = CKSubscription.NotificationInfo(alertBody: "A big party")
        #expect(parties is CKQuerySubscription)
        let saved = try await phone.container.publicCloudDatabase.save(parties)
        #expect(saved == parties)
        #expect(saved.recordType == "Party")
        #expect(saved.predicate == NSPredicate(format: "guests > %d", 100))
        #expect(saved.subscriptionOptions == options)
        #expect(saved.zoneID == nil)
        try await bob.publicCloudDatabase.save(Self.party("huge", guests: 500))
        let push = try #require(await phone.next() as? CKQueryNotification)
        #expect(push.subscriptionID == parties.subscriptionID)
        #expect(push.isPublicDatabase)

        let mac = try await world.container(Self.identifier, as: "alice", on: "mac").privateCloudDatabase
        let zone = CKRecordZone(zoneName: "Notes")
        try await mac.save(zone)
        let notes = CKSubscription(zoneID: zone.zoneID, subscriptionID: "notes", options: [])
        let silent = CKSubscription.NotificationInfo()
        silent.shouldSendContentAvailable = true
        notes.notificationInfo = silent
        #expect(notes is CKRecordZoneSubscription)
        #expect(notes.zoneID == zone.zoneID)
        #expect(notes.predicate == nil)
        try await phone.container.privateCloudDatabase.save(notes)
        let note = CKRecord(
            recordType: "Note", recordID: CKRecord.ID(recordName: "n", zoneID: zone.zoneID))
        try await mac.save(note)
        let change = try #require(await phone.next() as? CKRecordZoneNotification)
        #expect(change.recordZoneID == zone.zoneID)
        await phone.stop()
        await world.stop()
    }

    @available(*, deprecated, message: "What it tests is deprecated.")
    @Test("The iOS 8 property sets the zone of a query subscription; copies and archives keep it")
    func firstProperties() throws {
        let zone = CKRecordZone.ID(zoneName: "Notes")
        let subscription = CKSubscription(
            recordType: "Note", predicate: NSPredicate(value: true), subscriptionID: "s",
            options: [.firesOnRecordDeletion, .firesOnce])
        subscription.zoneID = zone
        let same = CKQuerySubscription(
            recordType: "Note", predicate: NSPredicate(value: true), subscriptionID: "s",
            options: [.firesOnRecordDeletion, .firesOnce])
        #expect(subscription != same)
        same.zoneID = zone
        #expect(subscription == same)
        #expect(subscription.copy() as? CKSubscription == same)
        let data = try NSKeyedArchiver.archivedData(
            withRootObject: subscription, requiringSecureCoding: true)
        let back = try NSKeyedUnarchiver.unarchivedObject(ofClass: CKQuerySubscription.self, from: data)
        #expect(back == same)
        let database: CKSubscription = CKDatabaseSubscription(subscriptionID: "d")
        #expect(database.subscriptionOptions == [])
        #expect(database.recordType == nil)
        #expect(database.zoneID == nil)
        let operation = CKOperation()
        operation.usesBackgroundSession = true
        #expect(operation.usesBackgroundSession)
        #expect(operation.activityStart() == nil)
    }

    @Test("A payload is parsed as its kind of notification; other payloads give nil")
    func payloads() {
        let query: [String: Any] = ["sid": "s", "rid": "r", "zid": "_defaultZone", "fo": 3, "dbs": 2]
        let payload: [AnyHashable: Any] = [
            "aps": ["alert": "bare", "badge": 4, "content-available": 1],
            "ck": ["ce": 2, "cid": "c", "nid": "n", "qry": query] as [String: Any],
        ]
        let push = CKNotification(fromRemoteNotificationDictionary: payload)
        #expect(push is CKQueryNotification)
        #expect(push?.alertBody == "bare")
        #expect(push?.badge == 4)
        #expect((push as? CKQueryNotification)?.queryNotificationReason == .recordDeleted)
        #expect((push as? CKQueryNotification)?.databaseScope == .private)
        #expect(CKDatabaseNotification(fromRemoteNotificationDictionary: payload) == nil)
        let zone: [AnyHashable: Any] = ["ck": ["nid": "n", "p": 1, "fet": ["sid": "s", "zid": "Z"]]]
        let told = CKRecordZoneNotification(fromRemoteNotificationDictionary: zone)
        #expect(told?.recordZoneID?.zoneName == "Z")
        #expect(told?.isPruned == true)
        #expect(
            CKNotification(fromRemoteNotificationDictionary: ["ck": ["met": ["sid": "s"]]])
                is CKDatabaseNotification)
        #expect(CKNotification(fromRemoteNotificationDictionary: ["aps": ["alert": "x"]]) == nil)
        #expect(CKNotification(fromRemoteNotificationDictionary: ["ck": "x"]) == nil)
    }

    @Test("A device fetches missed notifications, and marking one as read notifies the other device")
    @available(*, deprecated, message: "The operations are deprecated, as in CloudKit.")
    func collection() async throws {
        let world = try await CloudletWorld.start()
        let phone = try await world.listening("alice", on: "phone", Self.identifier)
        let pad = try await world.container(Self.identifier, as: "alice", on: "pad")
        let bob = try await world.container(Self.identifier, as: "bob", on: "mac")
        try await bob.publicCloudDatabase.save(Self.party("p", guests: 1))
        try await pad.publicCloudDatabase.save(Self.bigParties())
        for name in ["a", "b"] { try await bob.publicCloudDatabase.save(Self.party(name, guests: 200)) }
        for name in ["a", "b"] {
            #expect((await phone.next() as? CKQueryNotification)?.recordID?.recordName == name)
        }
        let (first, token) = try await Self.fetch(pad, since: nil)
        #expect(first.compactMap { ($0 as? CKQueryNotification)?.recordID?.recordName } == ["a", "b"])
        let id = try #require(first.first?.notificationID)
        #expect(try await Self.markRead([id], on: pad) == [id])
        let read = await phone.next()
        #expect(read?.notificationType == .readNotification)
        #expect(read?.notificationID == id)
        #expect(read?.badge == 1)
        let (second, _) = try await Self.fetch(pad, since: token)
        #expect(second.map(\.notificationType) == [.readNotification])
        let badge = CKModifyBadgeOperation(badgeValue: 0)
        let failure = await withCheckedContinuation { ended in
            badge.modifyBadgeCompletionBlock = { error in ended.resume(returning: error as? CKError) }
            pad.add(badge)
        }
        #expect(failure == nil)
        try await bob.publicCloudDatabase.save(Self.party("c", guests: 200))
        #expect(await phone.next()?.badge == 1)
        await phone.stop()
        await world.stop()
    }

    @available(*, deprecated)
    private static func fetch(
        _ container: CKContainer, since token: CKServerChangeToken?
    ) async throws -> ([CKNotification], CKServerChangeToken?) {
        let operation = CKFetchNotificationChangesOperation(previousServerChangeToken: token)
        let found = Found()
        operation.notificationChangedBlock = { found.add($0) }
        let next: CKServerChangeToken? = try await withCheckedThrowingContinuation { ended in
            operation.fetchNotificationChangesCompletionBlock = { token, error in
                if let error { ended.resume(throwing: error) } else { ended.resume(returning: token) }
            }
            container.add(operation)
        }
        return (found.all, next)
    }

    @available(*, deprecated)
    private static func markRead(
        _ ids: [CKNotification.ID], on container: CKContainer
    ) async throws -> [CKNotification.ID] {
        let operation = CKMarkNotificationsReadOperation(notificationIDsToMarkRead: ids)
        return try await withCheckedThrowingContinuation { ended in
            operation.markNotificationsReadCompletionBlock = { marked, error in
                if let error { ended.resume(throwing: error) } else { ended.resume(returning: marked ?? []) }
            }
            container.add(operation)
        }
    }

    @Test("A broken connection is opened again after the delay, and delivers the latest push")
    func reconnecting() async throws {
        let world = try await CloudletWorld.start()
        let phone = try await world.listening("alice", on: "phone", Self.identifier)
        let bob = try await world.container(Self.identifier, as: "bob", on: "mac")
        try await bob.publicCloudDatabase.save(Self.party("p", guests: 1))
        try await phone.container.publicCloudDatabase.save(Self.bigParties())
        world.server.faults.add(Fault(.deviceOffline, device: "phone", count: 2))
        for name in ["a", "b"] { try await bob.publicCloudDatabase.save(Self.party(name, guests: 200)) }
        // The device stays offline until the clock advances.
        await phone.waitForDisconnect()
        try await until { world.clock.waiting > 0 }
        world.clock.advance(bySeconds: 1)
        #expect((await phone.next() as? CKQueryNotification)?.recordID?.recordName == "b")
        await phone.stop()
        await world.stop()
    }
}

/// Collects the results that the blocks of an operation report.
private final class Found: @unchecked Sendable {
    private let lock = NSLock()
    private var notifications: [CKNotification] = []

    func add(_ notification: CKNotification) { lock.withLock { notifications.append(notification) } }

    var all: [CKNotification] { lock.withLock { notifications } }
}
