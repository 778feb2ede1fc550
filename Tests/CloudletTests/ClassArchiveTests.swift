import CloudKit
import Foundation
import Testing

@testable import Cloudlet

@Suite("Archives, copies and equality of every class")
struct ClassArchiveTests {
    /// All that an archive of the object holds, as text.
    private static func form(_ object: any NSSecureCoding) -> String {
        let archiver = NSKeyedArchiver(requiringSecureCoding: true)
        archiver.outputFormat = .xml
        object.encode(with: archiver)
        archiver.finishEncoding()
        return String(decoding: archiver.encodedData, as: UTF8.self)
    }

    @Test(
        "Secure archives and copies of an object have the same content as the object",
        arguments: MutationTests.kinds)
    func archived(_ kind: MutationTests.Kind) throws {
        let data = try NSKeyedArchiver.archivedData(
            withRootObject: kind.object, requiringSecureCoding: true)
        let root = try NSKeyedUnarchiver.unarchivedObject(ofClasses: [type(of: kind.object)], from: data)
        let back = try #require(root as? any NSObject & NSSecureCoding)
        #expect(type(of: back) == type(of: kind.object))
        #expect(Self.form(back) == Self.form(kind.object))
        if Self.isComparedByValue(kind.object) {
            #expect(back.isEqual(kind.object))
            #expect(back.hash == kind.object.hash)
        } else {
            #expect(!back.isEqual(kind.object))
        }
        guard kind.object is any NSCopying else { return }
        let copy = try #require(kind.object.copy() as? any NSObject & NSSecureCoding)
        #expect(type(of: copy) == type(of: kind.object))
        #expect(Self.form(copy) == Self.form(kind.object))
    }

    @available(*, deprecated, message: "What it tests is deprecated.")
    @Test("Archives and copies of objects of deprecated classes have the same content")
    func older() throws {
        for kind in MutationTests.olderKinds { try archived(kind) }
    }

    /// Whether two objects of the class with the same content are equal, as in the framework.
    private static func isComparedByValue(_ object: NSObject) -> Bool {
        switch object {
        case is CKRecord, is CKRecordZone, is CKQuery, is CKAsset, is CKNotification, is CKOperationGroup,
            is CKOperation.Configuration, is CKFetchRecordZoneChangesConfiguration,
            is CKAllowedSharingOptions, is CKLocationSortDescriptor, is CLLocation, is CLFloor,
            is CLLocationSourceInformation:
            false
        default: !"\(type(of: object))".hasSuffix("ZoneChangesOptions")
        }
    }

    @Test("Only containers, databases and the sharing observer cannot be archived")
    func classes() throws {
        var found: Set<String> = []
        for file in try MutationTests.publicSources() {
            let text = try String(contentsOf: file, encoding: .utf8)
            for line in text.split(separator: "\n") where line.hasPrefix("open class ") {
                guard line.contains(": NSObject,"), !line.contains("NSSecureCoding") else { continue }
                found.insert(String(line.split(separator: " ")[2].dropLast()))
            }
        }
        #expect(found == ["CKContainer", "CKDatabase", "CKSystemSharingUIObserver"])
    }

    @Test("The getters of an unarchived asset, push and configuration return the archived values")
    func contents() throws {
        func back<Object: NSObject & NSSecureCoding>(_ object: Object) throws -> Object {
            let data = try NSKeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: true)
            return try #require(try NSKeyedUnarchiver.unarchivedObject(ofClass: Object.self, from: data))
        }
        #expect(try back(CKAsset(fileURL: URL(filePath: "/tmp/x"))).fileURL?.path == "/tmp/x")
        let payload: [AnyHashable: Any] = [
            "aps": ["alert": ["body": "Hi"], "badge": 3],
            "ck": [
                "cid": "iCloud.test", "nid": "n", "ce": 2,
                "qry": [
                    "rid": "a", "zid": "Z", "zoid": "_me", "dbs": 1, "fo": 1, "sid": "s", "af": ["n": 1],
                ] as [String: Any],
            ] as [String: Any],
        ]
        let push = try #require(CKQueryNotification(fromRemoteNotificationDictionary: payload))
        let kept = try back(push)
        #expect(kept.recordID == push.recordID)
        #expect(kept.recordFields?["n"] as? Int == 1)
        #expect(kept.alertBody == "Hi")
        #expect(kept.badge == 3)
        #expect(kept.notificationID == push.notificationID)
        #expect(kept.databaseScope == push.databaseScope)
        let configuration = CKOperation.Configuration()
        configuration.container = CKContainer(identifier: "iCloud.test")
        configuration.qualityOfService = .background
        configuration.allowsCellularAccess = false
        let settings = try back(configuration)
        #expect(settings.container?.containerIdentifier == "iCloud.test")
        #expect(settings.qualityOfService == .background)
        #expect(!settings.allowsCellularAccess)
        #expect(settings.timeoutIntervalForRequest == 60)
        let copy = try #require(configuration.copy() as? CKOperation.Configuration)
        copy.allowsCellularAccess = true
        #expect(copy.qualityOfService == .background)
        #expect(!configuration.allowsCellularAccess)
    }

    @Test("Subscriptions and notification infos are equal if their kinds and all properties are equal")
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

    @Test("Two zones or queries are equal only if they are the same object")
    func identities() {
        let zone = CKRecordZone(zoneName: "Z")
        #expect(zone == zone)
        #expect(zone != CKRecordZone(zoneName: "Z"))
        let query = CKQuery(recordType: "T", predicate: NSPredicate(value: true))
        #expect(query != CKQuery(recordType: "T", predicate: NSPredicate(value: true)))
    }

    @Test("A fetched subscription is equal to the saved one")
    func saved() async throws {
        try await withFixture { fixture in
            let database = fixture.alice.publicCloudDatabase
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
