import CloudKit
import Foundation
import Testing

@testable import Cloudlet

@Suite("Archives, copies and equality of every class")
struct ClassArchiveTests {
    @Test("Subscriptions and their infos are equal by value, kind by kind and property by property")
    func subscriptions() {
        func subscription(_ change: (CKQuerySubscription) -> Void = { _ in }) -> CKQuerySubscription {
            let subscription = CKQuerySubscription(
                recordType: "Party", predicate: NSPredicate(format: "guests > %d", 100),
                subscriptionID: "s", options: [.firesOnRecordCreation])
            subscription.notificationInfo = CKSubscription.NotificationInfo(alertBody: "Hi")
            change(subscription)
            return subscription
        }
        #expect(subscription() == subscription())
        #expect(Set([subscription(), subscription()]).count == 1)
        #expect(subscription() != subscription { $0.zoneID = CKRecordZone.ID(zoneName: "Z") })
        #expect(subscription() != subscription { $0.notificationInfo = nil })
        #expect(
            subscription()
                != subscription {
                    $0.notificationInfo = CKSubscription.NotificationInfo(alertBody: "Ho")
                })
        let zone = CKRecordZone.ID(zoneName: "Z")
        let others: [CKSubscription] = [
            CKQuerySubscription(
                recordType: "Party", predicate: NSPredicate(format: "guests > %d", 101), subscriptionID: "s"),
            CKQuerySubscription(
                recordType: "Clown", predicate: NSPredicate(format: "guests > %d", 100), subscriptionID: "s"),
            CKRecordZoneSubscription(zoneID: zone, subscriptionID: "s"),
            CKRecordZoneSubscription(zoneID: .default, subscriptionID: "s"),
            CKDatabaseSubscription(subscriptionID: "s"), CKDatabaseSubscription(subscriptionID: "t"),
        ]
        #expect(Set(others).count == others.count)
        #expect(Set(others + others.compactMap { $0.copy() as? CKSubscription }).count == others.count)
        let (info, other) = (CKSubscription.NotificationInfo(), CKSubscription.NotificationInfo())
        #expect(info == other)
        other.desiredKeys = []
        #expect(info == other)
        other.desiredKeys = ["a"]
        #expect(info != other)
        info.desiredKeys = ["a"]
        #expect(info == other)
        info.shouldBadge = true
        #expect(info != other)
    }

    @Test("Zones and queries are equal only to themselves")
    func identities() {
        let zone = CKRecordZone(zoneName: "Z")
        #expect(zone == zone)
        #expect(zone != CKRecordZone(zoneName: "Z"))
        let query = CKQuery(recordType: "T", predicate: NSPredicate(value: true))
        #expect(query != CKQuery(recordType: "T", predicate: NSPredicate(value: true)))
    }

    @Test("A subscription that was saved is equal to the one that is fetched")
    func saved() async throws {
        try await withCast { cast in
            let database = cast.alice.publicCloudDatabase
            let record = CKRecord(recordType: "Party")
            record["guests"] = 1
            try await database.save(record)
            let subscription = CKQuerySubscription(
                recordType: "Party", predicate: NSPredicate(format: "guests > %d", 100),
                subscriptionID: "s", options: [.firesOnRecordCreation])
            subscription.notificationInfo = CKSubscription.NotificationInfo(
                alertBody: "A big party", desiredKeys: ["guests"])
            try await database.save(subscription)
            #expect(try await database.subscription(for: "s") == subscription)
        }
    }
}
