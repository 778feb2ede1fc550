import CloudKit
import CoreLocation
import Foundation
import Testing

@Suite("Fields of a record")
struct RecordValueTests {
    @Test("A stored number can be read as any type that represents it exactly")
    func numbers() {
        let record = CKRecord(recordType: "T", recordID: CKRecord.ID(recordName: "a"))
        record["n"] = 3
        #expect(record["n"] as? Int == 3)
        #expect(record["n"] as? Int64 == 3)
        #expect(record["n"] as? Double == 3)
        #expect(record["n"] as? NSNumber == 3)
        record["flag"] = true
        #expect(record["flag"] as? Bool == true)
        #expect(record["flag"] as? Int == 1)
        record["half"] = 2.5
        #expect(record["half"] as? Double == 2.5)
        #expect(record["half"] as? Int == nil)
        record["one"] = 1
        #expect(record["one"] as? Bool == true)
        record["n"] = (record["n"] as? Int ?? 0) + 1
        #expect(record["n"] == 4)
    }

    @Test("Every kind of value can be read as it was assigned")
    func kinds() {
        let record = CKRecord(recordType: "T", recordID: CKRecord.ID(recordName: "a"))
        let when = Date(timeIntervalSince1970: 1_700_000_000.25)
        let place = CLLocation(latitude: 37.78, longitude: -122.4)
        let reference = CKRecord.Reference(recordID: CKRecord.ID(recordName: "b"), action: .deleteSelf)
        let asset = CKAsset(fileURL: URL(fileURLWithPath: "/tmp/x"))
        record["text"] = "hello"
        record["date"] = when
        record["data"] = Data([1, 2])
        record["place"] = place
        record["reference"] = reference
        record["asset"] = asset
        record["texts"] = ["a", "b"]
        record["numbers"] = [1, 2]
        record["references"] = [reference]
        record["ns"] = "x" as NSString
        record["value"] = "y" as any CKRecordValue
        record.setObject("z" as any CKRecordValue, forKey: "set")
        #expect(record["text"] as? String == "hello")
        #expect(record["date"] as? Date == when)
        #expect(record["data"] as? Data == Data([1, 2]))
        #expect(record["place"] as? CLLocation === place)
        #expect(record["reference"] as? CKRecord.Reference === reference)
        #expect(record["asset"] as? CKAsset === asset)
        #expect(record["texts"] as? [String] == ["a", "b"])
        #expect(record["numbers"] as? [Int] == [1, 2])
        #expect(record["references"] as? [CKRecord.Reference] == [reference])
        let typed: String? = record["ns"]
        #expect(typed == "x")
        #expect(record["value"] as? String == "y")
        #expect(record["set"] as? String == "z")
        #expect(record["absent"] as? String == nil)
    }

    @Test("A removed key is a changed key and has no value")
    func changedKeys() {
        let record = CKRecord(recordType: "T", recordID: CKRecord.ID(recordName: "a"))
        for key in ["a", "b", "c"] { record[key] = 1 }
        record["b"] = nil
        #expect(record.allKeys() == ["a", "c"])
        #expect(record.changedKeys() == ["a", "b", "c"])
        #expect(record.map(\.0) == ["a", "c"])
    }

    @Test("Encrypted and plain fields can have the same names")
    func encryptedValues() {
        let record = CKRecord(recordType: "T", recordID: CKRecord.ID(recordName: "a"))
        record["x"] = 1
        record.encryptedValues["x"] = "secret"
        #expect(record["x"] as? Int == 1)
        #expect(record.encryptedValues["x"] as? String == "secret")
        #expect(record.encryptedValues.allKeys() == ["x"])
        #expect(record.encryptedValues.changedKeys() == ["x"])
        #expect(record.allKeys() == ["x"])
    }

    @Test("String-keyed access reaches fields and properties")
    func keyValueCoding() {
        let record = CKRecord(recordType: "T", recordID: CKRecord.ID(recordName: "a"))
        record.setValue("hello", forKey: "text")
        record.setValuesForKeys(["n": 2, "gone": NSNull()])
        #expect(record.value(forKey: "text") as? String == "hello")
        #expect(record.value(forKey: "recordID") as? CKRecord.ID == record.recordID)
        #expect(record.value(forKey: "creationDate") as? Date == nil)
        #expect(record["n"] as? Int == 2)
        #expect(record.dictionaryWithValues(forKeys: ["n", "none"]).count == 2)
        record.setValue(nil, forKey: "text")
        #expect(record["text"] as? String == nil)
    }

    @Test("A copy is independent, and two records are equal only if they are the same object")
    func copying() throws {
        let record = CKRecord(recordType: "T", recordID: CKRecord.ID(recordName: "a"))
        record["n"] = 1
        let copy = try #require(record.copy() as? CKRecord)
        copy["n"] = 2
        #expect(record["n"] as? Int == 1)
        #expect(copy.recordID == record.recordID)
        #expect(copy != record)
    }

    @Test("allTokens() has the normalized words of all strings, each once")
    func tokens() {
        let record = CKRecord(recordType: "T", recordID: CKRecord.ID(recordName: "a"))
        record["a"] = "Café au lait"
        record["b"] = "cafe noir"
        #expect(record.allTokens() == ["au", "cafe", "lait", "noir"])
    }

    @Test("Setting a parent creates a reference with the action none")
    func parent() {
        let record = CKRecord(recordType: "T", recordID: CKRecord.ID(recordName: "a"))
        let above = CKRecord.ID(recordName: "above")
        record.setParent(above)
        #expect(record.parent == CKRecord.Reference(recordID: above, action: .none))
        record.setParent(nil as CKRecord.ID?)
        #expect(record.parent == nil)
    }

    @Test("IDs and references are compared by value and can be dictionary keys")
    func identities() {
        let zone = CKRecordZone.ID(zoneName: "Z")
        let first = CKRecord.ID(recordName: "a", zoneID: zone)
        let second = CKRecord.ID(recordName: "a", zoneID: CKRecordZone.ID(zoneName: "Z"))
        #expect(first == second)
        #expect([first: 1][second] == 1)
        #expect(first != CKRecord.ID(recordName: "a"))
        #expect(CKRecord.ID(zoneID: zone).recordName != CKRecord.ID(zoneID: zone).recordName)
        #expect(
            CKRecord.Reference(recordID: first, action: .none)
                != CKRecord.Reference(recordID: first, action: .deleteSelf))
    }

    @Test("The distance between two locations is the great-circle distance in metres")
    func distance() {
        let here = CLLocation(latitude: 37.7842, longitude: -122.4016)
        let there = CLLocation(latitude: 37.8042, longitude: -122.4016)
        #expect(abs(here.distance(from: there) - 2224) < 2)
        #expect(CLLocationCoordinate2DIsValid(here.coordinate))
        #expect(!CLLocationCoordinate2DIsValid(kCLLocationCoordinate2DInvalid))
    }
}
