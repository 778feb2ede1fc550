import CloudKit
import Foundation
import Testing

/// Each file `Data/Archives/Framework-….plist` was made by hand in the form in which CloudKit writes archives
/// on Apple's systems: class names without a module, and plain keys.
@Suite("Archives in the form of Apple's framework")
struct FrameworkArchiveTests {
    private static func file(_ name: String) throws -> Data {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Data/Archives")
        return try Data(contentsOf: folder.appending(path: "Framework-\(name).plist"))
    }

    private static func object<Object: NSObject & NSSecureCoding>(
        _ type: Object.Type, _ name: String
    ) throws -> Object {
        try #require(try NSKeyedUnarchiver.unarchivedObject(ofClass: type, from: file(name)))
    }

    @Test("Zone IDs, record IDs, references and zones can be read")
    func read() throws {
        let notes = CKRecordZone.ID(zoneName: "Notes")
        #expect(try Self.object(CKRecordZone.ID.self, "ZoneID") == notes)
        let parties = CKRecordZone.ID(zoneName: "Parties", ownerName: "_other")
        let id = try Self.object(CKRecord.ID.self, "RecordID")
        #expect(id == CKRecord.ID(recordName: "r1", zoneID: parties))
        let reference = try Self.object(CKRecord.Reference.self, "Reference")
        let target = CKRecord.ID(recordName: "r1", zoneID: notes)
        #expect(reference == CKRecord.Reference(recordID: target, action: .deleteSelf))
        let zone = try Self.object(CKRecordZone.self, "Zone")
        #expect(zone.zoneID == notes)
        #expect(zone.capabilities == [.fetchChanges, .atomic])
        #expect(zone.share == nil)
        // The object can be archived again, in Cloudlet's own form.
        let data = try NSKeyedArchiver.archivedData(withRootObject: reference, requiringSecureCoding: true)
        #expect(
            try NSKeyedUnarchiver.unarchivedObject(ofClass: CKRecord.Reference.self, from: data) == reference)
    }

    @Test("They can also be read with an unarchiver and a key")
    func byHand() throws {
        let unarchiver = try NSKeyedUnarchiver(forReadingFrom: Self.file("RecordID"))
        unarchiver.requiresSecureCoding = true
        let id = unarchiver.decodeObject(of: CKRecord.ID.self, forKey: NSKeyedArchiveRootObjectKey)
        unarchiver.finishDecoding()
        #expect(id?.recordName == "r1")
    }

    @Test("A change token can be read, and another server refuses it")
    func token() async throws {
        let token = try Self.object(CKServerChangeToken.self, "ChangeToken")
        #expect(token == (token.copy() as? CKServerChangeToken))
        try await withFixture { fixture in
            let database = fixture.alice.privateCloudDatabase
            let zone = try await database.save(CKRecordZone(zoneName: "Notes"))
            let refusal = await code {
                _ = try await database.recordZoneChanges(inZoneWith: zone.zoneID, since: token)
            }
            #expect(refusal == .invalidArguments)
            let fresh = try await database.recordZoneChanges(inZoneWith: zone.zoneID, since: nil)
            #expect(fresh.changeToken != token)
        }
    }

    @Test("Reading a record fails with an error, and its ID can be read")
    func record() throws {
        let error = #expect(throws: CocoaError.self) {
            _ = try NSKeyedUnarchiver.unarchivedObject(ofClass: CKRecord.self, from: Self.file("Record"))
        }
        #expect(error?.code == .coderReadCorrupt)
        let unarchiver = try NSKeyedUnarchiver(forReadingFrom: Self.file("Record-system-fields"))
        unarchiver.requiresSecureCoding = true
        #expect(CKRecord(coder: unarchiver) == nil)
        let id = unarchiver.decodeObject(of: CKRecord.ID.self, forKey: "RecordID")
        #expect(id?.recordName == "r1")
    }

    @Test("An error without a text has the same description as on Apple's systems")
    func errors() {
        let text = "The operation couldn’t be completed. (CKErrorDomain error 4.)"
        let error = CKError(.networkFailure)
        #expect(error.localizedDescription == text)
        #expect((error as NSError).localizedDescription == text)
        #expect(error.userInfo.isEmpty)
        #expect(error == CKError(.networkFailure))
        let plain = NSError(domain: CKErrorDomain, code: 4)
        #expect((plain as? CKError)?.localizedDescription == text)
        #expect((error as NSError) == plain)
        let told = CKError(.networkFailure, userInfo: [NSLocalizedDescriptionKey: "No network"])
        #expect((told as any Error).localizedDescription == "No network")
        let reasoned = CKError(.networkFailure, userInfo: [NSLocalizedFailureReasonErrorKey: "No network."])
        #expect(reasoned.localizedDescription == "The operation couldn’t be completed. No network.")
    }
}
