import Cloudlet
import Foundation
import Testing

@testable import CloudSync

@Suite("Archives in a replica")
struct ArchivesTests {
    private func record() throws -> CKRecord {
        let zone = CKRecordZone.ID(zoneName: "Notes")
        let record = CKRecord(recordType: "Note", recordID: CKRecord.ID(recordName: "n", zoneID: zone))
        record["text"] = "a value"
        record.parent = CKRecord.Reference(
            recordID: CKRecord.ID(recordName: "party", zoneID: zone), action: .none)
        return record
    }

    private func check(_ bytes: Data) throws {
        let read = try #require(try Archives.record(bytes))
        let record = try record()
        #expect(read.recordID == record.recordID)
        #expect(read.recordType == "Note")
        #expect(read.parent == record.parent)
        #expect(read.allKeys() == [])
    }

    @Test("System fields are stored without values, and read again")
    func systemFields() throws {
        try check(Archives.systemFields(of: record()))
    }

    @Test("The keyed archives of earlier versions are still read")
    func keyed() throws {
        let archiver = NSKeyedArchiver(requiringSecureCoding: true)
        try record().encodeSystemFields(with: archiver)
        archiver.finishEncoding()
        try check(archiver.encodedData)
    }

    @Test("A change token is stored and read again, also from a keyed archive of an earlier version")
    func tokens() throws {
        let token = try Archives.token(Data("token:abc=".utf8))
        #expect(Archives.data(token) == Data("token:abc=".utf8))
        let archive = try NSKeyedArchiver.archivedData(withRootObject: token, requiringSecureCoding: true)
        let read = try Archives.token(archive)
        #expect(read == token)
    }

    @Test("A share is restored with its terms")
    func share() throws {
        let record = try record()
        let share = CKShare(rootRecord: record)
        share.publicPermission = .readOnly
        share[CKShare.SystemFieldKey.title] = "a title"
        let read = try #require(try Archives.record(Archives.systemFields(of: share)) as? CKShare)
        #expect(read.recordID == share.recordID)
        #expect(read.publicPermission == .readOnly)
        #expect(read.participants.count == 1)
        #expect(read.allKeys() == [])
    }

    @Test("Damaged bytes throw or decode to nil", arguments: ["", "{}", #"{"version":1}"#, "bplist00"])
    func damaged(text: String) {
        let read = try? Archives.record(Data(text.utf8))
        #expect(read == nil)
    }
}
