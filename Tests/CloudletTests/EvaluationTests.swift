import CloudKit
import Foundation
import Testing

@Suite("Predicates evaluated on a local record")
struct EvaluationTests {
    private static var record: CKRecord {
        let record = CKRecord(recordType: "Party", recordID: CKRecord.ID(recordName: "a"))
        record["name"] = "Café Noir"
        record["guests"] = 12
        record["price"] = 2.5
        record["tags"] = ["red", "blue"]
        record["at"] = Date(timeIntervalSince1970: 1000)
        record["place"] = CLLocation(latitude: 1, longitude: 2)
        record["host"] = CKRecord.Reference(recordID: CKRecord.ID(recordName: "h"), action: .deleteSelf)
        return record
    }

    @Test(
        "Predicates follow the server's rules, and Foundation's rules where the server has none",
        arguments: [
            ("guests == 12.0", true), ("guests BETWEEN {1, 12}", true), ("guests > 12", false),
            ("name == 'cafe noir'", false), ("name ==[cd] 'cafe noir'", true),
            ("name BEGINSWITH 'Caf'", true),
            ("name LIKE 'C*r'", true), ("name MATCHES 'C.*'", true), ("name ENDSWITH 'r'", true),
            ("name CONTAINS 'fé'", true), ("tags CONTAINS 'red'", true), ("'green' IN tags", false),
            ("ANY tags BEGINSWITH 'b'", true), ("ALL tags BEGINSWITH 'b'", false),
            ("NONE tags == 'green'", true), ("self CONTAINS 'noir the cafe'", true),
            ("self CONTAINS 'tea'", false), ("guests < 5 OR price == 2.5", true), ("NOT guests == 12", false),
            ("missing == NULL", true), ("guests != NULL", true), ("absent == 3 OR guests == 12", true),
            ("absent == 3", false), ("absent != 3", false), ("NOT absent == 3", false), ("absent < 3", false),
            ("guests + 1 == 13", true), ("at < now()", true), ("n ==", false), ("TRUEPREDICATE", true),
        ]
    )
    func evaluation(_ format: String, _ expected: Bool) {
        #expect(NSPredicate(format: format).evaluate(with: Self.record) == expected)
    }

    @Test("Objects are compared by value")
    func objects() {
        let host = CKRecord.ID(recordName: "h")
        #expect(NSPredicate(format: "host == %@", host).evaluate(with: Self.record))
        #expect(
            NSPredicate(format: "recordID == %@", CKRecord.ID(recordName: "a")).evaluate(with: Self.record))
        let near = NSPredicate(
            format: "distanceToLocation:fromLocation:(place, %@) < 200000",
            CLLocation(latitude: 2, longitude: 2))
        #expect(near.evaluate(with: Self.record))
        let both = NSCompoundPredicate(andPredicateWithSubpredicates: [near, NSPredicate(value: true)])
        #expect(both.evaluate(with: Self.record))
        #expect(!near.evaluate(with: "text"))
    }
}
