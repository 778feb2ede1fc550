import CloudKit
import CoreLocation
import Foundation
import Records
import Testing

@Suite("Record fields as model values")
struct CKRecordModelTests {
    private static let zone = CKRecordZone.ID(zoneName: "Z")
    private static let id = CKRecord.ID(recordName: "r", zoneID: zone)

    private static let values: [FieldValue] = [
        "text", 7, 0.5, .timestamp(Timestamp(milliseconds: 1_700_000_000_123)), .bytes([0, 255]),
        .reference(Reference(recordName: "a", action: .deleteSelf)),
        .reference(Reference(recordName: "a", zone: ZoneID(name: "Y"))),
        .reference(Reference(recordName: "a", zone: ZoneID(name: "Z", owner: "_b"))),
        .asset(Asset(fileChecksum: "c", size: 3)),
        .location(Location(latitude: 1, longitude: 2)), .list(.string, ["a", "b"]),
        .list(.reference, [.reference(Reference(recordName: "a"))]),
    ]

    @Test("An encrypted field stays encrypted when it is removed and set again")
    func encryptedAgain() {
        let record = CKRecord(recordType: "Note")
        record.encryptedValues["secret"] = "a"
        record[field: "secret"] = FieldValue?.none
        record[field: "secret"] = FieldValue.string("b")
        #expect(record.encryptedValues["secret"] as? String == "b")
        #expect(record.allKeys().isEmpty)
    }

    @Test("A plain or encrypted value can be read as it was written", arguments: values)
    func journeys(_ value: FieldValue) {
        let record = CKRecord(recordType: "T", recordID: Self.id)
        record[field: "x"] = value
        #expect(record[field: "x"] == value)
        #expect(record.changedKeys() == ["x"])
        record[field: "x"] = FieldValue?.none
        #expect(record[field: "x"] as FieldValue? == nil)
        #expect(record.allKeys().isEmpty)
        record.encryptedValues["y"] = "secret"
        record[field: "y"] = "other"
        #expect(record.encryptedValues["y"] as? String == "other")
        #expect(record["y"] == nil)
    }

    @Test("A field assigned as an object can be read as a value, and the other way round")
    func objects() {
        let record = CKRecord(recordType: "T", recordID: Self.id)
        record["r"] = CKRecord.Reference(recordID: Self.id, action: .none)
        #expect(record[field: "r"] == FieldValue.reference(Reference(recordName: "r")))
        record["file"] = CKAsset(fileURL: URL(filePath: "/tmp/x"))
        #expect(record[field: "file"] as FieldValue? == nil)
        record["n"] = 3
        #expect(record[field: "n"] as Int? == 3)
        record[field: "place"] = Location(latitude: 1, longitude: 2)
        #expect((record["place"] as? CLLocation)?.coordinate.longitude == 2)
    }
}
