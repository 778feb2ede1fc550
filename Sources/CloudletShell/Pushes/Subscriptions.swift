import Cloudlet
import Foundation

/// Manages the subscriptions and the notification collection of the signed-in person.
struct Subscriptions: Sendable {
    let container: CKContainer

    /// A lower bound: the value of a record's field must be greater than the number.
    struct Bound: Equatable, Sendable {
        var field: String
        var number: Int64
    }

    /// Subscribes to records of a type that are created or changed, only to those above the bound if there is
    /// one: to public records or, with a zone, to those in that zone of the person's private database.
    func followRecords(
        _ type: String, in zone: String?, above bound: Bound?, _ style: PushStyle
    ) async throws -> String {
        let predicate =
            bound.map { NSPredicate(format: "\($0.field) > %@", NSNumber(value: $0.number)) }
            ?? NSPredicate(value: true)
        let subscription = CKQuerySubscription(
            recordType: type, predicate: predicate, subscriptionID: Self.name(type, zone, bound),
            options: [.firesOnRecordCreation, .firesOnRecordUpdate])
        subscription.notificationInfo = style.info
        subscription.zoneID = zone.map { CKRecordZone.ID(zoneName: $0) }
        let database = zone == nil ? container.publicCloudDatabase : container.privateCloudDatabase
        return try await database.save(subscription).subscriptionID
    }

    /// The subscription's ID. It contains everything that distinguishes two subscriptions of a type.
    private static func name(_ type: String, _ zone: String?, _ bound: Bound?) -> String {
        let bounds = bound.map { ["above", $0.field, "\($0.number)"] } ?? []
        return (["records", zone, type].compactMap { $0 } + bounds).joined(separator: "-")
    }

    /// Subscribes to all changes in a zone.
    func followZone(_ name: String, _ style: PushStyle) async throws -> String {
        let subscription = CKRecordZoneSubscription(
            zoneID: CKRecordZone.ID(zoneName: name), subscriptionID: "zone-\(name)")
        subscription.notificationInfo = style.info
        return try await container.privateCloudDatabase.save(subscription).subscriptionID
    }

    /// Subscribes to all changes in all zones of the person, including zones that are created later.
    func followEverything(_ style: PushStyle) async throws -> String {
        let subscription = CKDatabaseSubscription(subscriptionID: "everything")
        subscription.notificationInfo = style.info
        return try await container.privateCloudDatabase.save(subscription).subscriptionID
    }

    /// Subscribes to all changes of records that other people share with the person.
    func followShared(_ style: PushStyle) async throws -> String {
        let subscription = CKDatabaseSubscription(subscriptionID: "shared")
        subscription.notificationInfo = style.info
        return try await container.sharedCloudDatabase.save(subscription).subscriptionID
    }

    /// All subscriptions of the person, each with its database.
    func all() async throws -> [(database: CKDatabase.Scope, subscription: CKSubscription)] {
        var all: [(CKDatabase.Scope, CKSubscription)] = []
        for scope in [CKDatabase.Scope.public, .private, .shared] {
            let database = container.database(with: scope)
            all += try await database.allSubscriptions().map { (database.databaseScope, $0) }
        }
        return all
    }

    /// Deletes a subscription, in whichever database it is.
    func delete(_ id: String) async throws {
        let found = try await all().first { $0.subscription.subscriptionID == id }
        try await container.database(with: found?.database ?? .public).deleteSubscription(withID: id)
    }

    /// All notifications since a token, whether their pushes arrived or not.
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

    /// Marks notifications as read; the person's other devices are notified. Returns the number of
    /// notifications that exist.
    func markRead(_ ids: [CKNotification.ID]) async throws -> Int {
        try await container.markNotificationsRead(ids).count
    }
}
