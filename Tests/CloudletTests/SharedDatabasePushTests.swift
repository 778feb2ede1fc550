// Tests that subscriptions in the shared database work through the client's interface.

import CloudKit
import CloudletTesting
import Foundation
import Synchronization
import Testing

@testable import Cloudlet
@testable import TestKit

@Suite("Subscriptions in the shared database", .timeLimit(.minutes(30)))
struct SharedDatabasePushTests {
    private static let zone = CKRecordZone.ID(zoneName: "Notes")

    private func note(_ name: String, _ text: String = "") -> CKRecord {
        let record = party(name, zone: Self.zone)
        record["text"] = text
        return record
    }

    private func watch() -> CKDatabaseSubscription {
        let subscription = CKDatabaseSubscription(subscriptionID: "shared-changes")
        subscription.notificationInfo = CKSubscription.NotificationInfo(shouldSendContentAvailable: true)
        return subscription
    }

    @Test("A database subscription can be saved, fetched and deleted apart from the private database's")
    func life() async throws {
        try await withFixture { fixture in
            let shared = fixture.bob.sharedCloudDatabase
            let saved = try await shared.save(watch())
            #expect(saved is CKDatabaseSubscription)
            #expect(saved.notificationInfo?.shouldSendContentAvailable == true)
            #expect(try await shared.allSubscriptions().map(\.subscriptionID) == ["shared-changes"])
            let own = fixture.bob.privateCloudDatabase
            #expect(try await own.allSubscriptions().isEmpty)
            try await own.save(CKDatabaseSubscription(subscriptionID: "shared-changes"))
            #expect(try await own.deleteSubscription(withID: "shared-changes") == "shared-changes")
            let typed = watch()
            typed.recordType = "Party"
            try await shared.save(typed)
            let found = try await shared.subscription(for: "shared-changes") as? CKDatabaseSubscription
            #expect(found?.recordType == "Party")
            #expect(try await shared.deleteSubscription(withID: "shared-changes") == "shared-changes")
            #expect(try await shared.allSubscriptions().isEmpty)
            #expect(
                await code { _ = try await shared.deleteSubscription(withID: "shared-changes") }
                    == .unknownItem)
        }
    }

    @Test("The shared database refuses subscriptions to zones and queries")
    func refused() async throws {
        try await withFixture { fixture in
            try await fixture.world.share(note("open"), of: fixture.alice, with: [fixture.bob])
            let shared = fixture.bob.sharedCloudDatabase
            let owner = try await fixture.alice.userRecordID().recordName
            let zoneID = CKRecordZone.ID(zoneName: Self.zone.zoneName, ownerName: owner)
            let zone = CKRecordZoneSubscription(zoneID: zoneID, subscriptionID: "zone")
            let query = CKQuerySubscription(
                recordType: "Party", predicate: NSPredicate(value: true), subscriptionID: "query",
                options: [.firesOnRecordUpdate])
            for subscription in [zone, query] as [CKSubscription] {
                #expect(await code { _ = try await shared.save(subscription) } == .badDatabase)
            }
            #expect(try await shared.allSubscriptions().isEmpty)
        }
    }

    @Test("Participants receive pushes of each other's edits as changes of the shared database")
    func pushed() async throws {
        try await withFixture { fixture in
            let root = note("root", "Alps")
            try await fixture.world.share(root, of: fixture.alice, with: [fixture.bob])
            try await fixture.alice.privateCloudDatabase.save(watch())
            try await fixture.bob.sharedCloudDatabase.save(watch())
            let owner = try await fixture.world.listening("alice", on: "watch", Fixture.containerName)
            let guest = try await fixture.world.listening("bob", on: "phone", Fixture.containerName)
            let start = try await fixture.bob.sharedCloudDatabase.databaseChanges(since: nil).changeToken
            let mine = try await fixture.alice.privateCloudDatabase.record(for: root.recordID)
            mine["text"] = "Alps and lakes"
            try await fixture.alice.privateCloudDatabase.save(mine)
            let push = try #require(await guest.next() as? CKDatabaseNotification)
            #expect(push.databaseScope == .shared)
            #expect(push.notificationType == .database)
            #expect(push.subscriptionID == "shared-changes")
            #expect(push.subscriptionOwnerUserRecordID == (try await fixture.bob.userRecordID()))
            #expect(push.isSilent)
            #expect((await owner.next() as? CKDatabaseNotification)?.databaseScope == .private)
            let news = try await fixture.bob.sharedCloudDatabase.databaseChanges(since: start)
            let zone = try #require(news.modifications.first?.zoneID)
            let id = CKRecord.ID(recordName: "root", zoneID: zone)
            let theirs = try await fixture.bob.sharedCloudDatabase.record(for: id)
            #expect(theirs["text"] == "Alps and lakes")
            theirs["text"] = "Lakes"
            try await fixture.bob.sharedCloudDatabase.save(theirs)
            let answer = try #require(await owner.next() as? CKDatabaseNotification)
            #expect(answer.databaseScope == .private)
            // Bob's laptop made the edit, so his phone gets a notification.
            #expect((await guest.next() as? CKDatabaseNotification)?.databaseScope == .shared)
            for device in [owner, guest] { await device.stop() }
        }
    }

    @Test("The last push reports the end of access; edits outside of the share cause none")
    @available(*, deprecated, message: "The operation is deprecated, as in CloudKit.")
    func ended() async throws {
        try await withFixture { fixture in
            let share = try await fixture.world.share(note("root"), of: fixture.alice, with: [fixture.bob])
            let database = fixture.alice.privateCloudDatabase
            let shared = fixture.bob.sharedCloudDatabase
            try await shared.save(watch())
            try await fixture.world.share(note("other"), of: fixture.alice, with: [])
            try await database.save(note("hidden"))
            let start = try await Self.collected(by: fixture.bob)
            #expect(start.isEmpty)
            let participant = try #require(share.participants.first { $0.role != .owner })
            share.removeParticipant(participant)
            try await database.save(share)
            let root = try await database.record(for: CKRecord.ID(recordName: "root", zoneID: Self.zone))
            root["text"] = "alone"
            try await database.save(root)
            let all = try await Self.collected(by: fixture.bob)
            #expect(all.map(\.notificationType) == [.database])
            #expect(all.compactMap { ($0 as? CKDatabaseNotification)?.databaseScope } == [.shared])
            #expect(try await shared.allRecordZones().isEmpty)
        }
    }

    /// All notifications in a person's collection.
    @available(*, deprecated, message: "The operation is deprecated, as in CloudKit.")
    private static func collected(by container: CKContainer) async throws -> [CKNotification] {
        let operation = CKFetchNotificationChangesOperation(previousServerChangeToken: nil)
        let found = Collected()
        operation.notificationChangedBlock = { found.add($0) }
        try await withCheckedThrowingContinuation { (ended: CheckedContinuation<Void, any Error>) in
            operation.fetchNotificationChangesCompletionBlock = { _, error in
                if let error { ended.resume(throwing: error) } else { ended.resume() }
            }
            container.add(operation)
        }
        return found.all
    }
}

private final class Collected: Sendable {
    private let notifications = Mutex<[CKNotification]>([])

    func add(_ notification: CKNotification) { notifications.withLock { $0.append(notification) } }

    var all: [CKNotification] { notifications.withLock { $0 } }
}
