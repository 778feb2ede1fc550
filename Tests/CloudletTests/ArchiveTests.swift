import CloudKit
import CoreLocation
import Foundation
import Testing

@Suite("Archives")
struct ArchiveTests {
    private func roundTrip<T: NSObject & NSSecureCoding>(_ object: T) throws -> T? {
        let data = try NSKeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: true)
        return try NSKeyedUnarchiver.unarchivedObject(ofClass: T.self, from: data)
    }

    @Test("IDs, references, zones and locations keep their values in an archive")
    func identities() throws {
        let zone = CKRecordZone.ID(zoneName: "Z", ownerName: "_me")
        let id = CKRecord.ID(recordName: "a", zoneID: zone)
        let reference = CKRecord.Reference(recordID: id, action: .deleteSelf)
        #expect(try roundTrip(zone) == zone)
        #expect(try roundTrip(id) == id)
        #expect(try roundTrip(reference) == reference)
        #expect(try roundTrip(CKRecordZone(zoneID: zone))?.zoneID == zone)
        let place = CLLocation(
            coordinate: CLLocationCoordinate2D(latitude: 1, longitude: 2), altitude: 3, horizontalAccuracy: 4,
            verticalAccuracy: 5, timestamp: Date(timeIntervalSince1970: 6))
        let copy = try #require(try roundTrip(place))
        #expect(copy.altitude == 3)
        #expect(copy.timestamp == place.timestamp)
        #expect(copy.course == -1)
    }

    @Test("A record keeps its values and its changed keys in an archive")
    func wholeRecord() throws {
        let record = CKRecord(recordType: "T", recordID: CKRecord.ID(recordName: "a"))
        record["text"] = "hello"
        record["n"] = 7
        record["half"] = 0.5
        record["date"] = Date(timeIntervalSinceReferenceDate: 700_000_000.123)
        record["data"] = Data([0, 255])
        record["list"] = [1, 2]
        record["place"] = CLLocation(latitude: 1, longitude: 2)
        record["asset"] = CKAsset(fileURL: URL(fileURLWithPath: "/tmp/x"))
        record.encryptedValues["secret"] = "s"
        record["gone"] = nil
        let copy = try #require(try roundTrip(record))
        #expect(copy.recordID == record.recordID)
        #expect(copy["text"] as? String == "hello")
        #expect(copy["n"] as? Int == 7)
        #expect(copy["half"] as? Double == 0.5)
        #expect(copy["date"] as? Date == record["date"] as? Date)
        #expect(copy["data"] as? Data == Data([0, 255]))
        #expect(copy["list"] as? [Int] == [1, 2])
        #expect((copy["place"] as? CLLocation)?.coordinate.longitude == 2)
        #expect((copy["asset"] as? CKAsset)?.fileURL?.path == "/tmp/x")
        #expect(copy.encryptedValues["secret"] as? String == "s")
        #expect(copy.changedKeys() == record.changedKeys())
    }

    @Test("System fields can share an archive with an app's own keys")
    func systemFields() throws {
        let record = CKRecord(recordType: "T", recordID: CKRecord.ID(recordName: "a"))
        record["text"] = "hello"
        record.setParent(CKRecord.ID(recordName: "above"))
        let archiver = NSKeyedArchiver(requiringSecureCoding: true)
        record.encodeSystemFields(with: archiver)
        CKRecord.ID(recordName: "b").encode(with: archiver)
        archiver.encode("saveRecord", forKey: "changeType")
        archiver.finishEncoding()
        let unarchiver = try NSKeyedUnarchiver(forReadingFrom: archiver.encodedData)
        unarchiver.requiresSecureCoding = true
        let copy = try #require(CKRecord(coder: unarchiver))
        #expect(copy.recordType == "T")
        #expect(copy.recordID == record.recordID)
        #expect(copy.parent == record.parent)
        #expect(copy.allKeys().isEmpty)
        #expect(copy.changedKeys().isEmpty)
        #expect(CKRecord.ID(coder: unarchiver)?.recordName == "b")
        unarchiver.finishDecoding()
    }

    @Test("A query keeps its predicate arguments and its sort order in an archive")
    func queries() throws {
        let place = CLLocation(latitude: 1, longitude: 2)
        let reference = CKRecord.Reference(recordID: CKRecord.ID(recordName: "p"), action: .none)
        let query = CKQuery(
            recordType: "Party",
            predicate: NSCompoundPredicate(andPredicateWithSubpredicates: [
                NSPredicate(format: "party == %@ AND #in == 'a\"b' AND n > 1 + 2", reference),
                NSPredicate(format: "distanceToLocation:fromLocation:(place, %@) < 100", place),
                NSPredicate(value: true),
            ]))
        query.sortDescriptors = [
            NSSortDescriptor(key: "name", ascending: false),
            CKLocationSortDescriptor(key: "place", relativeLocation: place),
        ]
        let copy = try #require(try roundTrip(query))
        #expect(copy.recordType == "Party")
        #expect(copy.description == query.description)
        #expect(copy.sortDescriptors?.map { $0.key } == ["name", "place"])
        #expect(copy.sortDescriptors?.map(\.ascending) == [false, true])
        #expect(
            (copy.sortDescriptors?.last as? CKLocationSortDescriptor)?.relativeLocation.coordinate.latitude
                == 1)
    }

    @Test("Decoding returns nil for unexpected data under the keys of this module", arguments: 0..<7)
    func hostile(_ number: Int) throws {
        let archiver = NSKeyedArchiver(requiringSecureCoding: true)
        for name in ["CKRecordID", "CKRecord", "CKQuery", "CKReference", "CKRecordZoneID", "CLLocation"] {
            let key = "cloudlet.\(name)"
            switch number {
            case 0: archiver.encode("text" as NSString, forKey: key)
            case 1: archiver.encode(5, forKey: key)
            case 2: archiver.encode(NSData(data: Data("{}".utf8)), forKey: key)
            case 3: archive(#"{"version":1,"payload":{"name":3}}"#, key, archiver)
            case 4: archive(#"{"version":99,"payload":{}}"#, key, archiver)
            case 5: archive(String(repeating: "[", count: 10_000), key, archiver)
            default: break
            }
        }
        archiver.finishEncoding()
        let unarchiver = try NSKeyedUnarchiver(forReadingFrom: archiver.encodedData)
        unarchiver.requiresSecureCoding = true
        #expect(CKRecord.ID(coder: unarchiver) == nil)
        #expect(CKRecord(coder: unarchiver) == nil)
        #expect(CKQuery(coder: unarchiver) == nil)
        #expect(CKRecord.Reference(coder: unarchiver) == nil)
        #expect(CKRecordZone.ID(coder: unarchiver) == nil)
        #expect(CLLocation(coder: unarchiver) == nil)
    }

    private func archive(_ text: String, _ key: String, _ archiver: NSKeyedArchiver) {
        Array(text.utf8).withUnsafeBufferPointer { bytes in
            archiver.encodeBytes(bytes.baseAddress, length: bytes.count, forKey: key)
        }
    }
}
