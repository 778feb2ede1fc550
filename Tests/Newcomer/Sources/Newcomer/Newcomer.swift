import CloudKit
import CoreLocation

#if !canImport(CloudKit)
#error("The module CloudKit is not there.")
#endif

/// An expectation that failed.
struct Surprise: Error {
    let text: String
}

/// Throws unless the condition holds.
func expect(_ condition: Bool, _ text: String) throws {
    if !condition { throw Surprise(text: text) }
}

/// The parties of one person in a zone of their own.
struct PartyBook {
    let database: CKDatabase
    let zoneID = CKRecordZone.ID(zoneName: "Parties")

    func prepare() async throws {
        try await database.save(CKRecordZone(zoneID: zoneID))
        let subscription = CKRecordZoneSubscription(zoneID: zoneID, subscriptionID: "parties")
        let info = CKSubscription.NotificationInfo()
        info.shouldSendContentAvailable = true
        subscription.notificationInfo = info
        try await database.save(subscription)
    }

    func add(_ name: String, guests: Int) async throws {
        let party = CKRecord(recordType: "Party", recordID: CKRecord.ID(zoneID: zoneID))
        party["name"] = name
        party["guests"] = guests
        party["place"] = CLLocation(latitude: 37.7842, longitude: -122.4016)
        party.encryptedValues["note"] = "bring a cake"
        let (saved, _) = try await database.modifyRecords(saving: [party], deleting: [])
        for (_, result) in saved { _ = try result.get() }
    }

    func large() async throws -> [String] {
        let query = CKQuery(recordType: "Party", predicate: NSPredicate(format: "guests > %d", 10))
        query.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
        let (matches, _) = try await database.records(matching: query, inZoneWith: zoneID)
        return try matches.map { try $0.1.get()["name"] ?? "" }
    }

    /// The names of the parties that changed since a token, sorted, and the next token.
    func changes(
        since token: CKServerChangeToken?
    ) async throws -> (names: [String], token: CKServerChangeToken) {
        let page = try await database.recordZoneChanges(inZoneWith: zoneID, since: token)
        let names = try page.modificationResultsByID.values.map {
            try $0.get().record["name"] as? String ?? ""
        }
        return (names.sorted(), page.changeToken)
    }
}

@main
struct Newcomer {
    static func main() async throws {
        let phone = CKContainer.default()
        try expect(try await phone.accountStatus() == .available, "nobody is signed in")
        let book = PartyBook(database: phone.privateCloudDatabase)
        try await book.prepare()
        try await book.add("Coffee", guests: 5)
        let (names, token) = try await book.changes(since: nil)
        try expect(names == ["Coffee"], "the first fetch brought \(names)")

        // Another device of the same person makes the changes, and this one receives pushes.
        var connection = phone.connection
        connection.deviceName = "tablet"
        let tablet = CKContainer(identifier: phone.containerIdentifier ?? "", connection: connection)
        connection.deviceName = "phone"
        let listener = CKContainer(identifier: phone.containerIdentifier ?? "", connection: connection)
        let pushes = await listener.pushes()
        async let push = pushes.first { $0 is CKRecordZoneNotification }
        try await PartyBook(database: tablet.privateCloudDatabase).add("Wedding", guests: 120)
        let heard = await push as? CKRecordZoneNotification
        try expect(heard?.recordZoneID == book.zoneID, "the push was \(String(describing: heard))")

        let (changed, _) = try await book.changes(since: token)
        try expect(changed == ["Wedding"], "the delta brought \(changed)")
        let large = try await book.large()
        try expect(large == ["Wedding"], "the query found \(large)")
        do {
            _ = try await book.database.record(for: CKRecord.ID(recordName: "none", zoneID: book.zoneID))
            throw Surprise(text: "a record that is not there was found")
        } catch CKError.unknownItem {
            print("saved, queried, synced, heard a push")
        }
    }
}
