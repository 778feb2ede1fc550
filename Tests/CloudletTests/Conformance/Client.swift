import CloudKit
import CoreLocation
import Foundation

/// An app that uses the whole interface. It is compiled and never run: it tests the types.
///
/// Each use is a constant without a name, with a type and a symbol, so that `ConformanceTests` can compare it
/// with the list in `Data/Conformance`.
enum Client {
    /// A completion handler with one result.
    typealias Answer<Thing> = @Sendable (Thing?, (any Error)?) -> Void
    /// A block with a value and the result of an operation.
    typealias Ended<Thing> = (Thing, Result<Void, any Error>) -> Void
    typealias Outcome<Thing> = Result<Thing, any Error>
    typealias Handler<Thing> = @Sendable (Outcome<Thing>) -> Void
    typealias Readable<Root, Value> = KeyPath<Root, Value>
    typealias Writable<Root, Value> = ReferenceWritableKeyPath<Root, Value>

    static func useSubscripts() {
        let _: ReferenceWritableKeyPath<CKRecord, String?> = \CKRecord.["text"]
        let _: ReferenceWritableKeyPath<CKRecord, (any CKRecordValueProtocol)?> = \CKRecord.["any"]
        let _: ReferenceWritableKeyPath<CKRecord, (any __CKRecordObjCValue)?> = \CKRecord.["object"]
    }

    static func use<Fields: CKRecordKeyValueSetting & SendableMetatype>(_: Fields.Type) {
        let _: any (NSObjectProtocol & CKRecordKeyValueSetting).Type = Fields.self
        let _: (Fields) -> (CKRecord.FieldKey) -> (any CKRecordValue)? = Fields.object(forKey:)
        let _: (Fields) -> ((any CKRecordValue)?, CKRecord.FieldKey) -> Void = Fields.setObject(_:forKey:)
        let _: (Fields) -> () -> [CKRecord.FieldKey] = Fields.allKeys
        let _: (Fields) -> () -> [CKRecord.FieldKey] = Fields.changedKeys
        let _: ReferenceWritableKeyPath<Fields, Int?> = \Fields.["number"]
        let _: ReferenceWritableKeyPath<Fields, (any CKRecordValueProtocol)?> = \Fields.["any"]
        let _: ReferenceWritableKeyPath<Fields, (any __CKRecordObjCValue)?> = \Fields.["object"]
    }

    static func useIteration(_ record: CKRecord) {
        let _: any (Sequence & CKRecordKeyValueSetting & NSSecureCoding & NSCopying).Type = CKRecord.self
        var walk = record.makeIterator()
        let next: () -> (CKRecord.FieldKey, any CKRecordValueProtocol)? = { walk.next() }
        _ = next()
        for (key, value) in record { _ = (key, value) }
    }

    static func useValues() -> [any CKRecordValueProtocol.Type] {
        let swift: [any CKRecordValueProtocol.Type] = [
            String.self, Date.self, Data.self, Bool.self, Double.self, Float.self, Int.self, UInt.self,
            Int8.self, Int16.self, Int32.self, Int64.self, UInt8.self, UInt16.self, UInt32.self, UInt64.self,
            [String].self,
        ]
        let objects: [any __CKRecordObjCValue.Type] = [
            NSString.self, NSNumber.self, NSDate.self, NSData.self, NSArray.self, CKReference.self,
            CKAsset.self, CLLocation.self,
        ]
        return swift + objects.map { $0 }
    }

    static func useErrors(_ error: any Error) {
        let _: (CKError.Code, [String: Any]) -> CKError = CKError.init(_:userInfo:)
        let _: (NSError) -> CKError = CKError.init(_nsError:)
        let _: KeyPath<CKError, CKError.Code> = \CKError.code
        let _: KeyPath<CKError, Int> = \CKError.errorCode
        let _: KeyPath<CKError, [String: Any]> = \CKError.errorUserInfo
        let _: KeyPath<CKError, String> = \CKError.localizedDescription
        let _: KeyPath<CKError, NSError> = \CKError._nsError
        do { throw error } catch CKError.networkFailure {} catch let error as CKError { _ = error } catch {}
    }

    static func useNotificationFactory(_ payload: [AnyHashable: Any]) {
        let _: CKNotification? = CKNotification(fromRemoteNotificationDictionary: payload)
        let _: CKQueryNotification? = CKQueryNotification(fromRemoteNotificationDictionary: payload)
    }

    /// Calls that leave out arguments with a default.
    static func useDefaults(_ container: CKContainer, _ record: CKRecord) async throws {
        let database = container.privateCloudDatabase
        _ = [CKRecordZone.ID(), CKRecordZone.ID(zoneName: "Z")]
        _ = [CKRecord.ID(), CKRecord.ID(recordName: "a"), CKRecord.ID(zoneID: .default)]
        _ = [CKModifyRecordsOperation(recordsToSave: []), CKModifyRecordsOperation(recordIDsToDelete: [])]
        _ = CKModifyRecordZonesOperation(recordZonesToSave: [])
        _ = CKModifySubscriptionsOperation(subscriptionsToSave: [])
        _ = CKFetchRecordZoneChangesOperation(recordZoneIDs: [])
        _ = CKFetchRecordZoneChangesOperation.ZoneConfiguration(desiredKeys: [])
        _ = CKSubscription.NotificationInfo(shouldSendContentAvailable: true)
        let query = CKQuery(recordType: "T", predicate: NSPredicate(format: "n > %d AND s == %@", 1, "a"))
        query.sortDescriptors = [NSSortDescriptor(key: "n", ascending: false)]
        _ = CKQuerySubscription(recordType: "T", predicate: query.predicate, subscriptionID: "s")
        _ = try await database.records(for: [record.recordID])
        _ = try await database.modifyRecords(saving: [record], deleting: [])
        let (matches, cursor) = try await database.records(matching: query)
        if let cursor { _ = try await database.records(continuingMatchFrom: cursor) }
        _ = matches.map(\.1)
        _ = try await database.databaseChanges(since: nil)
        _ = try await database.recordZoneChanges(inZoneWith: .default, since: nil)
        _ = try await database.configuredWith { try await $0.record(for: record.recordID) }
        _ = container.configuredWith(group: CKOperationGroup()) { $0.containerIdentifier }
        try await database.save(record)
        try await database.deleteRecord(withID: record.recordID)
    }
}
