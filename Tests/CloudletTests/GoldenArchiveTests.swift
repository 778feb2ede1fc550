import CloudKit
import CoreLocation
import Foundation
import Records
import Testing

@testable import Cloudlet
@testable import TestKit

/// The files of `Data/Archives` were written by released versions, except for those of
/// `FrameworkArchiveTests`.
@Suite("Golden archives")
struct GoldenArchiveTests {
    private static let folder = URL.package.appending(path: "Data/Archives")

    @Test(
        "Archives of released versions can be read, and are written again with the same bytes",
        arguments: Sample.all)
    func archives(_ sample: Sample) throws {
        let golden = try Data(contentsOf: Self.folder.appending(path: sample.name + ".plist"))
        #expect(sample.archive() == golden)
        #expect(try sample.journey(golden) == golden)
    }

    @Test(
        "Stored operations of released versions can be read, and are stored with the same bytes",
        arguments: Noted.all)
    func operations(_ noted: Noted) throws {
        let golden = try Data(contentsOf: Self.folder.appending(path: noted.name + ".json"))
        #expect(try Self.note(noted.make()) == golden)
        let decoder = JSONDecoder()
        decoder.nonConformingFloatDecodingStrategy = Archive.readFloats
        let read = try decoder.decode(ArchivedOperation.self, from: golden)
        #expect(try Self.note(read.operation) == golden)
    }

    private static func note(_ operation: CKOperation) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted]
        encoder.nonConformingFloatEncodingStrategy = Archive.writtenFloats
        return try encoder.encode(try #require(ArchivedOperation(operation)))
    }

    @Test("Values encrypted by released versions can be decrypted, and are encrypted to the same bytes")
    func sealed() throws {
        let cipher = FieldCipher(key: CloudEncryptionKey(Data("key".utf8)), container: "iCloud.test")
        let id = CKRecord.ID(recordName: "r")
        var lines: [String] = []
        for key in Sample.party.allKeys().sorted() {
            guard let object = Sample.party.object(forKey: key) as? any __CKRecordObjCValue,
                !(object is CKAsset), !(object is CKRecord.Reference)
            else { continue }
            let sealed = try cipher.encrypting(object, of: id, field: key)
            switch sealed {
            case .string(let text): lines.append("\(key) \(text)")
            case .bytes(let bytes): lines.append("\(key) \(Data(bytes).base64EncodedString())")
            default: Issue.record("\(key) is sealed as \(sealed)")
            }
            let decrypted = cipher.decrypting(sealed, of: id, field: key)
            // A list of references cannot be set as an encrypted value, so it is not decrypted either.
            if !FieldCipher.canBeEncrypted(object) {
                #expect(decrypted == nil)
                continue
            }
            let opened = try #require(decrypted)
            #expect((opened as? NSObject)?.description == (object as? NSObject)?.description, "\(key)")
        }
        let golden = try String(contentsOf: Self.folder.appending(path: "Sealed.txt"), encoding: .utf8)
        #expect(lines.joined(separator: "\n") + "\n" == golden)
    }
}

/// An object with the name of the file that holds its archive.
struct Sample: Sendable, CustomTestStringConvertible {
    let name: String
    private let object: any (NSObject & NSSecureCoding & Sendable)
    private var isSystemFields = false

    var testDescription: String { name }

    /// The archive as this version writes it.
    func archive() -> Data { Self.archive(object, isSystemFields) }

    /// The archive of what this version reads in an archive.
    func journey(_ data: Data) throws -> Data {
        let unarchiver = try NSKeyedUnarchiver(forReadingFrom: data)
        unarchiver.requiresSecureCoding = true
        defer { unarchiver.finishDecoding() }
        let type = Swift.type(of: object) as any (NSObject & NSSecureCoding).Type
        let copy = type.init(coder: unarchiver)
        return Self.archive(try #require(copy), isSystemFields)
    }

    private static func archive(_ object: any NSSecureCoding, _ isSystemFields: Bool) -> Data {
        let archiver = NSKeyedArchiver(requiringSecureCoding: true)
        archiver.outputFormat = .xml
        if isSystemFields, let record = object as? CKRecord {
            record.encodeSystemFields(with: archiver)
        } else {
            object.encode(with: archiver)
        }
        archiver.finishEncoding()
        return archiver.encodedData
    }

    private static let zone = CKRecordZone.ID(zoneName: "Parties", ownerName: "_other")
    private static let ownZone = CKRecordZone.ID(zoneName: "Notes")
    static let id = CKRecord.ID(recordName: "r1", zoneID: ownZone)
    private static let moment = Date(timeIntervalSinceReferenceDate: 700_000_000.123456)

    static let place = CLLocation(
        coordinate: CLLocationCoordinate2D(latitude: 52.5, longitude: 13.25), altitude: 34,
        horizontalAccuracy: 5, verticalAccuracy: 6, course: 90, courseAccuracy: 2, speed: 1.5,
        speedAccuracy: 0.5, timestamp: moment)

    /// A record with a value of each kind.
    static let party: CKRecord = {
        let record = CKRecord(recordType: "Party", recordID: id)
        record["text"] = "Tea \u{1F388}"
        record["whole"] = Int64.max
        record["half"] = 0.5
        record["endless"] = Double.infinity
        record["date"] = moment
        record["bytes"] = Data([0, 127, 255])
        record["own"] = CKRecord.Reference(recordID: id, action: .deleteSelf)
        record["other"] = CKRecord.Reference(
            recordID: CKRecord.ID(recordName: "r2", zoneID: zone), action: .none)
        record["file"] = CKAsset(fileURL: URL(filePath: "/tmp/photo.jpg"))
        record["place"] = place
        record["corner"] = CLLocation(latitude: -90, longitude: 180)
        record["texts"] = ["a", "b"]
        record["dates"] = [moment]
        record["nothing"] = [String]()
        record["mixed"] = [1, 2.5] as [Double]
        record["targets"] = [CKRecord.Reference(recordID: id, action: .none)]
        record["files"] = [
            CKAsset(fileURL: URL(filePath: "/tmp/a")), CKAsset(fileURL: URL(filePath: "/tmp/b")),
        ]
        record["gone"] = nil
        record.encryptedValues["secret"] = "s"
        record.encryptedValues["when"] = moment
        record.setParent(CKRecord.ID(recordName: "above", zoneID: ownZone))
        return record
    }()

    static var query: CKQuery {
        let predicate = NSPredicate(
            format: "name == %@ AND count > 3 AND size <= %@ AND starts < %@ AND data == %@ AND owner == %@ "
                + "AND kind IN %@ AND distanceToLocation:fromLocation:(place, %@) < 100 AND seen > now()",
            "Tea", NSNumber(value: 2.5), Date(timeIntervalSinceReferenceDate: 700_000_000.125) as NSDate,
            Data([1, 2]) as NSData, CKRecord.Reference(recordID: id, action: .none), ["a", "b"] as NSArray,
            CLLocation(latitude: 1, longitude: 2))
        let query = CKQuery(recordType: "Party", predicate: predicate)
        query.sortDescriptors = [
            NSSortDescriptor(key: "name", ascending: false),
            CKLocationSortDescriptor(key: "place", relativeLocation: place),
        ]
        return query
    }

    private static var cursor: CKQueryCursor {
        CKQueryCursor(query: query, zoneID: ownZone, marker: Data([1, 2, 3]), moment: moment)
    }

    static var subscription: CKQuerySubscription {
        let subscription = CKQuerySubscription(
            recordType: "Party", predicate: query.predicate, subscriptionID: "s", options: [.firesOnce])
        subscription.zoneID = ownZone
        let info = CKSubscription.NotificationInfo()
        info.alertBody = "A party"
        info.desiredKeys = ["text"]
        subscription.notificationInfo = info
        return subscription
    }

    static let all: [Sample] = [
        Sample(name: "ZoneID", object: zone),
        Sample(name: "ZoneID-own", object: ownZone),
        Sample(name: "RecordID", object: id),
        Sample(name: "RecordID-shared", object: CKRecord.ID(recordName: "r2", zoneID: zone)),
        Sample(name: "Reference", object: CKRecord.Reference(recordID: id, action: .deleteSelf)),
        Sample(name: "Zone", object: CKRecordZone(zoneID: ownZone)),
        Sample(name: "Location", object: place),
        Sample(name: "Location-bare", object: CLLocation(latitude: 1, longitude: 2)),
        Sample(name: "Record", object: party),
        Sample(name: "Record-system-fields", object: party, isSystemFields: true),
        Sample(name: "Query", object: query),
        Sample(name: "Cursor", object: cursor),
        Sample(name: "Subscription", object: subscription),
        Sample(name: "LookupInfo", object: CKUserIdentity.LookupInfo(userRecordID: id)),
    ]
}

/// An operation with the name of the file in which it is noted.
struct Noted: Sendable, CustomTestStringConvertible {
    let name: String
    let make: @Sendable () -> CKOperation

    var testDescription: String { name }

    static let all: [Noted] = [
        Noted(name: "Operation-modify-records") {
            CKModifyRecordsOperation(recordsToSave: [Sample.party], recordIDsToDelete: [Sample.id])
        },
        Noted(name: "Operation-query") {
            let operation = CKQueryOperation(query: Sample.query)
            operation.zoneID = Sample.id.zoneID
            return operation
        },
        Noted(name: "Operation-modify-zones") {
            CKModifyRecordZonesOperation(
                recordZonesToSave: [CKRecordZone(zoneID: Sample.id.zoneID)],
                recordZoneIDsToDelete: [Sample.id.zoneID])
        },
        Noted(name: "Operation-modify-subscriptions") {
            CKModifySubscriptionsOperation(
                subscriptionsToSave: [Sample.subscription], subscriptionIDsToDelete: ["t"])
        },
    ]
}

extension FieldCipher {
    fileprivate func encrypting(
        _ object: any __CKRecordObjCValue, of record: CKRecord.ID, field: String
    ) throws -> FieldValue {
        try seal(object, of: record, field: field)
    }

    fileprivate func decrypting(
        _ value: FieldValue, of record: CKRecord.ID, field: String
    ) -> (any __CKRecordObjCValue)? {
        if case .object(let object) = open(value, of: record, field: field) { object } else { nil }
    }
}
