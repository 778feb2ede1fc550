import Cloudlet
import Foundation

/// The subscriptions of the person who is signed in, and the collection of what they gave rise to.
struct Subscriptions: Sendable {
    let container: CKContainer

    /// A number that the field of a record is to be above.
    struct Bound: Equatable, Sendable {
        var field: String
        var number: Int64
    }

    /// Tells of public records of a type that are created or changed, if they are above the bound.
    func followRecords(_ type: String, above bound: Bound?, _ style: PushStyle) async throws -> String {
        let predicate =
            bound.map { NSPredicate(format: "\($0.field) > %@", NSNumber(value: $0.number)) }
            ?? NSPredicate(value: true)
        let subscription = CKQuerySubscription(
            recordType: type, predicate: predicate, subscriptionID: "records-\(type)",
            options: [.firesOnRecordCreation, .firesOnRecordUpdate])
        subscription.notificationInfo = style.info
        return try await container.publicCloudDatabase.save(subscription).subscriptionID
    }

    /// Tells of any change in a zone.
    func followZone(_ name: String, _ style: PushStyle) async throws -> String {
        let subscription = CKRecordZoneSubscription(
            zoneID: CKRecordZone.ID(zoneName: name), subscriptionID: "zone-\(name)")
        subscription.notificationInfo = style.info
        return try await container.privateCloudDatabase.save(subscription).subscriptionID
    }

    /// Tells of any change in any zone of the person, those that are made later included.
    func followEverything(_ style: PushStyle) async throws -> String {
        let subscription = CKDatabaseSubscription(subscriptionID: "everything")
        subscription.notificationInfo = style.info
        return try await container.privateCloudDatabase.save(subscription).subscriptionID
    }

    /// All subscriptions of the person, with the database that each is in.
    func all() async throws -> [(database: CKDatabase.Scope, subscription: CKSubscription)] {
        var all: [(CKDatabase.Scope, CKSubscription)] = []
        for database in [container.publicCloudDatabase, container.privateCloudDatabase] {
            all += try await database.allSubscriptions().map { (database.databaseScope, $0) }
        }
        return all
    }

    /// Ends a subscription, in whichever database it is.
    func end(_ id: String) async throws {
        let found = try await all().first { $0.subscription.subscriptionID == id }
        try await container.database(with: found?.database ?? .public).deleteSubscription(withID: id)
    }

    /// The notifications that were made since a token, all pages, whether they arrived or not.
    func notifications(
        since token: CKServerChangeToken?
    ) async throws -> (notifications: [CKNotification], token: CKServerChangeToken?) {
        var all: [CKNotification] = []
        var token = token
        while true {
            let page = try await container.notificationChanges(since: token)
            all += page.notifications
            token = page.changeToken
            if !page.moreComing { return (all, token) }
        }
    }

    /// Marks notifications as read, which the person's other devices are told; answers how many there are.
    func markRead(_ ids: [CKNotification.ID]) async throws -> Int {
        try await container.markNotificationsRead(ids).count
    }
}
