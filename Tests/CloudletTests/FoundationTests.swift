import CloudKit
import Foundation
import Testing

@Suite("Additions to Foundation")
struct FoundationTests {
    private struct Wish: Codable, Equatable {
        var name: String
        var count: Int
    }

    @Test("Codable values can be stored in an archive together with objects")
    func values() throws {
        let archiver = NSKeyedArchiver(requiringSecureCoding: true)
        try archiver.encodeEncodable(Wish(name: "a", count: 2), forKey: "wish")
        try archiver.encodeEncodable(7, forKey: "number")
        CKRecord.ID(recordName: "a").encode(with: archiver)
        archiver.finishEncoding()
        let unarchiver = try NSKeyedUnarchiver(forReadingFrom: archiver.encodedData)
        #expect(unarchiver.decodeDecodable(Wish.self, forKey: "wish") == Wish(name: "a", count: 2))
        #expect(unarchiver.decodeDecodable(Int.self, forKey: "number") == 7)
        #expect(unarchiver.decodeDecodable(String.self, forKey: "number") == nil)
        #expect(unarchiver.decodeDecodable(Int.self, forKey: "missing") == nil)
        #expect(CKRecord.ID(coder: unarchiver)?.recordName == "a")
    }

    @Test("An archived array of records can be read")
    func arrays() throws {
        let records = ["a", "b"].map {
            CKRecord(recordType: "T", recordID: CKRecord.ID(recordName: $0))
        }
        let data = try NSKeyedArchiver.archivedData(withRootObject: records, requiringSecureCoding: true)
        let copies = try NSKeyedUnarchiver.unarchivedArrayOfObjects(ofClass: CKRecord.self, from: data)
        #expect(copies?.map(\.recordID) == records.map(\.recordID))
        let one = try NSKeyedArchiver.archivedData(withRootObject: records[0], requiringSecureCoding: true)
        #expect(throws: CocoaError.self) {
            try NSKeyedUnarchiver.unarchivedArrayOfObjects(ofClass: CKRecord.self, from: one)
        }
        #expect(throws: (any Error).self) {
            try NSKeyedUnarchiver.unarchivedArrayOfObjects(ofClass: CKRecord.self, from: Data([1, 2]))
        }
    }

    @Test("A notification sequence starts with its iterator and can be limited to one sender")
    func notifications() async {
        let center = NotificationCenter()
        let sender = CKRecord.ID(recordName: "sender")
        var all = center.notifications(named: .CKAccountChanged).makeAsyncIterator()
        var own = center.notifications(named: .CKAccountChanged, object: sender).makeAsyncIterator()
        center.post(name: .CKAccountChanged, object: nil, userInfo: ["n": 1])
        center.post(name: Notification.Name("other"), object: nil)
        center.post(name: .CKAccountChanged, object: sender, userInfo: ["n": 2])
        #expect(await all.next()?.userInfo?["n"] as? Int == 1)
        #expect(await all.next()?.userInfo?["n"] as? Int == 2)
        #expect(await own.next()?.userInfo?["n"] as? Int == 2)
    }

    @Test("Small declarations that only Apple's Foundation has are available")
    func names() throws {
        #expect(NSEC_PER_SEC == 1_000_000_000)
        #expect(autoreleasepool { 3 } == 3)
        #expect(autoreleasepool(invoking: { 4 }) == 4)
        #expect(Data.WritingOptions.atomicWrite == .atomic)
        let defaults = try #require(UserDefaults(suiteName: "cloudlet-tests"))
        defaults.setValue(5, forKey: "five")
        #expect(defaults.value(forKey: "five") as? Int == 5)
        defaults.setValue(nil, forKey: "five")
        #expect(defaults.value(forKey: "five") == nil)
    }
}
